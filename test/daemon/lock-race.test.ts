/** A race for the engine's lock: another process takes it after a claimant read the folder and before it links its file. */

import fs, { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isLocked, takeLock } from "../../server/daemon/lock.ts";
import { replaceFunction } from "../support/replace-function.ts";

it("takeLock gives up its number if another process holds the lock by then", () => {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-lock-race-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const held = takeLock(folder);
  const other = join(folder, "other");
  renameSync(join(folder, "1"), other);
  expect(held).toBeDefined();
  writeFileSync(join(folder, "5"), "{}");

  // The claimant sees a dead holder at 5 and claims 6. Meanwhile other processes took and released 6, and one holds 1.
  let meanwhile = () => {
    meanwhile = () => undefined;
    rmSync(join(folder, "5"));
    renameSync(other, join(folder, "1"));
  };
  replaceFunction(fs, "linkSync", (link) => (...args) => {
    meanwhile();
    link(...args);
  });
  expect(takeLock(folder)).toBeUndefined();
  expect(readdirSync(folder)).toEqual(["1"]);
  expect(isLocked(folder)).toBe(true);
});
