/** The usage text of a script, from a constant or from its first comment. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");

function run(script: string, ...args: string[]) {
  const node = ["--import", "tsx", join("scripts", `${script}.ts`), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, node, { cwd: ROOT });
  return { status, out: String(stdout), err: String(stderr) };
}

it.each(["evaluate-typos", "soak"])(
  "%s prints its usage, and rejects unknown options",
  (script) => {
    const asked = run(script, "--help");
    expect([asked.status, asked.err]).toEqual([0, ""]);
    expect(asked.out).toMatch(new RegExp(`^usage: .*npm run (-s )?${script} -- `));
    expect(asked.out).not.toContain("*");
    const mistaken = run(script, "--hlep");
    expect(mistaken).toMatchObject({ status: 2, out: "" });
    expect(mistaken.err).toMatch(/^Unknown option '--hlep'/);
    expect(mistaken.err.endsWith(`\n\n${asked.out}`)).toBe(true);
  },
);
