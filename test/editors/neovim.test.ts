/** Neovim with our configuration file and the README's lines: the answer comes first, and the cursor goes there. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocks, client, type Desk, desk, editorNamed, PATIENCE_MS, QUESTION } from "./editor.ts";

interface Place {
  readonly file: string;
  readonly line: number;
}
interface QuickfixList {
  readonly title: string;
  readonly text: string;
  readonly at: Place;
}
/** What neovim.lua writes. */
interface Seen {
  readonly problem?: string;
  readonly children: readonly number[];
  readonly symbols: QuickfixList;
  readonly command: QuickfixList;
  readonly offered: readonly string[];
  readonly chosen: Place;
}

const ANSWER: Place = { file: "src/mail.go", line: 4 };
const SCRIPT = resolve(import.meta.dirname, "neovim.lua");

const nvim = editorNamed("nvim");

describe.skipIf(nvim === undefined)(
  "Neovim (COCOSEARCH_TEST_EDITORS names a folder with bin/nvim)",
  () => {
    let person: Desk;
    let seen: Seen;

    beforeAll(async () => {
      person = desk();
      person.write("config/nvim/lsp/cocosearch.lua", client("neovim/lsp/cocosearch.lua"));
      person.write("config/nvim/init.lua", blocks("neovim/README.md", "lua").join("\n"));
      const file = person.at("seen.json");
      await person.run(nvim ?? "", ["--headless", "-S", SCRIPT, "src/pool.py"], {
        COCOSEARCH_TEST_QUESTION: QUESTION,
        COCOSEARCH_TEST_SEEN: file,
      });
      seen = JSON.parse(readFileSync(file, "utf8")) as Seen;
      if (seen.problem !== undefined) throw new Error(seen.problem);
    }, PATIENCE_MS);

    afterAll(() => person.clear(), PATIENCE_MS);

    it("finds it with the built-in search for symbols", () => {
      const text = expect.stringContaining("SendReceipt");
      expect(seen.symbols).toMatchObject({ at: ANSWER, text });
    });

    it("finds it with the README's command", () => {
      const text = expect.stringMatching(/^[01]\.\d\d SendReceipt$/);
      expect(seen.command).toEqual({ title: `CocoSearch: ${QUESTION}`, text, at: ANSWER });
    });

    it("lets its user choose after workspace/executeCommand, and goes there", () => {
      expect(seen.offered[0]).toBe("1. SendReceipt - src/mail.go:4");
      expect(seen.chosen).toEqual(ANSWER);
    });

    it(
      "leaves nothing running",
      async () => {
        expect(seen.children).toHaveLength(1);
        await person.left(seen.children);
      },
      PATIENCE_MS,
    );
  },
);
