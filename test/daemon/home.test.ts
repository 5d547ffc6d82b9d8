/** The home folder of the engine is private to one user, and refuses entries of other users. */

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { checkSpace, homeOf, prepareHome } from "../../server/daemon/home.ts";
import { takeLock } from "../../server/daemon/lock.ts";
import { MAIN, testEngine } from "../support/engine.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { mountSmall, WHY_NOT_MOUNTED } from "../support/small-disk.ts";
import { workspace } from "../support/workspace.ts";

/** Only root can change the owner of a file. */
const WHY_NO_CHOWN =
  process.getuid?.() === 0 ? undefined : "skipped, because only root can change owners";

const modeOf = (path: string) => lstatSync(path).mode & 0o777;

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "cocosearch-home-"));
});
afterEach(() => rmSync(parent, { recursive: true }));

const home = () => homeOf({ COCOSEARCH_HOME: join(parent, "home") });

function refusal(): unknown {
  try {
    prepareHome(home());
  } catch (error) {
    return error;
  }
  return undefined;
}

describe.skipIf(WHY_NOT_MOUNTED !== undefined)(WHY_NOT_MOUNTED ?? "a home on a small disk", () => {
  it("prepareHome reports a read-only disk with a remedy", () => {
    const disk = mountSmall(home().root, "1m");
    try {
      prepareHome(home());
      disk.makeReadOnly();
      expect(refusal()).toBeInstanceOf(Unavailable);
      expect(String(refusal())).toContain("make it writable or set COCOSEARCH_HOME");
    } finally {
      disk.unmount();
    }
  });

  it("checkSpace reports a full disk, and takeLock leaves no partial lock there", () => {
    const disk = mountSmall(home().root, "1m");
    try {
      prepareHome(home());
      expect(() => checkSpace(home())).not.toThrow();
      expect(() => writeFileSync(join(disk.path, "fill"), Buffer.alloc(2_000_000))).toThrow(
        "ENOSPC",
      );
      expect(() => checkSpace(home())).toThrow(/cannot be written to \(ENOSPC/);
      expect(() => takeLock(home().lock)).toThrow("ENOSPC");
      expect(readdirSync(home().lock)).toEqual([]);
    } finally {
      disk.unmount();
    }
  });
});

it.runIf(process.platform === "linux")(
  "A home in /proc is refused, and the command does not hang",
  { tags: ["slow"] },
  () => {
    // A call that never returns can only be ended from another process.
    const { stderr, status } = spawnSync(process.execPath, [MAIN, "list"], {
      env: { ...process.env, COCOSEARCH_HOME: "/proc/none/here" },
      encoding: "utf8",
      timeout: 20_000,
      killSignal: "SIGKILL",
    });
    expect(stderr).toBe(
      "error: /proc/none/here cannot be used for the index\nmake it writable or set COCOSEARCH_HOME\n",
    );
    expect(status).toBe(3);
  },
);

describe.skipIf(process.platform === "win32")("prepareHome", () => {
  it("creates folders that only their owner can open", () => {
    prepareHome(home());
    expect([modeOf(home().root), modeOf(home().lock)]).toEqual([0o700, 0o700]);
  });

  it.each([0o777, 0o770, 0o755, 0o701])("closes a folder with mode %o to others", (mode) => {
    mkdirSync(home().root);
    chmodSync(home().root, mode);
    prepareHome(home());
    expect(modeOf(home().root)).toBe(0o700);
  });

  it("refuses a symbolic link and a file", () => {
    symlinkSync(parent, home().root);
    expect(String(refusal())).toContain(
      "is not a folder that you own: remove it or set COCOSEARCH_HOME",
    );
    rmSync(home().root);
    writeFileSync(home().root, "");
    expect(refusal()).toBeInstanceOf(Unavailable);
  });

  it.skipIf(WHY_NO_CHOWN !== undefined)("refuses a folder of another user", () => {
    mkdirSync(home().root, { mode: 0o700 });
    chownSync(home().root, 65_534, 65_534);
    expect(String(refusal())).toContain("is not a folder that you own");
  });

  it.skipIf(WHY_NO_CHOWN !== undefined)("refuses a folder with a socket of another user", () => {
    mkdirSync(home().root);
    chmodSync(home().root, 0o777);
    writeFileSync(home().socket, "");
    chownSync(home().socket, 65_534, 65_534);
    expect(String(refusal())).toContain("engine.sock is owned by another user");
    expect(modeOf(home().root)).toBe(0o777);
  });

  it("keeps all files of an engine private that runs without a umask", {
    tags: ["slow"],
  }, async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const engine = testEngine({}, { isNew: true });
    const session = engine.session();
    await session.openFolders([workspace(SMALL_SHOP)]);
    await session.whenIdle();
    const { root, socket, log, data, lock } = engine.home;
    expect(modeOf(root)).toBe(0o700);
    expect([modeOf(socket), modeOf(log)]).toEqual([0o600, 0o600]);
    expect([modeOf(data), modeOf(lock)]).toEqual([0o700, 0o700]);
    const open = readdirSync(root).filter((name) => (modeOf(join(root, name)) & 0o077) !== 0);
    expect(open).toEqual([]);
    await engine.dispose();
  });
});
