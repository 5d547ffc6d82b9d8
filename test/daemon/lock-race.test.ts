/**
 * A race for the engine's lock: another process takes it after a claimant read the folder and before it links its file.
 * @module-tag slow
 */

import { linkSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";

const meanwhile = vi.hoisted(() => ({ run: (): void => undefined }));

/** The real `linkSync`, with a hook before each call. */
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const link: typeof linkSync = (...args) => {
    meanwhile.run();
    fs.linkSync(...args);
  };
  return { ...fs, linkSync: link };
});

it("takeLock gives up its number if another process holds the lock by then", async () => {
  // Another test file of this process may have loaded the module with the real `linkSync`.
  vi.resetModules();
  onTestFinished(() => void vi.resetModules());
  const { isLocked, takeLock } = await import("../../server/daemon/lock.ts");
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-lock-race-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const held = takeLock(folder);
  const other = join(folder, "other");
  renameSync(join(folder, "1"), other);
  expect(held).toBeDefined();
  writeFileSync(join(folder, "5"), "{}");

  // The claimant sees a dead holder at 5 and claims 6. Meanwhile other processes took and released 6, and one holds 1.
  meanwhile.run = () => {
    meanwhile.run = () => undefined;
    rmSync(join(folder, "5"));
    renameSync(other, join(folder, "1"));
  };
  expect(takeLock(folder)).toBeUndefined();
  expect(readdirSync(folder)).toEqual(["1"]);
  expect(isLocked(folder)).toBe(true);
});
