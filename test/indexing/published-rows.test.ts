/** The rows of published files, from a database that answers, is late, or fails. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { silent } from "../../server/common/log.ts";
import { NO_FACTS } from "../../server/contracts/packed-facts.ts";
import type { PublishedFile, PublishedFiles } from "../../server/contracts/published-file.ts";
import { PublishedRows } from "../../server/indexing/published-rows.ts";
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
    chunks: [],
    facts: NO_FACTS,
  };
}

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
  ): Promise<PublishedRows> {
    const rows = new PublishedRows(
      {
        origin: { repository: "h/r", commit: "c" },
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
    await rows.compare(root, PATHS, never);
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
