/** The pure parts of the command line: which folder, which lines, which progress. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProgress } from "../../server/cli/progress.ts";
import { findRoot, shownPath } from "../../server/cli/root.ts";
import { askedWords, snippetOf } from "../../server/cli/snippet.ts";
import { duration, printable, size, table } from "../../server/cli/text.ts";
import { HIT } from "./run.ts";

describe("the root", () => {
  let folder = "";
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-root-")));
    for (const path of ["shop/.git", "shop/src/deep", "home/.git", "home/papers"]) {
      mkdirSync(join(folder, path), { recursive: true });
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function check(cwd: string, named: string | undefined, expected: string): void {
    expect(findRoot(join(folder, cwd), named, join(folder, "home"))).toBe(join(folder, expected));
  }

  it("is the nearest project around the current folder", () =>
    check("shop/src/deep", undefined, "shop"));
  it("is the current folder where there is no project", () => check("", undefined, ""));
  it("is what was named", () => check("shop/src", "../src/deep", "shop/src/deep"));
  it("is never a home folder because that is a repository", () =>
    check("home/papers", undefined, "home/papers"));
});

describe("a path", () => {
  const shown = (cwd: string) => shownPath(cwd, "/shop", "src/a.ts");
  it("is short inside the project", () => expect(shown("/shop")).toBe("src/a.ts"));
  it("goes up inside the project", () => expect(shown("/shop/test")).toBe("../src/a.ts"));
  it("is short above the project", () => expect(shown("/")).toBe("shop/src/a.ts"));
  it("is whole elsewhere", () => expect(shown("/other")).toBe("/shop/src/a.ts"));
});

describe("a snippet", () => {
  const { symbol: _, ...unnamed } = HIT;

  function check(text: string, query: string, most: number, expected: string[]): void {
    const lines = snippetOf({ ...unnamed, text }, askedWords(query), most);
    expect(lines.map((line) => line.text)).toEqual(expected);
  }

  it("is where the words of the question are", () =>
    check("a\nb\nopen pool\nc", "open the pool", 1, ["open pool"]));
  it("begins at the start where no line says more", () => check("a\nb\nc", "pool", 2, ["a", "b"]));
  it("knows other endings", () => check("a\nopened\nb", "where does it open", 1, ["opened"]));
  it("is not led by common words", () => check("b\nthe and for", "the and for", 1, ["b"]));
  it("leaves out blank lines at its ends", () => check("\n\na\n\nb\n\n", "x", 9, ["a", "", "b"]));
  it("is empty where there is no text", () => check("", "x", 5, []));
  it("holds the line of the name that was found", () => {
    const text = "/** Docs. */\nfunction openPool() {\n  a;\n  pool;\n}";
    const numbers = (query: string) =>
      snippetOf({ ...HIT, text }, askedWords(query), 2).map(({ number }) => number);
    expect(numbers("a pool")).toEqual([11, 12]);
    expect(numbers("zebra")).toEqual([11, 12]);
    expect(numbers("docs")).toEqual([10, 11]);
  });
  it("numbers its lines as editors do", () => {
    const [first] = snippetOf({ ...HIT, text: "\na" }, askedWords("x"), 5);
    expect(first?.number).toBe(HIT.contextRange.start + 2);
  });
});

describe("text", () => {
  it("keeps every script and no control character", () =>
    expect(printable("naïve 漢字 🙂\t\r\u0007")).toBe("naïve 漢字 🙂    ··"));
  it("rounds sizes and times for people", () => {
    expect([999, 12_300, 4_560_000, 7_890_000_000].map(size)).toEqual([
      "999 B",
      "12 kB",
      "4.6 MB",
      "7.9 GB",
    ]);
    expect([12.3, 1_234, 90_000].map(duration)).toEqual(["12 ms", "1.2 s", "1.5 min"]);
  });
  it("aligns numbers to the right and words to the left", () =>
    expect(
      table([
        ["a", 1],
        ["bb", 22],
      ]),
    ).toBe("a    1\nbb  22"));
});

describe("progress", () => {
  function shown(isTTY: boolean, atMs: readonly number[]): string {
    let now = 0;
    const chunks: string[] = [];
    const write = (chunk: unknown, _: unknown, done: () => void) => {
      chunks.push(String(chunk));
      done();
    };
    const stream = Object.assign(new Writable({ write }), { isTTY });
    const progress = createProgress(stream, () => now);
    for (const ms of atMs) {
      now = ms;
      progress.onEvent({
        kind: "progress",
        root: "/",
        phase: "report",
        indexed: ms / 100,
        total: 120,
        ...(ms > 5_000 ? { leftMs: 12_000 - ms } : {}),
      });
    }
    progress.stop();
    return chunks.join("");
  }

  it("is silent when it is soon over", () => {
    expect(shown(true, [0, 200])).toBe("");
    expect(shown(false, [0, 200])).toBe("");
  });
  it("is a bar on a terminal, which is gone at the end", () => {
    const text = shown(true, [0, 400]);
    expect(text).toContain("4 of 120");
    expect(text.lastIndexOf("\u001b[?25h")).toBeGreaterThan(text.lastIndexOf("\u001b[?25l"));
  });
  it("is a line now and then elsewhere", () =>
    expect(shown(false, [0, 4_900, 5_000, 5_100, 10_000])).toBe(
      "indexing: 50 of 120 files\nindexing: 100 of 120 files, a few seconds left\n",
    ));
});
