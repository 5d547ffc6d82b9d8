/** The lines of a file that is known by its chunks only. */

import { expect, it } from "vitest";
import {
  createPublishedReader,
  linesOfTexts,
} from "../../../server/engine/answers/published-text.ts";

const FILE = "import a\n\n\n  def grüße():\n    return 1\n\nend\n";

/** The chunks of a file, by the parts of its text. */
function chunksOf(file: string, ...parts: string[]) {
  return parts.map((text) => {
    const at = file.indexOf(text);
    const start = Buffer.byteLength(file.slice(0, at));
    const line = file.slice(0, at).split("\n").length - 1;
    return { start, end: start + Buffer.byteLength(text), line, text };
  });
}

it("has the lines of the file, also between and before chunks that begin in a line", () => {
  const lines = linesOfTexts(chunksOf(FILE, "import a", "def grüße():\n    return 1", "end"));
  expect(lines).toEqual(["import a", "", "", "  def grüße():", "    return 1", "", "end"]);
});

it("has no lines where the file is gone", async () => {
  expect(linesOfTexts([])).toEqual([]);
  const lines = { start: 0, end: 1 };
  expect(await createPublishedReader().read("1", "a.py", lines, async () => [])).toBe(undefined);
});

it("does not repeat lines of overlapping chunks", () => {
  const overlapping = chunksOf(FILE, "import a", "def grüße():\n    return 1", "return 1\n\nend");
  expect(linesOfTexts(overlapping).slice(3)).toEqual(["  def grüße():", "    return 1", "", "end"]);
});

it("shows neither secrets nor control characters", () => {
  const key = "ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z0A";
  const text = `token = "${key}"\r\n\u001b[2J\u202eevil`;
  const [first, second] = linesOfTexts([{ start: 0, end: 99, line: 0, text }]);
  expect(first).toMatch(/^token = "\*+"$/);
  expect(second).toBe("·[2J·evil");
});

it("limits the memory that wrong rows can take", () => {
  const far = [{ start: 2 ** 30, end: 2 ** 30 + 1, line: 2 ** 30, text: "x" }];
  expect(linesOfTexts(far).length).toBeLessThan(600_000);
});

it("reads a file once, also for questions at the same time, and again in another state", async () => {
  const reader = createPublishedReader();
  let reads = 0;
  const texts = async () => {
    reads++;
    return chunksOf(FILE, "import a");
  };
  const read = (state: string) => reader.read(state, "a.rb", { start: 0, end: 0 }, texts);
  expect(await Promise.all([read("1"), read("1")])).toEqual([["import a"], ["import a"]]);
  expect(await read("1")).toEqual(["import a"]);
  expect(reads).toBe(1);
  await read("2");
  expect(reads).toBe(2);
});
