/** Emacs with the README's lines: our command beside other servers, and the server in eglot. */

import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchResponse } from "../../server/lsp/search.ts";
import {
  blocks,
  type Desk,
  desk,
  editorNamed,
  installEmacs,
  QUESTION,
  TIMEOUT_MS,
} from "./editor.ts";

interface Place {
  readonly file: string;
  readonly line: number;
  /** The heading that xref shows above it. */
  readonly group: string;
  readonly text: string;
}
/** The output of emacs.el. */
interface Seen {
  readonly abandoned: readonly number[];
  readonly command: Place;
  readonly title: string;
  readonly status: string;
  readonly unsaved: Place;
  readonly reverted: Place;
  readonly reindex: string;
  readonly apropos: Place;
  readonly answer: SearchResponse;
  readonly children: readonly number[];
}

const ANSWER = { file: "src/mail.go", line: 4 };
const SCRIPT = resolve(import.meta.dirname, "emacs.el");

const emacs = editorNamed("emacs");

describe.skipIf(emacs === undefined)(
  "Emacs (COCOSEARCH_TEST_EDITORS names a folder with bin/emacs)",
  () => {
    let person: Desk;
    let seen: Seen;

    beforeAll(async () => {
      person = desk();
      installEmacs(person);
      person.write(".emacs.d/init.el", blocks("emacs/README.md", "elisp").slice(0, 2).join("\n"));
      const init = person.at(".emacs.d/init.el");
      const args = ["--batch", "--quick", "--load", init, "--load", SCRIPT];
      seen = await person.seenBy(emacs ?? "", args, { COCOSEARCH_TEST_QUESTION: QUESTION });
    }, TIMEOUT_MS);

    afterAll(() => person.clear(), TIMEOUT_MS);

    it("continues the start of a server after the user quit waiting", () => {
      expect(seen.abandoned).toHaveLength(1);
      expect(seen.children).toEqual(expect.arrayContaining([...seen.abandoned]));
    });

    it("shows the question above the list", () => {
      expect(seen.title).toMatch(new RegExp(`^ ${QUESTION} {2}\\(\\d answers\\)$`));
    });

    it("finds it with the command cocosearch", () => {
      const group = expect.stringMatching(/^ 1\. [01]\.\d\d {2}src\/mail\.go$/);
      const text = expect.stringContaining("func SendReceipt(order Order) error");
      expect(seen.command).toEqual({ ...ANSWER, group, text });
    });

    it("shows the state of the index, and rebuilds it", () => {
      expect(seen.status).toMatch(/^cocosearch: (?:ready|indexing), \d+ of \d+ files$/);
      expect(seen.reindex).toBe("cocosearch: indexing changed files");
    });

    it("finds unsaved text beside eglot in the same buffer, until the buffer is killed", () => {
      expect(seen.unsaved).toMatchObject({
        file: "src/pool.py",
        text: expect.stringContaining("borrow_lawnmower"),
      });
      expect(seen.reverted.text).not.toContain("borrow_lawnmower");
    });

    it.each(["cocosearch", "cocosearch-live", "cocosearch-graph", "cocosearch-past"])(
      "compiles without warnings, and passes checkdoc: %s",
      async (name) => {
        const source = person.at(`.emacs.d/lisp/${name}.el`);
        const folder = person.at(".emacs.d/lisp");
        const check = `(progn (setq byte-compile-error-on-warn t)
          (add-to-list 'load-path ${JSON.stringify(folder)})
          (unless (byte-compile-file ${JSON.stringify(source)}) (kill-emacs 1))
          (require 'checkdoc)
          (let ((sentence-end-double-space nil) found)
            (cl-letf (((symbol-function 'warn) (lambda (&rest said) (push said found))))
              (checkdoc-file ${JSON.stringify(source)}))
            (when found (message "%S" found) (kill-emacs 1))))`;
        const run = person.run(emacs ?? "", ["--batch", "--quick", "--eval", check], {});
        await expect(run).resolves.toBeDefined();
      },
      TIMEOUT_MS,
    );

    it("finds it with eglot and xref-find-apropos", () => {
      const text = expect.stringContaining("SendReceipt");
      expect(seen.apropos).toMatchObject({ ...ANSWER, text });
    });

    it("sends a request of our extension through eglot", () => {
      expect(seen.answer.hits[0]?.symbol?.name).toBe("SendReceipt");
    });

    it(
      "leaves nothing running",
      async () => {
        expect(seen.children.length).toBeGreaterThan(1);
        await person.left(seen.children);
      },
      TIMEOUT_MS,
    );
  },
);
