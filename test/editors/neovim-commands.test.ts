/** The commands of Neovim for dependencies, history and context, in a small repository. */

import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commitAll, initRepository } from "../support/git.ts";
import { LINKED_SHOP } from "../support/shops.ts";
import { type Desk, desk, editorNamed, TIMEOUT_MS } from "./editor.ts";

interface QuickfixList {
  readonly title: string;
  /** `file:line text`. */
  readonly entries: readonly string[];
}

/** The output of neovim-commands.lua. */
interface Seen {
  readonly related: QuickfixList;
  readonly impact: QuickfixList;
  readonly path: QuickfixList;
  readonly callers: QuickfixList;
  readonly callees: QuickfixList;
  readonly similar: QuickfixList;
  readonly word: QuickfixList;
  readonly exact: QuickfixList;
  readonly pattern: QuickfixList;
  readonly selected: QuickfixList;
  readonly pasted: QuickfixList;
  readonly commits: readonly string[];
  readonly commit: { readonly filetype: string; readonly lines: readonly string[] };
  readonly explained: readonly string[];
  readonly copied: string;
  readonly without_file: readonly string[];
}

const SCRIPT = resolve(import.meta.dirname, "neovim-commands.lua");
const nvim = editorNamed("nvim") ?? "";

describe.skipIf(nvim === "")(
  "Neovim's other commands (COCOSEARCH_TEST_EDITORS names a folder with bin/nvim)",
  () => {
    let person: Desk;
    let seen: Seen;

    beforeAll(async () => {
      person = desk({}, LINKED_SHOP);
      initRepository(person.project);
      commitAll(person.project, "Retry slow networks\n\nThe shop did not open on Mondays.");
      person.install("neovim", "data/nvim/site/pack/cocosearch/start/cocosearch");
      seen = await person.seenBy(nvim, ["--headless", "-n", "-S", SCRIPT, "src/pool.py"]);
    }, TIMEOUT_MS);

    afterAll(() => person.clear(), TIMEOUT_MS);

    it("lists the files that depend on the current one, at the line of the import", () => {
      expect(seen.related.title).toBe("CocoSearch: related to pool.py");
      expect(seen.related.entries).toContainEqual(
        expect.stringMatching(/^src\/shop\.py:1 uses src\/pool\.py:1 /),
      );
    });

    it("lists the code that a change may touch", () => {
      expect(seen.impact.entries).toContainEqual(expect.stringContaining("src/shop.py:"));
    });

    it("lists the way from one file to another", () => {
      expect(seen.path.entries).toEqual(["src/shop.py:1 step 1", "src/pool.py:1 step 2"]);
    });

    it("lists callers and callees of the name under the cursor", () => {
      expect(seen.callers.title).toBe("CocoSearch: callers of open_pool");
      expect(seen.callers.entries).toEqual(["src/shop.py:6 start_shop"]);
      expect(seen.callees.entries).toEqual(["src/pool.py:1 open_pool"]);
    });

    it("lists similar code of other files", () => {
      expect(seen.similar.title).toBe("CocoSearch: similar to pool.py:1");
      expect(seen.similar.entries[0]).toMatch(/^src\/shop\.py:/);
    });

    it("lists every place of the word under the cursor, of a text, and of a pattern", () => {
      const places = (list: QuickfixList) => list.entries.map((entry) => entry.split(" ", 1)[0]);
      expect(seen.word.title).toBe("CocoSearch: open_pool (3)");
      expect(places(seen.word)).toEqual(["src/pool.py:1", "src/shop.py:1", "src/shop.py:6"]);
      expect(seen.word.entries[2]).toMatch(/ \[start_shop\]$/);
      expect(seen.exact.entries).toEqual(seen.word.entries.slice(0, 1));
      expect(seen.pattern).toEqual({ ...seen.word, title: "CocoSearch: /op[e]n_\\w+/ (3)" });
    });

    it("asks with the selected lines, and with the clipboard", () => {
      expect(seen.selected.title).toBe("CocoSearch: TypeError: url is None");
      expect(seen.selected.entries[0]).toMatch(/^src\/shop\.py:/);
      expect(seen.pasted.title).toBe("CocoSearch: open_pool fails");
      expect(seen.pasted.entries[0]).toMatch(/^src\/pool\.py:/);
    });

    it("lists commits that answer a question, and opens one", () => {
      expect(seen.commits[0]).toMatch(/Retry slow networks/);
      expect(seen.commit.filetype).toBe("git");
      expect(seen.commit.lines).toContain("    Retry slow networks");
      expect(seen.commit.lines).toContain("+def open_pool(url):");
    });

    it("says which commits shaped a line", () => {
      expect(seen.explained.join("\n")).toMatch(/Retry slow networks[^]*did not open on Mondays/);
    });

    it("copies the code that a question needs", () => {
      expect(seen.copied).toMatch(/src\/pool\.py[^]*def open_pool\(url\)/);
    });

    it("says in a buffer without a file that it has none", () => {
      const sentence = "cocosearch: this buffer has no file";
      expect(seen.without_file).toEqual([sentence, sentence]);
    });
  },
);
