/** The lines of hits: their secrets are masked, also in files that are too large to be kept, and after they changed. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createLineReader } from "../../server/engine/hit-text.ts";
import { workspace } from "../support/workspace.ts";

const KEY = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
/** Two of these are more than what is kept. */
const FILLING = "words and words and words\n".repeat(200_000);
const WHOLE = { start: 0, end: 2 };

it("masks what is a secret now, whatever it read before", async () => {
  const root = workspace();
  const reader = createLineReader();
  const put = (name: string, head: string) => writeFileSync(join(root, name), head + FILLING);
  const read = async (name: string) =>
    (await reader.read(root, name, WHOLE, () => undefined))?.slice(0, 2);
  const stars = "*".repeat(KEY.length);
  put("a.txt", `first = "${KEY}"\nplain = 1\n`);
  put("b.txt", `plain = 2\nsecond = "${KEY}"\n`);
  for (let round = 0; round < 2; round++) {
    expect(await read("a.txt")).toEqual([`first = "${stars}"`, "plain = 1"]);
    expect(await read("b.txt")).toEqual(["plain = 2", `second = "${stars}"`]);
  }
  put("a.txt", `plain = 3\nfirst = "${KEY}"\n`);
  expect(await read("a.txt")).toEqual(["plain = 3", `first = "${stars}"`]);
  expect((await reader.readUnmasked(root, "a.txt", () => undefined))?.[1]).toContain(KEY);
});
