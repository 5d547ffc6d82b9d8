/**
 * Editors while the embedding service is down: results of the built-in model, and a message with the cause and the remedy.
 * @module-tag slow
 */

import { describe, expect, it, onTestFinished } from "vitest";
import { embeddingServer } from "../support/embedding-server.ts";
import { blocks, desk, editorNamed, installEmacs, QUESTION, TIMEOUT_MS } from "./editor.ts";
import { neovimScreen } from "./neovim-screen.ts";
import { hasTmux, terminal } from "./terminal.ts";

const WHERE =
  "COCOSEARCH_TEST_EDITORS names a folder with bin/nvim, bin/hx and bin/emacs, and there is tmux";
const PACKAGE = "data/nvim/site/pack/cocosearch/start/cocosearch";
const START = "src/pool.py";

/** The message of the server, which names the service; it may be cut where the line ends. */
const TOLD =
  /the built-in model answers until the index is embedded: the embedding service at 127\.0\.0\.1:\d+/;
const ANSWER = /SendReceipt +src\/mail\.go:[34]/;

const [nvim = "", hx = "", emacs = ""] = ["nvim", "hx", "emacs"].map(editorNamed);

/** A desk whose embedding service answers every request with an error. */
async function opened() {
  const service = await embeddingServer();
  service.fail("server error");
  onTestFinished(() => service.close());
  const person = desk({
    COCOSEARCH_EMBEDDING_PROVIDER: "openai",
    COCOSEARCH_EMBEDDING_BASE_URL: `${service.url}/v1`,
    COCOSEARCH_EMBEDDING_MODEL: "m",
  });
  return { person, service };
}

describe.skipIf([nvim, hx, emacs].includes("") || !hasTmux)(
  `an embedding service that is down (${WHERE})`,
  () => {
    it(
      "is reported in Neovim and in its picker until the service is back",
      async () => {
        const { person, service } = await opened();
        person.install("neovim", PACKAGE);
        const { press, type, shows, screen } = await neovimScreen(person, nvim, START);
        await shows(TOLD);
        press("Enter");
        type(":CocoSearchPick");
        press("Enter");
        type(QUESTION);
        await shows(ANSWER);
        await shows(/╭ CocoSearch · \d answers? · degraded, 3 of 3 files/);

        service.fail("none");
        // The question that is on the screen is asked again by itself.
        await shows(/╭ CocoSearch · \d answers? ─/);
        expect(screen()).toMatch(ANSWER);
        press("Escape");
      },
      TIMEOUT_MS,
    );

    it(
      "is reported in Helix",
      async () => {
        const { person } = await opened();
        await person.run(person.at("bin/cocosearch-lsp"), ["helix-config", "--write", "--hx", hx]);
        const { press, type, shows, screen, close } = terminal(person, [hx, START]);
        onTestFinished(async () => {
          close();
          await person.clear();
        });
        await shows(TOLD);
        press("Space", "S");
        type(QUESTION);
        await shows(/SendReceipt src\/mail\.go:[34]/);
        expect(screen()).toContain(QUESTION);
      },
      TIMEOUT_MS,
    );

    it(
      "is reported in Emacs, also above the answers",
      async () => {
        const { person } = await opened();
        installEmacs(person);
        const keys =
          '(setq inhibit-startup-screen t)\n(keymap-global-set "C-c l" #\'cocosearch-live)\n';
        person.write(".emacs.d/init.el", [keys, ...blocks("emacs/README.md", "elisp")].join("\n"));
        const { press, type, shows, screen, close } = terminal(person, [emacs, "-nw", START]);
        onTestFinished(async () => {
          close();
          await person.clear();
        });
        await shows(/class Pool/);
        press("C-c", "l");
        type(QUESTION);
        await shows(ANSWER);
        await shows(/^ \d answers? · degraded, 3 of 3 files/m);
        expect(screen()).toMatch(ANSWER);
      },
      TIMEOUT_MS,
    );
  },
);
