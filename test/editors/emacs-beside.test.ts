/** Emacs with another language server in the same buffer: beside our own connection, and both behind rass. */

import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Found } from "../../server/lsp/search.ts";
import type { AnyStatus } from "../../server/lsp/status.ts";
import { OTHER_COMMAND, OTHER_HOVER, OTHER_PLACE } from "../support/other-places.ts";
import { blocks, client, type Desk, desk, editorNamed, PATIENCE_MS, QUESTION } from "./editor.ts";

interface Place {
  readonly file: string;
  readonly line: number;
}
/** What emacs-beside.el writes. */
interface Seen {
  readonly problem?: string;
  readonly command: Place;
  readonly apropos?: Place;
  readonly answer?: Found;
  readonly status?: AnyStatus;
  readonly other: Place;
  readonly other_command: string;
  readonly hover: string;
  readonly children: readonly number[];
}

const ANSWER = { file: "src/mail.go", line: 4 };
const SCRIPT = resolve(import.meta.dirname, "emacs-beside.el");
const EGLOT_ALONE = `(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(python-mode . ("ty" "server"))))`;

const emacs = editorNamed("emacs") ?? "";

/** The program rass of https://pypi.org/project/rassumfrassum. */
const rass = process.env["COCOSEARCH_TEST_RASS"] ?? "";

async function look(person: Desk, init: string, extra: NodeJS.ProcessEnv = {}): Promise<Seen> {
  // The server for Python that our README takes as its example.
  person.installOther("ty");
  person.write(".emacs.d/lisp/cocosearch.el", client("emacs/cocosearch.el"));
  person.write(".emacs.d/init.el", init);
  const file = person.at("seen.json");
  const load = ["--load", person.at(".emacs.d/init.el"), "--load", SCRIPT];
  await person.run(emacs, ["--batch", "--quick", ...load], {
    ...extra,
    COCOSEARCH_TEST_QUESTION: QUESTION,
    COCOSEARCH_TEST_SEEN: file,
  });
  const seen = JSON.parse(readFileSync(file, "utf8")) as Seen;
  if (seen.problem !== undefined) throw new Error(seen.problem);
  return seen;
}

function checkOther({ other, other_command, hover }: Seen): void {
  expect(other).toMatchObject(OTHER_PLACE);
  expect(other_command).toBe(OTHER_COMMAND);
  expect(hover).toBe(OTHER_HOVER);
}

describe.skipIf(emacs === "")(
  "Emacs beside another server (COCOSEARCH_TEST_EDITORS names a folder with bin/emacs)",
  () => {
    const [ours = "", , behindRass = ""] = blocks("emacs/README.md", "elisp");

    it(
      "answers by its own connection while eglot answers by the other server",
      async () => {
        const person = desk();
        onTestFinished(() => person.clear());
        const seen = await look(person, `${ours}\n${EGLOT_ALONE}`);
        expect(seen.command).toMatchObject(ANSWER);
        checkOther(seen);
        await person.left(seen.children);
      },
      PATIENCE_MS,
    );

    it.skipIf(!existsSync(rass))(
      "answers behind rass in each way (COCOSEARCH_TEST_RASS names the program)",
      async () => {
        const person = desk();
        onTestFinished(() => person.clear());
        const preset = client("emacs/rass-cocosearch.py");
        person.write("config/rassumfrassum/cocosearch.py", preset);
        const seen = await look(person, `${ours}\n${behindRass}`, {
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
      PATIENCE_MS,
    );
  },
);
