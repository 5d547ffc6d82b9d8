/**
 * Neovim's picker in front of a server that is slow, missing, broken or dead: no question and no key is lost.
 * @module-tag slow
 */

import { readFileSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isRunning, until } from "../support/lsp-client.ts";
import {
  type Desk,
  desk,
  editorNamed,
  QUESTION,
  SERVER,
  TIMEOUT_MS,
  writeCrates,
} from "./editor.ts";
import { neovimScreen } from "./neovim-screen.ts";
import { hasTmux } from "./terminal.ts";

const PACKAGE = "data/nvim/site/pack/cocosearch/start/cocosearch";
const START = "src/pool.py";

/** In the list: a bar for the score, the name, the place. */
const ANSWER = /│[█▏▎▍▌▋▊▉ ]+SendReceipt src\/mail\.go:[34]/;

const OLD_NODE = 'echo "cocosearch-lsp needs Node.js 20.19 or later" >&2; exit 1';

/** In the quickfix list. */
const LISTED = /src\/mail\.go\|[34] col \d+\|/;

const nvim = editorNamed("nvim") ?? "";

async function opened(prepare: (person: Desk) => void) {
  const person = desk();
  person.install("neovim", PACKAGE);
  prepare(person);
  const before = readFileSync(`${person.project}/${START}`, "utf8");
  const neovim = await neovimScreen(person, nvim, START);
  /** The typed text is in no file and in no file's buffer. */
  const checkNothingTyped = () => {
    expect(readFileSync(`${person.project}/${START}`, "utf8")).toBe(before);
  };
  return { ...neovim, person, checkNothingTyped };
}

describe.skipIf(nvim === "" || !hasTmux)(
  "Neovim that waits (COCOSEARCH_TEST_EDITORS names a folder with bin/nvim, and there is tmux)",
  () => {
    it.each([0, 10_000])(
      "keeps a question typed while the server takes %i ms to start",
      async (ms) => {
        const { press, type, shows, checkNothingTyped } = await opened((person) =>
          person.slowDown(ms),
        );
        await shows(/class Pool/);
        type(":CocoSearchPick");
        press("Enter");
        // Users type before the picker appears.
        type(QUESTION);
        await shows(ANSWER);
        await shows(new RegExp(QUESTION));
        press("Enter");
        await shows(/src\/mail\.go +[34],\d/);
        checkNothingTyped();
        type(":buffer 1");
        press("Enter");
        await shows(/class Pool/);
        type(":echo 'modified:' &modified");
        press("Enter");
        await shows(/modified: 0/);
      },
      TIMEOUT_MS,
    );

    it(
      "finds in a picker a file that is indexed after the question, before indexing ends",
      async () => {
        let release = () => undefined as void;
        const { press, type, shows, screen } = await opened((person) => {
          release = person.holdServer();
          writeCrates(person);
        });
        await shows(/class Pool/);
        type(":CocoSearchPick open_connection");
        press("Enter");
        await shows(/the server is starting/);
        release();
        await shows(/open_connection +src\/pool\.py/);
        expect(screen()).toMatch(/indexing, \d+ of 15\d\d files/);
      },
      TIMEOUT_MS,
    );

    it(
      "answers :CocoSearch that is asked while the server starts",
      async () => {
        const { press, type, shows, screen } = await opened((person) => person.slowDown(3_000));
        await shows(/class Pool/);
        type(`:CocoSearch ${QUESTION}`);
        press("Enter");
        await shows(LISTED);
        expect(screen()).toMatch(LISTED);
      },
      TIMEOUT_MS,
    );

    it.each([
      ["is missing", "", /cocosearch-lsp. is not on the PATH/],
      ["needs a newer Node", OLD_NODE, /the server ended: cocosearch-lsp needs Node/],
    ])(
      "says in the picker that the program %s, and takes the keys",
      async (_, script, said) => {
        const { press, type, shows, checkNothingTyped } = await opened((person) => {
          if (script === "") rmSync(person.at("bin/cocosearch-lsp"));
          else person.replaceServer(script);
        });
        await shows(/class Pool/);
        type(":CocoSearchPick");
        press("Enter");
        type("dddd");
        await shows(said);
        press("Escape");
        await shows(/class Pool/);
        checkNothingTyped();
      },
      TIMEOUT_MS,
    );

    it(
      "restarts a server that died, and answers the next question",
      async () => {
        const { press, type, shows, person } = await opened((each) => {
          each.replaceServer(`echo $$ >> "${each.at("pids")}"; ${SERVER}`);
        });
        await shows(/class Pool/);
        type(`:CocoSearch ${QUESTION}`);
        press("Enter");
        await shows(LISTED);
        const [pid] = readFileSync(person.at("pids"), "utf8").split("\n");
        process.kill(Number(pid), "SIGKILL");
        await until("the end of the server", () => !isRunning(Number(pid)));
        type(":CocoSearchPick SendReceipt");
        press("Enter");
        await shows(ANSWER);
        expect(readFileSync(person.at("pids"), "utf8").trim().split("\n")).toHaveLength(2);
      },
      TIMEOUT_MS,
    );
  },
);
