/** Encoding detection: text that is not UTF-8 is decoded in its own encoding, or at worst as damaged UTF-8. */

import { describe, expect, it } from "vitest";
import { declaredEncoding } from "../../../server/indexing/discovery/declared-encoding.ts";
import { decode, decodeUnknown } from "../../../server/indexing/discovery/decode.ts";
import { encode, utf32 } from "../../support/encode.ts";

const nothing = () => undefined;

async function check(
  bytes: Uint8Array,
  expected: { text: string; encoding?: string; isGuess?: boolean } | undefined,
  declared: () => string | undefined = nothing,
): Promise<void> {
  const decoded = await decodeUnknown(bytes, declared);
  const { text, encoding } = decoded ?? {};
  expect(decoded && { text, encoding: encoding?.name, isGuess: encoding?.isGuess }).toEqual(
    expected && { encoding: undefined, isGuess: undefined, ...expected },
  );
  // How it is read again by one who knows how it was read.
  expect(decode(bytes, encoding?.name)).toBe(text);
}

const RUSSIAN = "вычисляет сумму всех строк таблицы";
const JAPANESE = "表の行の合計を計算する。空の行は飛ばす";
const SIMPLIFIED = "计算表格中所有行的总和，跳过空行";
const TRADITIONAL = "計算表格中所有行的總和，略過空白行";
const KOREAN = "표의 모든 행의 합계를 계산한다. 빈 행은 건너뛴다";

const code = (comment: string) =>
  `#include <rows.h>\n\n/* ${comment} */\nint sum_rows(const table *t) {\n  return t->"\\\\n";\n}\n`;

describe("A comment of one line is enough to guess", () => {
  it.each([
    ["shift_jis", JAPANESE],
    ["euc-jp", JAPANESE],
    ["gb18030", SIMPLIFIED],
    ["big5", TRADITIONAL],
    ["euc-kr", KOREAN],
    ["koi8-r", RUSSIAN],
    ["windows-1251", RUSSIAN],
    ["ibm866", RUSSIAN],
    ["windows-1253", "υπολογίζει το άθροισμα όλων των γραμμών"],
    ["windows-1252", "größe der übrigen Zeilen, für Änderungen übersprungen"],
  ])("%s", async (encoding, comment) => {
    const text = code(comment);
    await check(encode(text, encoding), { text, encoding, isGuess: true });
    const windows = text.replaceAll("\n", "\r\n");
    await check(encode(windows, encoding), { text: windows, encoding, isGuess: true });
  });

  it("windows-1251 by nine letters", async () => {
    const text = "/* вычисляет */\nint summa(int n) { return n; }\n";
    await check(encode(text, "windows-1251"), { text, encoding: "windows-1251", isGuess: true });
  });

  it("no encoding for a Western European name, which is decoded as Windows-1252", async () => {
    for (const name of ["René", "Jürgen Müller", "Sönke Ångström", "François"]) {
      const text = `# by ${name}\nsize = 1\n`;
      await check(encode(text, "windows-1252"), { text, encoding: "windows-1252", isGuess: true });
    }
  });
});

it("Quotes and dashes of Windows-1252 are decoded, unlike in Node", async () => {
  const bytes = Buffer.from("/* \x93na\xefve\x94 \x96 30 \x80 */\n", "latin1");
  const text = "/* “naïve” – 30 € */\n";
  await check(bytes, { text, encoding: "windows-1252", isGuess: true });
});

it("A comment at the end of a long file is used for the guess", async () => {
  const text = `${"int plain_name(void);\n".repeat(20_000)}${code(RUSSIAN)}`;
  await check(encode(text, "koi8-r"), { text, encoding: "koi8-r", isGuess: true });
});

it("A damaged UTF-8 file keeps its valid text", async () => {
  const bytes = Buffer.concat([Buffer.from(code(JAPANESE)), Buffer.from([0xe9, 0x0a, 0x41])]);
  await check(bytes, { text: `${code(JAPANESE)}\ufffd\nA`, encoding: "utf-8", isGuess: true });
});

it("A UTF-8 file with one line of another encoding keeps its valid text", async () => {
  const valid = `# ${RUSSIAN}\n`.repeat(3);
  const decoded = await decodeUnknown(
    Buffer.concat([Buffer.from(valid), encode(`# ${RUSSIAN}\n`, "windows-1251")]),
    nothing,
  );
  expect(decoded?.text).toContain(valid);
  expect(decoded?.encoding).toEqual({ name: "utf-8", isGuess: true });
});

it.each([
  ["Latin-1", Buffer.from("naïveCount = é1; übung{x} ÿ|y", "latin1")],
  ["any bytes", Buffer.from(Array.from({ length: 128 }, (_, i) => [0x80 + i, 0x41]).flat())],
])("%s keeps all lines, and its ASCII after a wrong guess", async (_, line) => {
  const bytes = Buffer.concat([Buffer.from("first()\n"), line, Buffer.from("\nlast()\n")]);
  const text = (await decodeUnknown(bytes, nothing))?.text ?? "";
  expect(text.split("\n")).toHaveLength(4);
  expect(text.replaceAll(/[^\0-\x7f]/g, "")).toBe(
    bytes.toString("latin1").replaceAll(/[^\0-\x7f]/g, ""),
  );
});

describe("The bytes alone determine", () => {
  const text = code(`${JAPANESE} 🎉`);
  const utf16 = Buffer.from(text, "utf16le");
  it("UTF-16 and UTF-32 with a byte order mark", async () => {
    const marked = Buffer.from(`\ufeff${text}`, "utf16le");
    await check(marked, { text });
    await check(Buffer.from(marked).swap16(), { text });
    await check(utf32(`\ufeff${text}`), { text });
    await check(utf32(`\ufeff${text}`).swap32(), { text });
  });
  it.each([
    ["utf-16le", utf16],
    ["utf-16be", Buffer.from(utf16).swap16()],
    ["utf-32le", utf32(text)],
    ["utf-32be", utf32(text).swap32()],
  ])("%s without a byte order mark", async (encoding, bytes) => {
    await check(bytes, { text, encoding, isGuess: true });
  });
  it("ISO-2022-JP", async () => {
    const escaped = encode("計算する", "euc-jp").map((byte) => byte - 0x80);
    const bytes = Buffer.concat([
      Buffer.from("/* \u001b$B"),
      escaped,
      Buffer.from("\u001b(B */\nint run;\n"),
    ]);
    await check(bytes, { text: "/* 計算する */\nint run;\n" });
  });
  it("a source with a stray zero byte", async () => {
    const stray = `${code("sums")}\0\n`;
    await check(Buffer.from(stray), { text: stray });
  });
});

describe("The bytes alone determine a binary file:", () => {
  it.each([
    ["numbers of 16 bits", Buffer.from(Int16Array.from({ length: 3000 }, (_, i) => i % 40).buffer)],
    ["numbers of 32 bits", Buffer.from(Int32Array.from({ length: 3000 }, (_, i) => i % 31).buffer)],
    ["three zero bytes and a line feed", Buffer.of(0, 0, 0, 10)],
    [
      "a tar archive",
      Buffer.concat([Buffer.from("a.txt"), Buffer.alloc(507), Buffer.from("text\n")]),
    ],
    ["a zero byte in text that is not UTF-8", Buffer.from("ab\0\xff".padEnd(400, "c"), "latin1")],
  ])("%s", (_, bytes) => check(bytes, undefined));
});

describe("A declared encoding takes precedence over a guess:", () => {
  // "Größe" in Windows-1252, and the same bytes in Cyrillic.
  const bytes = Buffer.from("name = 'Gr\xf6\xdfe'\n", "latin1");
  const declared = (files: Record<string, string>, path = "src/a.c", content: Uint8Array = bytes) =>
    declaredEncoding(path, content, (file) => files[file]);

  it.each(["constructor", "toString", "__proto__"])(
    "does not come from an attribute named %s",
    (name) =>
      expect(declared({ ".gitattributes": `*.c working-tree-encoding=${name}\n` })).toBeUndefined(),
  );

  it("the text is decoded in it", () =>
    check(
      bytes,
      { text: "name = 'GrцЯe'\n", encoding: "windows-1251", isGuess: false },
      () => "windows-1251",
    ));

  it.each<[string, Record<string, string>, string | undefined]>([
    [
      "a charset for all files",
      { ".editorconfig": "[*]\ncharset = windows-1251\n" },
      "windows-1251",
    ],
    [
      "for some",
      { ".editorconfig": "[*.{c,h}]\r\ncharset = Shift_JIS\r\n[*.txt]\r\ncharset=gbk\r\n" },
      "shift_jis",
    ],
    ["of others", { ".editorconfig": "[docs/**]\ncharset = gbk\n" }, undefined],
    [
      "in the nearest folder",
      { ".editorconfig": "[*]\ncharset = gbk\n", "src/.editorconfig": "[*.c]\ncharset = latin1\n" },
      "windows-1252",
    ],
    [
      "not above the top",
      { ".editorconfig": "[*]\ncharset = gbk\n", "src/.editorconfig": "root = true\n" },
      undefined,
    ],
    ["an attribute", { ".gitattributes": "*.c text working-tree-encoding=CP932\n" }, "shift_jis"],
    [
      "the charset before the attribute",
      { ".gitattributes": "*.c encoding=big5\n", ".editorconfig": "[*]\ncharset = koi8-r\n" },
      "koi8-r",
    ],
    ["nothing by UTF-8, which it is not", { ".editorconfig": "[*]\ncharset = utf-8\n" }, undefined],
    ["nothing by an unknown name", { ".editorconfig": "[*]\ncharset = klingon\n" }, undefined],
  ])("%s", (_, files, expected) => expect(declared(files)).toBe(expected));

  it.each([
    ["# -*- coding: euc-jp -*-\n", "euc-jp"],
    ["#!/usr/bin/env ruby\n# encoding: Windows-31J\n", "shift_jis"],
    ['<?xml version="1.0" encoding="KOI8-R"?>\n', "koi8-r"],
    ['<html>\n<head>\n<meta http-equiv="x" content="text/html; charset=Shift_JIS">\n', "shift_jis"],
    ["a\nb\n# coding: gbk\n", undefined],
  ])("%j", (head, expected) =>
    expect(declared({}, "a", Buffer.concat([Buffer.from(head), bytes]))).toBe(expected),
  );
});
