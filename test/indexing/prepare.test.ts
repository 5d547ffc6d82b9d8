/** Preparing one file: from bytes to chunks, or to the rule that excludes it. */

import { describe, expect, it } from "vitest";
import { decodeFacts } from "../../server/contracts/encoded-facts.ts";
import type { CutFile } from "../../server/contracts/model.ts";
import { NO_FACTS, unpackFacts } from "../../server/contracts/packed-facts.ts";
import { type Prepared, prepareFile } from "../../server/indexing/prepare.ts";
import { createLanguages } from "../../server/languages/languages.ts";

const languages = createLanguages();

function prepare(
  content: string | Uint8Array,
  path = "src/app.py",
  unparsed?: string,
  declaredEncoding?: () => string | undefined,
): Promise<Prepared> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const record = { path, sha256: "00", size: bytes.length, mtimeMs: 1 };
  const reason = {
    ...(unparsed === undefined ? {} : { unparsed }),
    ...(declaredEncoding === undefined ? {} : { declaredEncoding }),
  };
  return prepareFile(
    bytes,
    { ...record, chunkSize: 1000, chunkOverlap: 300, ...reason },
    languages,
  );
}

async function file(
  content: string | Uint8Array,
  path?: string,
  unparsed?: string,
  declaredEncoding?: () => string | undefined,
): Promise<CutFile> {
  const prepared = await prepare(content, path, unparsed, declaredEncoding);
  if (prepared.kind !== "prepared") throw new Error(`left out: ${prepared.rule}`);
  return prepared.file;
}

async function checkExcluded(
  content: string | Uint8Array,
  path: string,
  rule: string,
): Promise<void> {
  expect(await prepare(content, path)).toEqual({ kind: "excluded", rule });
}

const checkIndexed = async (content: string | Uint8Array, path: string) =>
  expect((await prepare(content, path)).kind).toBe("prepared");

it.each([
  ["a lone return", "# 10%\r# 20%\r# 30%\n\ndef run(): pass\n"],
  ["returns only", "# 10%\r# 20%\r# 30%\r\rdef run(): pass\r"],
  ["a return before both", "# 10%\r\r\n# 20%\r\r\ndef run(): pass\r\r\n"],
])("Lines that end with %s are counted as in editors", async (_, text) => {
  const { chunks, facts } = await file(text);
  const decoded = decodeFacts(unpackFacts(facts ?? NO_FACTS));
  expect(decoded?.definitions).toMatchObject([{ name: "run", line: 4 }]);
  expect(chunks.flatMap(({ symbols }) => symbols)).toMatchObject([{ name: "run", nameLine: 4 }]);
  expect(text.slice(0, chunks.at(-1)?.span.end)).toMatch(/pass$/);
});

it("A prepared file has its metadata", async () => {
  const { chunks, facts, ...record } = await file("def run(): pass\n", "tests/test_app.py");
  const decoded = decodeFacts(unpackFacts(facts ?? NO_FACTS));
  expect(decoded?.definitions).toMatchObject([{ kind: "function", name: "run" }]);
  expect(record).toEqual({
    path: "tests/test_app.py",
    sha256: "00",
    size: 16,
    mtimeMs: 1,
    languageId: "python",
    category: "test",
    parse: { status: "ok" },
    secrets: 0,
  });
  expect(chunks.map(({ symbols }) => symbols[0]?.name)).toEqual(["run"]);
});

it("A file that must not be parsed is cut by patterns", async () => {
  const { chunks, parse } = await file("def run(): pass\n", "a.py", "the parser hung");
  expect(parse).toEqual({ status: "error", message: "the parser hung" });
  expect(chunks[0]?.symbols[0]?.name).toBe("run");
});

describe("encodings", () => {
  const text = "name = 'é漢🎉'\n";
  const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");

  it("UTF-16 is recognized by its byte order mark", async () => {
    for (const bytes of [utf16, Buffer.from(utf16).swap16()]) {
      expect((await file(bytes)).chunks[0]?.text).toBe(text.trim());
    }
  });
  it("The byte order mark of UTF-8 is dropped, and spans begin after it", async () => {
    const [chunk] = (await file(`\ufeff${text}`)).chunks;
    expect(chunk?.text).toBe(text.trim());
    expect(chunk?.span).toEqual({ start: 0, end: Buffer.byteLength(text.trim()) });
  });
  it("Invalid sequences of a UTF-8 file are replaced", async () => {
    const damaged = Buffer.concat([
      Buffer.from("# Größe "),
      Buffer.of(0xe9),
      Buffer.from("\nsize = 1\n"),
    ]);
    expect((await file(damaged)).chunks[0]?.text).toBe("# Größe \ufffd\nsize = 1");
  });
  it("The declared encoding is used, and spans are in UTF-8 bytes", async () => {
    const latin1 = Buffer.from("# Gr\u00f6\u00dfe\nsize = 1\n", "latin1");
    const { chunks, encoding } = await file(latin1, undefined, undefined, () => "windows-1252");
    expect(chunks[0]).toMatchObject({ text: "# Größe\nsize = 1", span: { start: 0, end: 18 } });
    expect(encoding).toEqual({ name: "windows-1252", isGuess: false });
  });
  it("An empty file is indexed without chunks", async () =>
    expect((await file("")).chunks).toEqual([]));
});

describe("excluded:", () => {
  it("a file with a zero byte", () => checkExcluded(Buffer.from([65, 0, 66]), "a.py", "binary"));
  it("a file full of control characters", () =>
    checkExcluded(Buffer.from([1, 2, 3, 4, 65, 66]), "a.txt", "binary"));
  it("minified code", () =>
    checkExcluded(`/* License */\n${"a=b+c;".repeat(500)}`, "app.js", "minified"));
  it.each([
    ["// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n", "a.go"],
    ["/**\n * @generated by a tool\n */\n", "a.ts"],
    ["# This file was automatically generated; do not edit.\n", "a.py"],
    ["/*\n * Please do not edit this file.\n * It was generated using rpcgen.\n */\n", "a.h"],
    [
      "% Generated by roxygen2: do not edit by hand\n% Please edit documentation in R/a.R\n",
      "a.Rd",
    ],
    ["/* DO NOT EDIT; created from: syscalls.master */\n", "a.h"],
    ["# Autogenerated, do not change\n", "a.py"],
  ])("a generated file: %j", (text, path) => checkExcluded(text, path, "generated (header)"));
});

describe("not excluded:", () => {
  it.each([
    [
      "# Standalone file: do not edit by hand\n# Source: <https://a.example/check.R>\nf <- 1\n",
      "a.R",
    ],
    [
      "# Standalone file: do not edit by hand\n# Generated by: tools::use_standalone()\nf <- 1\n",
      "a.R",
    ],
    ["// Vendored copy of another project, do not modify; generated code is in gen/\n", "a.c"],
    ["//===--- Nodes.def ---===//\n//       Do not edit! See README.txt.\n", "a.def"],
    ["# DO NOT EDIT EXCEPT WHERE INDICATED\nname: build\n", "a.yml"],
    ["# do not edit\ngenerated = True\n", "a.py"],
  ])("a file that only forbids editing: %j", (text, path) => checkIndexed(text, path));
  it("one long line of data", () => checkIndexed(`[${"1234567890,".repeat(500)}0]`, "data.json"));
  it("one long line among many", () =>
    checkIndexed(`const icon = "${"a".repeat(4000)}";\n${"use(icon);\n".repeat(400)}`, "icon.js"));
  it("a file that mentions generated files", () =>
    checkIndexed('const header = "// Code generated by me. DO NOT EDIT.";\n', "generator.ts"));
  it("terminal output with colors", () => checkIndexed("\u001b[31mred\u001b[0m\n", "log.txt"));
});

describe("secrets", () => {
  const filler = (name: string) => `def ${name}():\n${"    work(1, 2, 3)\n".repeat(50)}\n\n`;
  // Concatenated, so that secret scanners do not report this file.
  const frame = (side: string) => `-----${side} RSA PRIVATE KEY-----`;
  const body = `${"Ab1/".repeat(16)}\n`.repeat(50);

  it("A long key drops all of its chunks and no other chunk", async () => {
    const key = `KEY = """\n${frame("BEGIN")}\n${body}${frame("END")}\n"""\n\n\n`;
    const { chunks, secrets } = await file(filler("one") + key + filler("two"));
    expect(secrets).toBeGreaterThan(2);
    expect(chunks.some(({ text }) => /PRIVATE KEY|Ab1/.test(text))).toBe(false);
    expect(chunks.flatMap(({ symbols }) => symbols.map(({ name }) => name))).toEqual([
      "one",
      "two",
    ]);
  });
  it("A secret is detected across the cut of a long line", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const { chunks, secrets } = await file(
      `${"x".repeat(980)}-${token}-${"y".repeat(3000)}`,
      "data.txt",
    );
    expect(secrets).toBe(2);
    expect(chunks.some(({ text }) => /a1B2/.test(text))).toBe(false);
  });
  it("A text like the first line of a key is not a secret", async () => {
    const { secrets } = await file(`if (text.startsWith("${frame("BEGIN")}")) return;\n`, "a.js");
    expect(secrets).toBe(0);
  });
});
