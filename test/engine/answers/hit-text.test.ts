/** The line reader masks secrets: in files too large for the cache, after changes, and in line ranges. */

import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLineReader } from "../../../server/engine/answers/hit-text.ts";
import { decode } from "../../../server/indexing/discovery/decode.ts";
import { maskSecrets } from "../../../server/indexing/secrets/redact.ts";
import { workspace } from "../../support/workspace.ts";

const KEY = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
/** Two of these exceed the cache. */
const FILLING = "words and words and words\n".repeat(200_000);
const WHOLE = { start: 0, end: 2 };

it("The reader masks the current secrets, independent of earlier reads", async () => {
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

it("The reader masks a key of several lines at its current place, after other reads", async () => {
  const root = workspace();
  const reader = createLineReader();
  const key = ["-----BEGIN PRIVATE KEY-----", "a1B2".repeat(12), "-----END PRIVATE KEY-----"];
  const write = (name: string, head: readonly string[]) =>
    writeFileSync(join(root, name), Buffer.from([...head, FILLING].join("\n")));
  // Only its middle, which alone does not look like a key.
  const read = (name: string, line: number) =>
    reader.read(root, name, { start: line, end: line }, () => undefined);
  write("a.txt", ["plain = 1", ...key, "tail"]);
  write("b.txt", ["größe = 1"]);
  const stars = ["*".repeat(48)];
  for (let round = 0; round < 2; round++) {
    expect(await read("a.txt", 2)).toEqual(stars);
    expect(await read("b.txt", 0)).toEqual(["größe = 1"]);
  }
  write("a.txt", ["plain = 1", "plain = 2", ...key, "tail"]);
  expect(await read("a.txt", 3)).toEqual(stars);
  write("a.txt", ["plain = 1", "plain = 2", "plain = 3", "tail"]);
  expect(await read("a.txt", 2)).toEqual(["plain = 3"]);
  writeFileSync(join(root, "b.txt"), Buffer.from("\uFEFFgröße = 2\n", "utf16le"));
  expect(await read("b.txt", 0)).toEqual(["größe = 2"]);
});

it("The reader returns nothing for a missing file, a folder, and a link out of the workspace", async () => {
  const [root, outside] = [workspace(), workspace()];
  writeFileSync(join(outside, "a.txt"), "text\n");
  symlinkSync(join(outside, "a.txt"), join(root, "link.txt"));
  symlinkSync(outside, join(root, "folder"));
  const reader = createLineReader();
  for (const path of ["gone.txt", "folder", "link.txt", "folder/a.txt"])
    expect(await reader.read(root, path, WHOLE, () => undefined)).toBeUndefined();
});

it("The reader shows the code cells of a notebook, saved and unsaved, with secrets masked", async () => {
  const root = workspace();
  const written = (source: readonly string[]) =>
    JSON.stringify({ cells: [{ cell_type: "code", source }], metadata: {} }, undefined, 1);
  const text = written([`key = "${KEY}"\n`, 'print("a\\tb")']);
  writeFileSync(join(root, "a.ipynb"), text);
  const lines = { start: 5, end: 6 };
  expect(text.split("\n")[5]).toContain("key = ");
  const reader = createLineReader();
  const stars = "*".repeat(KEY.length);
  expect(await reader.read(root, "a.ipynb", lines, () => undefined)).toEqual([
    `key = "${stars}"`,
    'print("a\\tb")',
  ]);
  expect(await reader.read(root, "a.ipynb", lines, () => written(["x = 1\n", "y = 2"]))).toEqual([
    "x = 1",
    "y = 2",
  ]);
  const broken = '{"cells": [\n';
  const whole = { start: 0, end: 1 };
  expect(await reader.read(root, "a.ipynb", whole, () => broken)).toEqual(['{"cells": [', ""]);
});

describe("A line range equals the masked lines of the whole text", () => {
  const LINES = [
    "def read(self):",
    "",
    `  token = "${KEY}"`,
    "password: h3nter2hunter2",
    "url = postgres://me:pa55word!9@db.internal/x",
    "größe = 1",
    "\uFEFFmarked",
    "tail",
  ];
  const KEY_LINES = ["-----BEGIN PRIVATE KEY-----", "a1B2".repeat(12), "-----END PRIVATE KEY-----"];
  const AWS = ["aws_secret_key =", `"${"a1B2c3D4e5".repeat(4)}"`];
  it.each<[string, string | Buffer]>([
    ["with newlines", `${LINES.join("\n")}\n`],
    ["without the last newline", LINES.join("\n")],
    ["of Windows", LINES.join("\r\n")],
    ["of an old Mac", LINES.join("\r")],
    ["with returns in lines", `${LINES.join("\n")}\rprogress\rmore\n`],
    ["with a byte order mark", `\uFEFF${LINES.join("\n")}`],
    ["in UTF-16", Buffer.from(`\uFEFF${LINES.join("\n")}`, "utf16le")],
    [
      "that are not valid",
      Buffer.concat([Buffer.from(LINES.join("\n")), Buffer.of(0xc3, 10, 0xff)]),
    ],
    ["with a key of several lines", [...LINES, ...KEY_LINES, ...LINES].join("\n")],
    [
      "with a long value in the same line",
      [...LINES, `aws_secret_key = "${"a1B2c3D4e5".repeat(4)}f6G7"`, ...LINES].join("\n"),
    ],
    ["with a value in the next line", [...LINES, ...AWS, ...LINES].join("\r\n")],
    ["with binary data", Buffer.concat([Buffer.of(0), Buffer.from(LINES.join("\n"))])],
    ["of an empty file", ""],
  ])("%s", async (_, content) => {
    const root = workspace();
    writeFileSync(join(root, "a.txt"), content);
    const whole = maskSecrets(decode(Buffer.from(content)) ?? "").split(/\r\n|\r|\n/);
    for (let start = 0; start <= whole.length + 1; start++) {
      const reader = createLineReader();
      for (let end = start; end <= whole.length + 1; end++) {
        const lines = await reader.read(root, "a.txt", { start, end }, () => undefined);
        expect(lines).toEqual(whole.slice(start, end + 1));
      }
    }
  });

  it.each([
    "aws_secret_access_key =",
    "AWS_SECRET_KEY:",
    '"awsSecretKey":',
    "AwsSecretAccessKey =",
    "secretAccessKey:",
    '"SecretAccessKey":',
    "SECRETACCESSKEY =",
  ])("A value on the line after %s is masked", async (name) => {
    const root = workspace();
    const value = "a1B2c3D4e5".repeat(4);
    writeFileSync(join(root, "a.txt"), [name, value, ""].join("\n"));
    const shown = await createLineReader().read(
      root,
      "a.txt",
      { start: 1, end: 1 },
      () => undefined,
    );
    expect(shown).toEqual(["*".repeat(value.length)]);
  });
});
