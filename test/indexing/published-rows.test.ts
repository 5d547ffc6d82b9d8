/** The rows of published files, from a database that answers, is late, or fails. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { silent } from "../../server/common/log.ts";
import { NO_FACTS } from "../../server/contracts/packed-facts.ts";
import type { PublishedFile, PublishedFiles } from "../../server/contracts/published-file.ts";
import { PublishedRows, type Take } from "../../server/indexing/published-rows.ts";
import { countFileTerms } from "../../server/search/lanes/count-file-terms.ts";
import { workspace, write } from "../support/workspace.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const PATHS = Array.from({ length: 500 }, (_, i) => `f${String(i).padStart(3, "0")}.py`);
const FILES = PATHS.map((path) => `//- ${path}\n${path}\n`).join("");

function rowsOf(path: string): PublishedFile {
  return {
    path,
    sha256: sha256(`${path}\n`),
    languageId: "python",
    category: "implementation",
    parse: { status: "ok" },
    secrets: 0,
    chunks: "[]",
    facts: NO_FACTS,
  };
}

const NO_TERMS = countFileTerms("", []);

/** A thread that finds sound rows. */
const takeAll: Take = async (files) =>
  files.map(() => ({
    kind: "taken",
    found: { size: 9, mtimeMs: 1, texts: [], terms: NO_TERMS, areTermsRefused: false },
  }));

describe("The rows of published files", () => {
  const never = new AbortController().signal;
  let root = "";
  let asked: (readonly string[])[] = [];
  beforeEach(() => {
    root = workspace(FILES);
    asked = [];
  });

  async function compared(
    read: (paths: readonly string[]) => Promise<readonly PublishedFile[]>,
    more: Partial<PublishedFiles> = {},
    take = takeAll,
  ): Promise<PublishedRows> {
    const rows = new PublishedRows(
      {
        origin: { repository: "h/r", commit: "c" },
        dimension: 2,
        sizes: async () =>
          new Map(PATHS.map((path) => [path, { size: `${path}\n`.length, chunks: 2 }])),
        read: async (paths) => {
          asked.push(paths);
          return await read(paths);
        },
        texts: async () => [],
        ...more,
      },
      silent,
    );
    await rows.compare(root, PATHS, take, never);
    return rows;
  }

  it("come in batches, each once, and one ahead", async () => {
    const rows = await compared(async (paths) => paths.map(rowsOf));
    expect((await rows.of(PATHS[0] ?? "", never))?.path).toBe(PATHS[0]);
    expect(asked.map(({ length }) => length)).toEqual([30, 60]);
    for (const path of PATHS.slice(1)) expect((await rows.of(path, never))?.path).toBe(path);
    expect(asked.flat()).toEqual(PATHS);
    expect(Math.max(...asked.map(({ length }) => length))).toBeLessThanOrEqual(200);
    expect(rows.failure).toBeUndefined();
    expect([rows.taken, rows.refused]).toEqual([500, 0]);
  });

  it("are read once if files are prepared at the same time", async () => {
    const rows = await compared(async (paths) => paths.map(rowsOf));
    await Promise.all(PATHS.map((path) => rows.of(path, never)));
    expect(asked.flat()).toEqual(PATHS);
    expect(rows.taken).toBe(500);
  });

  it.each([
    ["too many", new Float32Array([1, 0, 1, 0])],
    ["too long", new Float32Array([9, 9])],
    ["too short", new Float32Array([0, 0])],
    ["no numbers", new Float32Array([Number.NaN, 1])],
  ])("are refused with vectors that are %s", async (_, vectors) => {
    const rows = await compared(
      async (paths) =>
        paths.map((path) => (path === "f001.py" ? { ...rowsOf(path), vectors } : rowsOf(path))),
      {},
      async (files, signal) =>
        (await takeAll(files, signal)).map((result) =>
          result.kind === "taken"
            ? { ...result, found: { ...result.found, texts: ["a"] } }
            : result,
        ),
    );
    expect(await rows.of("f001.py", never)).toBeUndefined();
    expect(await rows.of("f002.py", never)).toBeDefined();
    expect(rows.refused).toBe(1);
  });

  it("are refused, left or taken as the thread says", async () => {
    const rows = await compared(
      async (paths) => paths.map(rowsOf),
      {},
      async (files, signal) => {
        const [, , ...others] = await takeAll(files, signal);
        return [{ kind: "refused", reason: "its facts" }, { kind: "not comparable" }, ...others];
      },
    );
    expect(await rows.of("f000.py", never)).toBeUndefined();
    expect(await rows.of("f001.py", never)).toBeUndefined();
    expect(await rows.of("f002.py", never)).toBeDefined();
    expect([rows.taken, rows.refused]).toEqual([28, 1]);
  });

  it("are left if the thread fails", async () => {
    const rows = await compared(
      async (paths) => paths.map(rowsOf),
      {},
      () => Promise.reject(new Error("the thread has ended")),
    );
    expect(await rows.of("f000.py", never)).toBeUndefined();
    expect([rows.taken, rows.failure]).toEqual([0, undefined]);
  });

  it("are only read of files with the published size", async () => {
    const rows = await compared(async (paths) => paths.map(rowsOf), {
      sizes: async () => new Map([["f001.py", { size: 9, chunks: 2 }]]),
    });
    expect(await rows.of("f001.py", never)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("are planned without reading the files", async () => {
    write(root, "//- f000.py\nanother\n");
    expect(readFileSync(join(root, "f000.py"), "utf8")).toHaveLength("f000.py\n".length);
    const rows = await compared(async (paths) => paths.map(rowsOf));
    expect((await rows.of("f000.py", never))?.path).toBe("f000.py");
  });

  it("end with the first error; rows that were read before are used", async () => {
    const rows = await compared(async (paths) => {
      if (asked.length === 2) throw new Error("connection lost");
      return paths.map(rowsOf);
    });
    const found = [];
    for (const path of PATHS) found.push(await rows.of(path, never));
    expect(found.filter((each) => each !== undefined)).toHaveLength(30);
    expect(asked).toHaveLength(2);
    expect(rows.failure).toBe("connection lost");
  });

  it("end after two late batches in a row, and not after one", async () => {
    vi.useFakeTimers();
    try {
      let late = new Set([2]);
      const answer = async (paths: readonly string[]) => {
        if (late.has(asked.length)) await delay(60_000);
        return paths.map(rowsOf);
      };
      const countIn = async () => {
        asked = [];
        const rows = await compared(answer);
        const reading = (async () => {
          let found = 0;
          for (const path of PATHS) if ((await rows.of(path, never)) !== undefined) found++;
          return found;
        })();
        await vi.advanceTimersByTimeAsync(30_000);
        return [await reading, rows.failure];
      };
      expect(await countIn()).toEqual([440, undefined]);
      late = new Set([2, 3]);
      expect(await countIn()).toEqual([30, "it took longer than 5 s"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("do not hold up a pass that is cancelled", async () => {
    const rows = await compared(() => new Promise(() => undefined));
    const cancelled = new AbortController();
    const waiting = rows.of("f000.py", cancelled.signal);
    cancelled.abort(new Error("closed"));
    expect(await waiting).toBeUndefined();
  });
});
