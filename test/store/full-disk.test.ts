/** The built-in database on a disk that fills up: what was committed stays, and it goes on when there is room again. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { silent } from "../../server/log.ts";
import { PgliteDatabase } from "../../server/store/pglite.ts";

vi.setConfig({ testTimeout: 180_000 });

/** A file system of its own, or why there can be none. */
function smallDisk(): { folder: string; unmount(): void } | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=120m", "tmpfs", folder], { stdio: "ignore" });
  } catch (error) {
    rmSync(folder, { recursive: true });
    if (error instanceof Error) return undefined;
    throw error;
  }
  return {
    folder,
    unmount: () => {
      execFileSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

const disk = smallDisk();

describe.skipIf(disk === undefined)("a full disk (a small file system may be mounted)", () => {
  it("loses nothing that was committed, and writes again when there is room", async () => {
    const { folder, unmount } = disk as NonNullable<typeof disk>;
    const ballast = join(folder, "ballast");
    const database = new PgliteDatabase({
      directory: join(folder, "db"),
      log: silent,
      watchdogMs: 10_000,
    });
    try {
      await database.query("create table t (n int, filler text)");
      writeFileSync(ballast, Buffer.alloc(20_000_000));
      let committed = 0;
      const insert = (n: number) =>
        database.transaction(async (tx) => {
          const filler = "select string_agg(md5(random()::text), '') from generate_series(1, 6000)";
          await tx.query(
            `insert into t select ${n}, (${filler} where ${n} = ${n}) from generate_series(1, 10)`,
          );
        });
      const fill = async () => {
        for (; committed < 500; committed++) await insert(committed);
      };
      await expect(fill()).rejects.toThrow(/No space left|started again|disk|does not open/);
      expect(committed).toBeGreaterThan(0);
      rmSync(ballast);
      const count = async () => {
        const [row] = await database.query<{ n: number }>("select count(*)::int as n from t");
        return row?.n;
      };
      expect(await vi.waitUntil(() => count().catch(() => undefined), 60_000)).toBe(committed * 10);
      await insert(committed);
      expect(await count()).toBe(committed * 10 + 10);
    } finally {
      await database.close();
      unmount();
    }
  });
});
