/** VS Code with our extension: questions wait for the server, answers are shown below the list, and Escape leads back. */

import { readFileSync, rmSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { isRunning, until } from "../support/lsp-client.ts";
import { desk, QUESTION, SERVER, TIMEOUT_MS, writeCrates } from "./editor.ts";
import { ASKED_ONCE, heldModels, RECEIPTS, rested } from "./held-models.ts";
import { hasWorkbench, openWorkbench } from "./workbench.ts";

const TITLE = ".quick-input-title";
const STATUS = ".statusbar-item";
const NOTE = ".notification-list-item-message";
const TAB = ".tab.active";
const ACTIVE = ".quick-input-list .monaco-list-row.focused";

/** Long enough to be several answers. */
const LEASE = ["take", "hold"]
  .map((verb) => {
    const steps = Array.from({ length: 60 }, (_, n) => `    pool.${verb}(${n}, "step ${n} of it")`);
    return `def ${verb}_lease(pool):\n${steps.join("\n")}\n`;
  })
  .join("\n\n");

const ANSWER = /^SendReceipt ?src\/mail\.go:[34] [■□]{4} /;

const OLD_NODE = 'echo "cocosearch-lsp needs Node.js 20.19 or later" >&2; exit 1';

/** Ends with the first message half read: the end of the connection is then noticed before anything fails. */
const ENDS_LATE = 'read -r line; echo "cocosearch-lsp has no room" >&2; exit 1';

describe.skipIf(!hasWorkbench)(
  "VS Code (COCOSEARCH_TEST_VSCODE names a folder with code-server and playwright-core, and there is chromium)",
  () => {
    it(
      "keeps the question until the server has started, previews, goes there, and back",
      async () => {
        const person = desk();
        const release = person.holdServer();
        const { command, type, press, shows, showsFirst, hasKeys, notifications, open } =
          await openWorkbench(person, onTestFinished);
        await command("cocosearch: Ask");
        await shows(TITLE, /Find code/);
        await type(QUESTION);
        await shows(TITLE, /the server is starting/);
        release();
        await showsFirst(ANSWER);
        await shows(TITLE, /Find code · \d answers?/);
        await shows(TAB, /mail ?\.go/);
        await press("Enter");
        await hasKeys(/SendReceipt/);
        await shows(STATUS, /Ln [34], Col \d+/);
        // A setting of the extension is none of the server's.
        expect((await notifications()).join()).not.toContain("unknown");

        await open("src/pool.py");
        await command("cocosearch: Ask");
        await shows(TITLE, /Find code/);
        await type(QUESTION);
        await shows(TAB, /mail ?\.go/);
        await press("Escape");
        await shows(TAB, /pool ?\.py/);
      },
      TIMEOUT_MS,
    );

    it(
      "keeps the selected row when the list is refreshed at the end of a pass",
      async () => {
        const person = desk();
        const release = person.holdServer();
        writeCrates(person);
        person.write("shop/src/lease.py", LEASE);
        const { command, type, press, rows, shows, showsFirst, open } = await openWorkbench(
          person,
          onTestFinished,
        );
        // An open file is indexed first.
        await open("src/lease.py");
        await command("cocosearch: Ask");
        await shows(TITLE, /Find code/);
        await type("lease");
        release();
        await showsFirst(/_lease/);
        await shows(TITLE, /indexing/);
        await press("ArrowDown");
        const [, second = ""] = await rows();
        expect(second).toMatch(/lease\.py:\d+ /);
        const place = new RegExp(/lease\.py:\d+ /.exec(second)?.[0] ?? "");
        await shows(ACTIVE, place);
        await shows(TITLE, /answers$/);
        await shows(ACTIVE, place);
      },
      TIMEOUT_MS,
    );

    it.each([
      ["whose order follows", [], /mail ?\.go/, /print_receipt|archive_receipts/],
      [
        "whose order is left out if the user has moved",
        ["ArrowDown"],
        /archive ?\.py/,
        /SendReceipt/,
      ],
    ])(
      "shows its own order without waiting for the models, %s",
      async (_, keys, previewed, first) => {
        const { env, release, asked } = await heldModels();
        const { command, type, press, shows, showsFirst } = await openWorkbench(
          desk(env, RECEIPTS),
          onTestFinished,
        );
        await command("cocosearch: Ask");
        await shows(TITLE, /Find code/);
        await type(QUESTION);
        await showsFirst(/^SendReceipt/);
        await until("the models", () => asked().length === ASKED_ONCE.length);
        for (const key of keys) await press(key);
        await shows(TAB, previewed);
        release();
        await rested();
        await showsFirst(first);
        expect(asked()).toEqual(ASKED_ONCE);
      },
      TIMEOUT_MS,
    );

    it(
      "shows every place of a text, and of a pattern, in a peek view",
      async () => {
        const { command, type, press, shows, open, notifications } = await openWorkbench(
          desk(),
          onTestFinished,
        );
        await open("src/pool.py");
        for (const sought of ["open_connection", "/open_\\w+/"]) {
          await command("cocosearch: Find All Occurrences");
          await shows(".quick-input-widget", /Find all occurrences/);
          await type(sought);
          await press("Enter");
          await shows(".peekview-title", /pool\.py/);
          await press("Escape");
        }
        expect((await notifications()).join()).not.toContain("nothing found");
      },
      TIMEOUT_MS,
    );

    it(
      "reports that the program is missing, with a remedy",
      async () => {
        const person = desk();
        rmSync(person.at("bin/cocosearch-lsp"));
        const { notifications, shows } = await openWorkbench(person, onTestFinished);
        const program = person.at("bin/cocosearch-lsp");
        const remedy = "install it, or name its path in the setting cocosearch.program";
        await shows(NOTE, /cannot be started/);
        expect(await notifications()).toEqual([
          `cocosearch: ${program} cannot be started: ${remedy}`,
        ]);
      },
      TIMEOUT_MS,
    );

    it(
      "shows why the server is missing, and asks again once it runs",
      async () => {
        const person = desk();
        person.replaceServer(OLD_NODE);
        const { command, type, press, rows, shows, showsFirst, hasKeys, notifications } =
          await openWorkbench(person, onTestFinished);
        await command("cocosearch: Ask");
        await shows(TITLE, /Find code/);
        await type(QUESTION);
        await showsFirst(/the server ended: cocosearch-lsp needs Node\.js 20\.19 or later/);
        expect(await notifications()).toEqual([
          "cocosearch: the server ended: cocosearch-lsp needs Node.js 20.19 or later",
        ]);

        person.replaceServer(ENDS_LATE);
        await press("Enter");
        await showsFirst(/the server ended: cocosearch-lsp has no room/);

        person.replaceServer(`echo $$ >> "${person.at("pids")}"; ${SERVER}`);
        await press("Enter");
        await showsFirst(ANSWER);
        await press("Enter");
        await hasKeys(/SendReceipt/);
        await shows(TAB, /mail ?\.go/);

        const pid = Number(readFileSync(person.at("pids"), "utf8").trim().split("\n").at(-1));
        process.kill(pid, "SIGKILL");
        await until("the end of the server", () => !isRunning(pid));
        await command("cocosearch: Ask");
        await shows(TITLE, /Find code/);
        await type("open_connection");
        await showsFirst(/open_connection ?src\/pool\.py/);
        expect(await rows()).toContainEqual(expect.stringContaining("open_connection"));
      },
      TIMEOUT_MS,
    );
  },
);
