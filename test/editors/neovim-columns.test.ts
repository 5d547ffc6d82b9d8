/** The column of an answer in Neovim, whose versions have the server count in different units. */

import { resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { desk, editorsNamed, TIMEOUT_MS } from "./editor.ts";

const SCRIPT = resolve(import.meta.dirname, "neovim-columns.lua");
const programs = editorsNamed("nvim");

const FILES = `
//- src/pay.go
package pay

	/* 😀 größer */ func SettleInvoice() {
	}
`;
/** Neovim 0.10 prefers UTF-16 without this setting. */
const UTF_16 =
  "lua if vim.lsp.config then vim.lsp.config('*', { capabilities = { general = { positionEncodings = { 'utf-16' } } } }) end";

describe.skipIf(programs.length === 0).each(programs.length === 0 ? ["none"] : programs)(
  "Neovim (COCOSEARCH_TEST_EDITORS names a folder with bin/nvim): %s",
  (program) => {
    it.each([
      ["as it negotiates by itself", []],
      ["in UTF-16", ["--cmd", UTF_16]],
    ])(
      "goes to the very column behind characters outside ASCII: %s",
      async (_, args) => {
        const person = desk({}, FILES);
        onTestFinished(() => person.clear());
        person.write("shop/.git/HEAD", "ref: refs/heads/main\n");
        person.install("neovim", "data/nvim/site/pack/cocosearch/start/cocosearch");
        const seen = await person.seenBy(program, [
          "--headless",
          "-n",
          ...args,
          "-S",
          SCRIPT,
          "src/pay.go",
        ]);
        expect(seen).toEqual({
          rest: "SettleInvoice() {",
          marked: ["SettleInvoice"],
        });
      },
      TIMEOUT_MS,
    );
  },
);
