/**
 * Claims of the engine's lock that cross: another process takes it between a claimant's look and its own claim.
 * @module-tag slow
 */

import { linkSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";

const meanwhile = vi.hoisted(() => ({ run: (): void => undefined }));

/** The real one, before which something else happens. */
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const link: typeof linkSync = (...args) => {
    meanwhile.run();
    fs.linkSync(...args);
  };
  return { ...fs, linkSync: link };
});

it("steps back from a number that was free again, where another one is held by then", async () => {
  // Another test file of this process may have loaded it with the real one.
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

  // Seen is a dead 5, so that 6 is claimed; meanwhile others took 6, gave it back, and one took 1.
  meanwhile.run = () => {
    meanwhile.run = () => undefined;
    rmSync(join(folder, "5"));
    renameSync(other, join(folder, "1"));
  };
  expect(takeLock(folder)).toBeUndefined();
  expect(readdirSync(folder)).toEqual(["1"]);
  expect(isLocked(folder)).toBe(true);
});
