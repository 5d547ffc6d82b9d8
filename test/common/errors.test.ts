/** System calls that may fail. */

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { trySystemCall, trySystemCallSync } from "../../server/common/errors.ts";

const missing = "/nonexistent/file";
const fail = () => {
  throw new Error("a bug");
};

it("`trySystemCall` returns undefined for a failed call, and throws other errors", async () => {
  expect(await trySystemCall(() => readFile(missing))).toBeUndefined();
  expect(await trySystemCall(async () => 7)).toBe(7);
  await expect(trySystemCall(async () => fail())).rejects.toThrow("a bug");
});

it("`trySystemCallSync` returns undefined for a failed call, and throws other errors", () => {
  expect(trySystemCallSync(() => readFileSync(missing))).toBeUndefined();
  expect(trySystemCallSync(() => 7)).toBe(7);
  expect(() => trySystemCallSync(fail)).toThrow("a bug");
});
