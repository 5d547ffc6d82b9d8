/** The commands of Emacs for dependencies, history and context, in a small repository. */

import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commitAll, initRepository } from "../support/git.ts";
import { LINKED_SHOP } from "../support/shops.ts";
import { blocks, type Desk, desk, editorNamed, installEmacs, TIMEOUT_MS } from "./editor.ts";

/** The output of emacs-commands.el. Places are `file:line text`. */
interface Seen {
  readonly related: readonly string[];
  readonly impact: readonly string[];
  readonly path: readonly string[];
  readonly callers: readonly string[];
  readonly callees: readonly string[];
  readonly similar: readonly string[];
  readonly commit: { readonly row: string; readonly text: string };
  readonly explained: string;
  readonly copied: string;
  readonly selected: string;
}

const SCRIPT = resolve(import.meta.dirname, "emacs-commands.el");
const emacs = editorNamed("emacs") ?? "";

describe.skipIf(emacs === "")(
  "Emacs's other commands (COCOSEARCH_TEST_EDITORS names a folder with bin/emacs)",
  () => {
    let person: Desk;
    let seen: Seen;

    beforeAll(async () => {
      person = desk({}, LINKED_SHOP);
      initRepository(person.project);
      commitAll(person.project, "Retry slow networks\n\nThe shop did not open on Mondays.");
      installEmacs(person);
      const [init = ""] = blocks("emacs/README.md", "elisp");
      const required = ["live", "graph", "past"].map((each) => `(require 'cocosearch-${each})`);
      person.write(".emacs.d/init.el", [init, ...required].join("\n"));
      const load = ["--load", person.at(".emacs.d/init.el"), "--load", SCRIPT];
      seen = await person.seenBy(emacs, ["--batch", "--quick", ...load]);
    }, TIMEOUT_MS);

    afterAll(() => person.clear(), TIMEOUT_MS);

    it("lists the files that depend on the current one, and the code that a change may touch", () => {
      const dependent = expect.stringMatching(/^src\/shop\.py:1 uses src\/pool\.py:1 /) as string;
      expect(seen.related).toContainEqual(dependent);
      expect(seen.impact).toContainEqual(dependent);
    });

    it("lists the way from one file to another", () => {
      expect(seen.path).toEqual(["src/shop.py:1 step 1", "src/pool.py:1 step 2"]);
    });

    it("lists callers and callees", () => {
      expect(seen.callers).toEqual(["src/shop.py:6 start_shop"]);
      expect(seen.callees).toEqual(["src/pool.py:1 open_pool"]);
    });

    it("lists similar code of other files", () => {
      expect(seen.similar[0]).toMatch(/^src\/shop\.py:/);
    });

    it("lists commits that answer a question, and opens one as a diff", () => {
      expect(seen.commit.row).toMatch(/^[█▏▎▍▌▋▊▉ ]{4} Retry slow networks/);
      expect(seen.commit.text).toContain("\n+def open_pool(url):\n");
    });

    it("says which commits shaped a line", () => {
      expect(seen.explained).toMatch(/Retry slow networks[^]*did not open on Mondays/);
    });

    it("copies the code that a question needs, and asks with the region", () => {
      expect(seen.copied).toMatch(/src\/pool\.py[^]*def open_pool\(url\)/);
      expect(seen.selected).toBe("def open_pool(url):");
    });
  },
);
