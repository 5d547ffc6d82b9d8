/** A project and a home for tests of `agent setup`. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { workspace, write } from "../support/workspace.ts";
import { run, type Setting } from "./run-cli.ts";

/** A project and a home, whose files can be read as one literal. */
export function person(literal = "") {
  const top = workspace("//- project/cocosearch.yaml\n//- home/.keep\n");
  const [root, home] = [join(top, "project"), join(top, "home")];
  write(top, literal);
  const setup = async (args: string, setting: Setting = {}) => {
    const { code, out, err } = await run(["agent", "setup", ...args.split(" ")], {
      cwd: root,
      env: { HOME: home },
      ...setting,
    });
    return { code, out, err: err.replaceAll(top, "") };
  };
  const at = (name: string) => join(top, name);
  return {
    root,
    at,
    setup,
    read: (name: string) => readFileSync(at(name), "utf8"),
    list: () => filesIn(top),
  };
}

/** Paths with contents, permissions and kinds, so that a changed byte is seen. */
function filesIn(top: string): Record<string, string> {
  const names = readdirSync(top, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    names.toSorted().flatMap((name) => {
      const path = join(top, name);
      if (!existsSync(path)) return [[name, "leads nowhere"]];
      const { mode } = statSync(path);
      if (!statSync(path).isFile()) return [];
      return [[name, `${(mode & 0o777).toString(8)} ${readFileSync(path, "base64")}`]];
    }),
  );
}
