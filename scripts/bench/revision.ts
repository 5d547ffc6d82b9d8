/** Builds another revision of this project in a scratch folder, so that it can be measured beside this one. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "../..");

export interface Revision {
  /** Its abbreviated hash. */
  readonly name: string;
  /** Its built program. */
  readonly program: string;
  remove(): void;
}

/** With the dependencies that are installed here: a revision that needs others fails to build. */
export function buildRevision(revision: string): Revision {
  const git = (...args: string[]) => execFileSync("git", ["-C", PROJECT, ...args]);
  const name = git("rev-parse", "--short", `${revision}^{commit}`).toString().trim();
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-revision-"));
  const remove = () => rmSync(folder, { recursive: true });
  try {
    const archive = join(folder, "revision.tar");
    git("archive", "--output", archive, name);
    execFileSync("tar", ["-xf", archive, "-C", folder]);
    symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
    execFileSync("npm", ["run", "-s", "build"], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
    return { name, program: join(folder, "dist/main.js"), remove };
  } catch (error) {
    remove();
    throw error;
  }
}
