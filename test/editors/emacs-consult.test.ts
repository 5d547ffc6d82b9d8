/** consult in a real Emacs: the list while the user types, the preview, and the place that Enter opens. */

import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../support/lsp-client.ts";
import {
  blocks,
  desk,
  editorNamed,
  hasEmacsPackages,
  installEmacs,
  QUESTION,
  TIMEOUT_MS,
  withEmacsPackages,
} from "./editor.ts";
import { hasTmux, terminal } from "./terminal.ts";

const NEEDS = ["compat", "consult", "vertico"];

const emacs = editorNamed("emacs") ?? "";

const canRun = emacs !== "" && hasTmux && hasEmacsPackages(NEEDS);

const INIT = `
${withEmacsPackages(NEEDS)}
(setq inhibit-startup-screen t)
(require 'vertico)
(vertico-mode)
(keymap-global-set "C-c f" #'cocosearch-consult)
`;

const FIRST = /^src\/mail\.go:4:func SendReceipt\(order Order\) error\b.* [01]\.\d\d/m;

/**
 * consult sends one request half a second after the last key: a file indexed later needs another key, which takes back the
 * question before. Each is waited for twice as long as the one before it.
 */
const ANSWERED_MS = 2_000;
const POLL_MS = 100;

describe.skipIf(!canRun)(
  `consult in Emacs (COCOSEARCH_TEST_EMACS_PACKAGES names a folder with ${NEEDS.join(", ")}, and there are emacs and tmux)`,
  () => {
    it(
      "lists the answer first while the question is typed, previews it, and goes there",
      async () => {
        const person = desk();
        onTestFinished(() => person.clear());
        installEmacs(person);
        const init = [INIT, ...blocks("emacs/README.md", "elisp")].join("\n");
        person.write(".emacs.d/init.el", init);
        const { press, type, shows, screen, hasEnded, close } = terminal(person, [
          emacs,
          "-nw",
          "src/pool.py",
        ]);
        onTestFinished(() => close());

        await shows(/class Pool/);
        press("C-c", "f");
        await shows(/Find code: #/);
        type(QUESTION);
        let [waitMs, waitedMs] = [ANSWERED_MS, 0];
        await until("the answer in the list", async () => {
          if (FIRST.test(screen())) return true;
          await delay(POLL_MS);
          waitedMs += POLL_MS;
          if (waitedMs < waitMs) return false;
          [waitMs, waitedMs] = [waitMs * 2, 0];
          type("?");
          return false;
        });
        await shows(/SendReceipt mails the customer what was bought/);
        press("Enter");
        await shows(/mail\.go .* L4\b/);

        press("C-x", "C-c");
        await until("the end of Emacs", hasEnded);
        await person.left([]);
        expect(hasEnded()).toBe(true);
      },
      TIMEOUT_MS,
    );
  },
);
