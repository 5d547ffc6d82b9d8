/**
 * Files, folders and lists of git that the user may not read: each command says so, and none fails as a bug.
 * @module-tag slow
 */

import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { homeOf } from "../../server/daemon/home.ts";
import { isLocked } from "../../server/daemon/lock.ts";
import { MAIN } from "../support/engine.ts";
import { eventually } from "../support/eventually.ts";
import { commitAll, initRepository } from "../support/git.ts";
import { write } from "../support/workspace.ts";

/** root can read every file, so the program runs as another user. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const AS_USER = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

const WHY_NOT =
  process.platform === "win32" ||
  spawnSync(process.execPath, [MAIN, "--version"], AS_USER).status !== 0
    ? "skipped, because no user without rights can run the program"
    : undefined;

describe.skipIf(WHY_NOT !== undefined)(WHY_NOT ?? "files without read permission", () => {
  let home: string;
  let root: string;

  function coco(...args: readonly string[]): [code: number | null, said: string] {
    const env = { ...process.env, COCOSEARCH_HOME: home, COCOSEARCH_ENGINE_IDLE_SECONDS: "1" };
    const options = { ...AS_USER, cwd: root, env, encoding: "utf8", timeout: 60_000 } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], options);
    return [status, `${stdout}${stderr}`.replaceAll(root, "")];
  }

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), "cocosearch-home-"));
    root = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-closed-")));
    write(
      root,
      "//- main.py\ndef run():\n    return 1\n//- closed.py\nx = 1\n//- lib/a.py\ny = 1\n",
    );
    initRepository(root);
    commitAll(root, "Begin");
    chmodSync(root, 0o755);
    if (isRoot) chownSync(home, NOBODY, NOBODY);
    for (const path of ["closed.py", "lib", ".git/index"]) chmodSync(join(root, path), 0);
  });

  afterAll(async () => {
    for (const path of ["closed.py", "lib", ".git/index"]) chmodSync(join(root, path), 0o755);
    const { lock } = homeOf({ COCOSEARCH_HOME: home });
    await eventually(() => {
      if (isLocked(lock)) throw new Error("the engine did not leave");
    });
    for (const folder of [home, root]) rmSync(folder, { recursive: true });
  });

  it("are excluded with the reason EACCES", () => {
    expect(coco("status", "--why", "lib/a.py")).toEqual([
      1,
      'lib/a.py is excluded: unreadable folder "lib"\n',
    ]);
  });

  it("are named by `explain` with the error", () => {
    const [code, said] = coco("explain", "closed.py:1");
    expect([code, said]).toEqual([
      2,
      "error: closed.py cannot be read: EACCES: permission denied, open '/closed.py'\n",
    ]);
  });

  it("are read from the commit if they are git's list of rules", () => {
    expect(coco("impact", "--diff")[0]).not.toBe(70);
  });
});
