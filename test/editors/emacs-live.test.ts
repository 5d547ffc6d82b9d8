/** cocosearch-live in a real Emacs with a slow or missing server: the typed question waits and is answered. */

import { readFileSync, rmSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../support/lsp-client.ts";
import {
  blocks,
  type Desk,
  desk,
  editorNamed,
  installEmacs,
  QUESTION,
  TIMEOUT_MS,
  writeCrates,
} from "./editor.ts";
import { ASKED_ONCE, heldModels, RECEIPTS, rested } from "./held-models.ts";
import { hasTmux, terminal } from "./terminal.ts";

const emacs = editorNamed("emacs") ?? "";

const INIT = `
(setq inhibit-startup-screen t)
(keymap-global-set "C-c l" #'cocosearch-live)
`;

/** A bar for the score, the name, the place, the line. */
const ANSWER = /^[█▏▎▍▌▋▊▉ ]{4} SendReceipt src\/mail\.go:[34] /m;
const PREVIEW = /SendReceipt mails the customer what was bought/;

function opened(prepare: (person: Desk) => void, env: NodeJS.ProcessEnv = {}, files?: string) {
  const person = desk(env, files);
  installEmacs(person);
  person.write(".emacs.d/init.el", [INIT, ...blocks("emacs/README.md", "elisp")].join("\n"));
  prepare(person);
  const screen = terminal(person, [emacs, "-nw", "src/pool.py"]);
  onTestFinished(async () => {
    screen.close();
    await person.clear();
  });
  return { ...screen, person };
}

describe.skipIf(emacs === "" || !hasTmux)(
  "cocosearch-live in Emacs (COCOSEARCH_TEST_EDITORS names a folder with bin/emacs, and there is tmux)",
  () => {
    it(
      "keeps a question typed before the server has started, and returns to the old place",
      async () => {
        let release = () => undefined as void;
        const { press, type, shows, screen, person } = opened((each) => {
          release = each.holdServer();
        });
        const before = readFileSync(`${person.project}/src/pool.py`, "utf8");
        await shows(/class Pool/);
        press("C-c", "l");
        type(QUESTION);
        await shows(/the server is starting/);
        release();
        await shows(ANSWER);
        await shows(PREVIEW);
        await shows(/^ \d answers?/m);
        press("Enter");
        await shows(/mail\.go .* L[34]\b/);
        expect(screen()).not.toMatch(ANSWER);

        press("C-c", "l");
        type("open_connection");
        await shows(/open_connection src\/pool\.py:5/);
        press("C-g");
        await shows(/mail\.go .* L[34]\b/);
        expect(readFileSync(`${person.project}/src/pool.py`, "utf8")).toBe(before);
      },
      TIMEOUT_MS,
    );

    it(
      "finds a file that is indexed after the question, before indexing ends",
      async () => {
        let release = () => undefined as void;
        const { press, type, shows, screen } = opened((each) => {
          release = each.holdServer();
          writeCrates(each);
        });
        await shows(/class Pool/);
        press("C-c", "l");
        type("open_connection");
        await shows(/the server is starting/);
        release();
        await shows(/open_connection src\/pool\.py:5/);
        expect(screen()).toMatch(/indexing, \d+ of 15\d\d files/);
      },
      TIMEOUT_MS,
    );

    it.each([
      ["whose order follows", [], /print_receipt|archive_receipts/],
      ["whose order is left out if the user has moved", ["Down"], /SendReceipt/],
    ])(
      "shows its own order without waiting for the models, %s",
      async (_, keys, first) => {
        const { env, release, asked } = await heldModels();
        const { press, type, shows, screen } = opened(() => undefined, env, RECEIPTS);
        await shows(/class Pool/);
        press("C-c", "l");
        type(QUESTION);
        await shows(/^ \d answers\n[█▏▎▍▌▋▊▉ ]{4} SendReceipt /m);
        await until("the models", () => asked().length === ASKED_ONCE.length);
        press(...keys);
        release();
        await rested();
        const [row = ""] = /^[█▏▎▍▌▋▊▉ ]{4} \w+ \w+\/\w+\.\w+:\d+/m.exec(screen()) ?? [];
        expect(row).toMatch(first);
        expect(asked()).toEqual(ASKED_ONCE);
      },
      TIMEOUT_MS,
    );

    it(
      "says in the list that the program is missing",
      async () => {
        const { press, type, shows, screen } = opened((each) =>
          rmSync(each.at("bin/cocosearch-lsp")),
        );
        await shows(/class Pool/);
        press("C-c", "l");
        type("receipts");
        await shows(/cocosearch-lsp. is not on the PATH/);
        press("C-g");
        await until("the end of the list", () => !screen().includes("is not on the PATH"));
        expect(screen()).toMatch(/class Pool/);
      },
      TIMEOUT_MS,
    );
  },
);
