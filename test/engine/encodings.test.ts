/**
 * Files in other encodings than UTF-8 in the real engine: searches, shown lines, guesses, and declared encodings.
 * @module-tag slow
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Session } from "../../server/contracts/session.ts";
import { encode } from "../support/encode.ts";
import { engineInProcess, openedIn } from "../support/engine-in-process.ts";
import { workspace } from "../support/workspace.ts";

const engine = engineInProcess();
afterAll(() => engine.dispose());

const sourceOf = (comment: string, name: string) =>
  `/* ${comment} */\nint ${name}(int n) { return n; }\n`;

function put(root: string, path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), bytes);
}

/** The first hit, with its first line as shown. */
async function first(session: Session, query: string): Promise<string> {
  const { hits } = await session.search({ query, includeText: true });
  return hits[0] === undefined ? "nothing" : `${hits[0].path} ${hits[0].text?.split("\n")[0]}`;
}

it("A search finds and shows comments in other encodings, and `status` counts the guesses", async () => {
  const root = workspace("//- plain.c\nint plain(void);\n");
  put(root, "a.c", encode(sourceOf("表の行の合計を計算する", "sum_a"), "shift_jis"));
  put(root, "b.c", encode(sourceOf("вычисляет", "sum_b"), "windows-1251"));
  put(root, "c/c.c", encode(sourceOf("计算表格中所有行的总和", "sum_c"), "gbk"));
  put(root, "c/.editorconfig", Buffer.from("[*.c]\ncharset = gbk\n"));
  const session = await openedIn(engine, root);
  expect(await first(session, "合計を計算する")).toBe("a.c /* 表の行の合計を計算する */");
  expect(await first(session, "вычисляет")).toBe("b.c /* вычисляет */");
  expect(await first(session, "所有行的总和")).toBe("c/c.c /* 计算表格中所有行的总和 */");
  expect(await first(session, "sum_b")).toBe("b.c /* вычисляет */");
  const { indexes } = await session.status();
  expect(indexes[0]?.guessedEncodings).toEqual({ shift_jis: 1, "windows-1251": 1 });
  expect(await session.why(join(root, "c/c.c"))).toContain("; read as gbk");
});

it("A file is read again when another charset is declared for it, and when the declaration is removed", async () => {
  const root = workspace("//- docs/.editorconfig\n[*]\ncharset = koi8-r\n");
  const bytes = encode(sourceOf("вычисляет", "sum_b"), "windows-1251");
  put(root, "src/b.c", bytes);
  put(root, "docs/b.c", bytes);
  const session = await openedIn(engine, root);
  const guesses = async () => (await session.status()).indexes[0]?.guessedEncodings;
  expect(await guesses()).toEqual({ "windows-1251": 1 });
  const declare = async (text: string) => {
    put(root, ".editorconfig", Buffer.from(text));
    await session.filesChanged([join(root, ".editorconfig")]);
    await session.whenIdle();
    return await session.why(join(root, "src/b.c"));
  };
  expect(await declare("[src/*.c]\ncharset = iso-8859-5\n")).toContain("read as iso-8859-5");
  expect(await guesses()).toEqual({});
  expect(await declare("# nothing\n")).toContain("read as windows-1251");
  expect(await session.why(join(root, "docs/b.c"))).toContain("read as koi8-r");
});
