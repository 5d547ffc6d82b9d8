/** Emacs in a folder whose name has signs that mean something in a URI, beside text that is not Unicode. */

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { write } from "../support/workspace.ts";
import { blocks, desk, editorNamed, installEmacs, TIMEOUT_MS } from "./editor.ts";

const SCRIPT = resolve(import.meta.dirname, "emacs-names.el");
const emacs = editorNamed("emacs") ?? "";

const FILES = `
//- src/50% off?.go
package shop

func (s *Shop) run() {
	if s.isOpen {
		/* 😀😀 */ s.SettleInvoice()
	}
}

/* 😀😀 */ func (s *Shop) SettleInvoice() {
}

		func (s *Shop) CancelInvoice() {
		}
`;

describe.skipIf(emacs === "")(
  "Emacs in C# (COCOSEARCH_TEST_EDITORS names a folder with bin/emacs)",
  () => {
    it(
      "sends text that is not valid Unicode, and goes to the exact column",
      async () => {
        const person = desk();
        onTestFinished(() => person.clear());
        const project = person.at("c#/a%20b?");
        write(project, FILES);
        writeFileSync(`${project}/latin.txt`, Buffer.from("50 \xa4\xe4\n", "latin1"));
        execFileSync("git", ["init", "--quiet", project]);
        installEmacs(person);
        person.write(".emacs.d/init.el", blocks("emacs/README.md", "elisp")[0] ?? "");
        const load = ["--load", person.at(".emacs.d/init.el"), "--load", SCRIPT];
        const seen = await person.seenBy(emacs, [
          "--batch",
          "--quick",
          "--chdir",
          project,
          ...load,
        ]);
        expect(seen).toEqual({
          file: "src/50% off?.go",
          SettleInvoice: "SettleInvoice() {",
          CancelInvoice: "CancelInvoice() {",
          unsaved: "ready",
        });
      },
      TIMEOUT_MS,
    );
  },
);
