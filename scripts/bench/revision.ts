/** Builds another revision of this project in a scratch folder, so that it can be measured beside this one. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
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

/** With the dependencies that are installed here, or its own where its lock file names others. */
export function buildRevision(revision: string): Revision {
  const git = (...args: string[]) => execFileSync("git", ["-C", PROJECT, ...args]);
  const name = git("rev-parse", "--short", `${revision}^{commit}`).toString().trim();
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-revision-"));
  const remove = () => rmSync(folder, { recursive: true });
  try {
    const archive = join(folder, "revision.tar");
    git("archive", "--output", archive, name);
    execFileSync("tar", ["-xf", archive, "-C", folder]);
    const npm = (...args: string[]) =>
      execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    const [own, others] = [PROJECT, folder].map((at) =>
      readFileSync(join(at, "package-lock.json")),
    );
    if (own?.equals(others ?? Buffer.of())) {
      symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
    } else {
      npm("ci");
    }
    npm("run", "-s", "build");
    return { name, program: join(folder, "dist/main.js"), remove };
  } catch (error) {
    remove();
    throw error;
  }
}
