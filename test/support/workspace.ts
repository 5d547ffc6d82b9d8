/** Workspaces written as one literal: each `//- path` begins a file. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Writes the files into a folder that is deleted after the test; the folder's real path. */
export function workspace(literal = ""): string {
  const { root, remove } = temporaryWorkspace(literal);
  onTestFinished(remove);
  return root;
}

/** For several tests: the caller removes it. */
export function temporaryWorkspace(literal = ""): { root: string; remove: () => void } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-work-")));
  write(root, literal);
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export function write(root: string, literal: string): void {
  for (const part of literal.split(/^\/\/- /m).slice(1)) {
    const end = part.indexOf("\n");
    const file = join(root, part.slice(0, end).trim());
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, part.slice(end + 1));
  }
}
