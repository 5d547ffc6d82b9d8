/** Emacs with another language server in the same buffer: beside our own connection, both behind rass, and both in lsp-mode. */

import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SearchResponse } from "../../server/lsp/search.ts";
import type { StatusResponse } from "../../server/lsp/status.ts";
import { OTHER_COMMAND, OTHER_HOVER, OTHER_PLACE } from "../support/other-places.ts";
import {
  blocks,
  client,
  type Desk,
  desk,
  editorNamed,
  hasEmacsPackages,
  installEmacs,
  QUESTION,
  TIMEOUT_MS,
  withEmacsPackages,
} from "./editor.ts";

interface Place {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}
/** The output of emacs-beside.el and emacs-lsp-mode.el. */
interface Seen {
  readonly problem?: string;
  readonly command: Place;
  readonly apropos?: Place;
  readonly answer?: SearchResponse;
  readonly status?: StatusResponse;
  readonly chosen?: Place;
  readonly unsaved?: Place;
  readonly other: Place;
  readonly other_command?: string;
  readonly hover: string;
  readonly children: readonly number[];
}

const ANSWER = { file: "src/mail.go", line: 4 };
const EGLOT_ALONE = `(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(python-mode . ("ty" "server"))))`;

const LSP_MODE = ["compat", "dash", "f", "ht", "lsp-mode", "lv", "markdown-mode", "s", "spinner"];

const emacs = editorNamed("emacs") ?? "";

/** The program rass of https://pypi.org/project/rassumfrassum. */
const rass = process.env["COCOSEARCH_TEST_RASS"] ?? "";

/** The result of the script, and the messages of Emacs meanwhile. */
async function look(
  person: Desk,
  init: string,
  script: string,
  extra: NodeJS.ProcessEnv = {},
): Promise<{ seen: Seen; said: string }> {
  // The server for Python that our README takes as its example.
  person.installOther("ty");
  installEmacs(person);
  person.write(".emacs.d/init.el", init);
  const file = person.at("seen.json");
  const scene = resolve(import.meta.dirname, script);
  const load = ["--load", person.at(".emacs.d/init.el"), "--load", scene];
  const said = await person.run(emacs, ["--batch", "--quick", ...load], {
    ...extra,
    COCOSEARCH_TEST_QUESTION: QUESTION,
    COCOSEARCH_TEST_SEEN: file,
  });
  const seen = JSON.parse(readFileSync(file, "utf8")) as Seen;
  if (seen.problem !== undefined) throw new Error(seen.problem);
  return { seen, said };
}

function checkOther({ other, other_command, hover }: Seen): void {
  expect(other).toMatchObject(OTHER_PLACE);
  expect(other_command).toBe(OTHER_COMMAND);
  expect(hover).toBe(OTHER_HOVER);
}

describe.skipIf(emacs === "")(
  "Emacs beside another server (COCOSEARCH_TEST_EDITORS names a folder with bin/emacs)",
  () => {
    const [ours = "", , behindRass = "", inLspMode = ""] = blocks("emacs/README.md", "elisp");

    it(
      "answers by its own connection while eglot answers by the other server",
      async () => {
        const person = desk();
        onTestFinished(() => person.clear());
        const init = `${ours}\n${EGLOT_ALONE}`;
        const { seen } = await look(person, init, "emacs-beside.el");
        expect(seen.command).toMatchObject(ANSWER);
        checkOther(seen);
        await person.left(seen.children);
      },
      TIMEOUT_MS,
    );

    it.skipIf(!existsSync(rass))(
      "answers behind rass in each way (COCOSEARCH_TEST_RASS names the program)",
      async () => {
        const person = desk();
        onTestFinished(() => person.clear());
        const preset = client("emacs/rass-cocosearch.py");
        person.write("config/rassumfrassum/cocosearch.py", preset);
        const init = `${ours}\n${behindRass}`;
        const { seen } = await look(person, init, "emacs-beside.el", {
          COCOSEARCH_TEST_THROUGH_EGLOT: "1",
          PATH: `${person.env["PATH"]}:${dirname(rass)}`,
        });
        expect(seen.command).toMatchObject(ANSWER);
        expect(seen.apropos).toMatchObject(ANSWER);
        expect(seen.answer?.hits[0]?.symbol?.name).toBe("SendReceipt");
        expect(seen.status?.state).toBe("ready");
        checkOther(seen);
        await person.left(seen.children);
      },
      TIMEOUT_MS,
    );

    it.skipIf(!hasEmacsPackages(LSP_MODE))(
      `answers in lsp-mode in each way (COCOSEARCH_TEST_EMACS_PACKAGES names a folder with ${LSP_MODE.join(", ")})`,
      async () => {
        const person = desk();
        onTestFinished(() => person.clear());
        const init = [withEmacsPackages(LSP_MODE), ours, inLspMode].join("\n");
        const { seen, said } = await look(person, init, "emacs-lsp-mode.el");
        expect(seen.command).toMatchObject(ANSWER);
        // The line is not compared: lsp-mode counts lines from zero here, for every server.
        expect(seen.apropos).toMatchObject({ file: ANSWER.file, text: "[Function] SendReceipt" });
        expect(seen.status?.state).toBe("ready");
        expect(seen.chosen).toEqual(ANSWER);
        expect(seen.other.file).toBe(OTHER_PLACE.file);
        expect(seen.hover).toBe(OTHER_HOVER);
        expect(seen.unsaved).toMatchObject({
          file: "src/pool.py",
          text: "[Function] borrow_lawnmower",
        });
        expect(said).not.toMatch(/unknown notification/i);
        await person.left(seen.children);
      },
      TIMEOUT_MS,
    );
  },
);
