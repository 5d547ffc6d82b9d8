/** A small file system of its own, to be filled; only an administrator can mount one. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  readonly path: string;
  /** Makes the disk read-only. */
  makeReadOnly(): void;
  unmount(): void;
}

export function mountSmall(path: string, size: string): SmallDisk {
  mkdirSync(path, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path], { stdio: "pipe" });
  return {
    path,
    makeReadOnly: () => {
      execFileSync("mount", ["-o", "remount,ro", path], { stdio: "pipe" });
    },
    unmount: () => void execFileSync("umount", [path], { stdio: "pipe" }),
  };
}

/** From then on nothing new can be made in the folder, also by who has it open; returns what undoes it. */
export function coverReadOnly(path: string): () => void {
  execFileSync("mount", ["--bind", path, path], { stdio: "pipe" });
  execFileSync("mount", ["-o", "remount,ro,bind", path], { stdio: "pipe" });
  return () => void execFileSync("umount", [path], { stdio: "pipe" });
}

/** Tried once: whether it can be done depends on more than who runs the tests. */
export const WHY_NOT_MOUNTED = tryMounting();

function tryMounting(): string | undefined {
  const path = mkdtempSync(join(tmpdir(), "cocosearch-mount-"));
  try {
    mountSmall(path, "1m").unmount();
    return undefined;
  } catch (error) {
    return `a full disk (no file system can be mounted here: ${String(error).split("\n", 1)[0]})`;
  } finally {
    rmSync(path, { recursive: true });
  }
}
