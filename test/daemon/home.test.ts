/** Data, socket and log belong to one user alone, whatever was there before and whatever others could have prepared. */

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

/** Only an administrator can give a file to somebody else. */
const WHY_NOT_GIVEN =
  process.getuid?.() === 0 ? undefined : "skipped, because nothing can be given to another user";

const modeOf = (path: string) => lstatSync(path).mode & 0o777;

let above: string;
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), "cocosearch-above-"));
});
afterEach(() => rmSync(above, { recursive: true }));

const home = () => homeOf({ COCOSEARCH_HOME: join(above, "home") });

function refusal(): unknown {
  try {
    prepareHome(home());
  } catch (error) {
    return error;
  }
  return undefined;
}

describe.skipIf(WHY_NOT_MOUNTED !== undefined)(WHY_NOT_MOUNTED ?? "a home on a disk", () => {
  it("that is read only is named, with what to do", () => {
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

  it("that is full is named, and no lock is taken or left half written", () => {
    const disk = mountSmall(home().root, "1m");
    try {
      prepareHome(home());
      expect(() => checkSpace(home())).not.toThrow();
      expect(() => writeFileSync(join(disk.path, "fill"), Buffer.alloc(2_000_000))).toThrow(
        "ENOSPC",
      );
      expect(() => checkSpace(home())).toThrow(/nothing can be written to .* \(ENOSPC/);
      expect(() => takeLock(home().lock)).toThrow("ENOSPC");
      expect(readdirSync(home().lock)).toEqual([]);
    } finally {
      disk.unmount();
    }
  });
});

it.runIf(process.platform === "linux")(
  "in a folder that takes no other is refused, and nothing waits for it",
  { tags: ["slow"] },
  () => {
    // What never returns can only be ended from another process.
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

describe.skipIf(process.platform === "win32")("a home", () => {
  it("is made for its user alone", () => {
    prepareHome(home());
    expect([modeOf(home().root), modeOf(home().lock)]).toEqual([0o700, 0o700]);
  });

  it.each([0o777, 0o770, 0o755, 0o701])("that was open to others (%o) is closed", (mode) => {
    mkdirSync(home().root);
    chmodSync(home().root, mode);
    prepareHome(home());
    expect(modeOf(home().root)).toBe(0o700);
  });

  it("that is a link, or a file, is refused", () => {
    symlinkSync(above, home().root);
    expect(String(refusal())).toContain(
      "is not a folder of yours: remove it or set COCOSEARCH_HOME",
    );
    rmSync(home().root);
    writeFileSync(home().root, "");
    expect(refusal()).toBeInstanceOf(Unavailable);
  });

  it.skipIf(WHY_NOT_GIVEN !== undefined)("that is somebody else's is refused", () => {
    mkdirSync(home().root, { mode: 0o700 });
    chownSync(home().root, 65_534, 65_534);
    expect(String(refusal())).toContain("is not a folder of yours");
  });

  it.skipIf(WHY_NOT_GIVEN !== undefined)(
    "into which somebody else has put a socket is refused",
    () => {
      mkdirSync(home().root);
      chmodSync(home().root, 0o777);
      writeFileSync(home().socket, "");
      chownSync(home().socket, 65_534, 65_534);
      expect(String(refusal())).toContain("engine.sock is not yours");
      expect(modeOf(home().root)).toBe(0o777);
    },
  );

  it("of an engine that ran without a mask is closed to others, all of it", {
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
