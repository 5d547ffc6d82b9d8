/** search.related in a real Neovim: related files follow the hits in the quickfix list. */

import { resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Desk, desk, editorNamed, TIMEOUT_MS } from "./editor.ts";

const PROJECT = `
//- .git/HEAD
ref: refs/heads/main
//- shop.py
from pool import open_pool

x = open_pool("here")
//- pool.py
"""Connections."""


def open_pool(url):
    return url
`;
const INIT =
  "vim.lsp.config('cocosearch', { settings = { cocosearch = { search = { related = 3 } } } })\n";
const SCRIPT = resolve(import.meta.dirname, "neovim-related.lua");
const PACKAGE = "data/nvim/site/pack/cocosearch/start/cocosearch";

const nvim = editorNamed("nvim") ?? "";

describe.skipIf(nvim === "")(
  "Neovim (COCOSEARCH_TEST_EDITORS names a folder with bin/nvim)",
  () => {
    let person: Desk | undefined;
    afterAll(() => person?.clear(), TIMEOUT_MS);

    it(
      "a search lists related files after the hits",
      async () => {
        person = desk({}, PROJECT);
        person.install("neovim", PACKAGE);
        person.write("config/nvim/init.lua", INIT);
        const seen = await person.seenBy(nvim, ["--headless", "-S", SCRIPT, "shop.py"]);
        expect(seen).toEqual({
          related: "shop.py:1 related: uses pool.py",
        });
      },
      TIMEOUT_MS,
    );
  },
);
