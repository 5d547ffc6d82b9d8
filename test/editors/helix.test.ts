/** Helix in a terminal, configured by our command: typed keys and the resulting screen. */

import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { until } from "../support/lsp-client.ts";
import { OTHER_HOVER } from "../support/other-places.ts";
import { type Desk, desk, editorNamed, editorsNamed, QUESTION, TIMEOUT_MS } from "./editor.ts";
import { hasTmux, terminal } from "./terminal.ts";

/** Helix asks 100 ms after the last key, and only once; the server answers within 900 ms, with nothing while it starts. */
const ANSWERED_MS = 1_500;

const FIRST_IN_PICKER = /^│ > function +SendReceipt +src\/mail\.go:4 /m;
const FIRST_IN_LIST = /^ *1\. SendReceipt - src\/mail\.go:4/m;
/** The status line where the answer is open: the file, and the cursor's line and column. */
const AT_ANSWER = /src\/mail\.go .* 4:6\s*$/m;

/** A server of the user's own, whose answers must still come. */
const OTHER = `
[language-server.other]
command = "other-server"

[[language]]
name = "python"
language-servers = ["other"]
`;
/** Helix lists the answers of several servers in order of arrival. */
const OTHER_IN_PICKER = /^│ [ >] class +OtherPool +src\/pool\.py/m;
const OTHER_CHOSEN = /^│ > class +OtherPool +src\/pool\.py/m;

const hx = editorNamed("hx");

/** Configures Helix as the README of clients/helix says. */
async function configure(person: Desk, program: string, ...languages: string[]): Promise<void> {
  const args = ["helix-config", "--write", "--hx", program, ...languages];
  await person.run(person.at("bin/cocosearch-lsp"), args);
}

describe.skipIf(hx === undefined || !hasTmux)(
  "Helix (COCOSEARCH_TEST_EDITORS names a folder with bin/hx, and there is tmux)",
  () => {
    it(
      "lists the answer first and goes there, from the picker and by a command, beside another server",
      async () => {
        const person = desk();
        onTestFinished(() => person.clear());
        person.installOther("other-server");
        person.write("config/helix/languages.toml", OTHER);
        await configure(person, hx ?? "");
        const { press, type, shows, screen, hasEnded, close } = terminal(person, [
          hx ?? "",
          "src/pool.py",
        ]);
        onTestFinished(() => close());

        await shows(/class Pool/);
        await until("the answer in the picker", async () => {
          press("Space", "S");
          type(QUESTION);
          await delay(ANSWERED_MS);
          if (FIRST_IN_PICKER.test(screen())) return true;
          press("Escape");
          return false;
        });
        press("Enter");
        await shows(AT_ANSWER);

        type(":open src/pool.py");
        press("Enter");
        await shows(/src\/pool\.py .* 1:1\s*$/m);
        type(`:lsp-workspace-command cocosearch.search "${QUESTION}"`);
        press("Enter");
        await shows(FIRST_IN_LIST);
        press("Enter");
        await shows(AT_ANSWER);

        type(":open src/pool.py");
        press("Enter");
        await shows(/src\/pool\.py .* 1:1\s*$/m);
        type(':lsp-workspace-command cocosearch.searchLines "src/mail.go" 3 4');
        press("Enter");
        const listed = /1\. SendReceipt - src\/mail\.go/;
        await shows(listed);
        press("Escape");
        // Together with the next key it would be Alt.
        await until("the end of the list", () => !listed.test(screen()));
        type(':lsp-workspace-command cocosearch.context "SendReceipt"');
        press("Enter");
        await shows(/context\.md/);
        await shows(/^ .*## src\/mail\.go:1-6/m);

        type(":open src/pool.py");
        press("Enter");
        await shows(/src\/pool\.py .* 1:1\s*$/m);
        press("Space", "k");
        await shows(new RegExp(OTHER_HOVER));
        // Together with the next key it would be Alt.
        press("Escape");
        await until("the end of the hover", () => !screen().includes(OTHER_HOVER));
        press("Space", "S");
        type("otherpool");
        await shows(OTHER_IN_PICKER);
        if (!OTHER_CHOSEN.test(screen())) press("Down");
        await shows(OTHER_CHOSEN);
        press("Enter");
        await shows(/src\/pool\.py .* 5:1\s*$/m);

        type(":quit-all");
        press("Enter");
        await until("the end of Helix", hasEnded);
        await person.left([]);
        expect(hasEnded()).toBe(true);
      },
      TIMEOUT_MS,
    );
  },
);

const OWN = `
[[language]]
name = "python"
language-servers = [{ name = "pylsp", except-features = ["format"] }]
`;

/** Helix 25.01 says the command, later ones the name. */
const OURS = expect.stringMatching(/^cocosearch(-lsp)?$/) as string;

const versions = editorsNamed("hx");

describe.skipIf(versions.length === 0).each(versions.length === 0 ? ["none"] : versions)(
  "the list of servers (COCOSEARCH_TEST_EDITORS names a folder with bin/hx): %s",
  (program) => {
    let person: Desk;
    beforeEach(() => {
      person = desk();
    });
    afterEach(() => person.clear(), TIMEOUT_MS);

    /** The output of Helix about a language, before the lines about other things. */
    const servers = async (language: string) => {
      const said = stripVTControlCharacters(await person.run(program, ["--health", language]));
      const [list = ""] = said.split("Configured debug adapter");
      return [...list.matchAll(/^ {2}\S ([^:\n]+):/gm)].map(([, name]) => name);
    };

    it.each(["python", "go", "haskell", "r", "typescript", "rst"])(
      "lists our server after the built-in ones: %s",
      async (language) => {
        const before = await servers(language);
        await configure(person, program, language);
        expect(await servers(language)).toEqual([...before, OURS]);
      },
      TIMEOUT_MS,
    );

    const whole = async () => {
      await configure(person, program);
      return readFileSync(person.at("config/helix/languages.toml"), "utf8");
    };

    it(
      "lists our server after the user's own choice",
      async () => {
        person.write("config/helix/languages.toml", OWN);
        await configure(person, program);
        expect(await servers("python")).toEqual(["pylsp", OURS]);
      },
      TIMEOUT_MS,
    );

    it(
      "stays unchanged when the command runs again",
      async () => {
        expect(await whole()).toBe(await whole());
      },
      TIMEOUT_MS,
    );
  },
);
