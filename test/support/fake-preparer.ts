/** Prepares files without threads or parsers: one chunk per file, which is its whole text. */

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PARSE_TIMEOUT, type ParseHealth } from "../../server/contracts/model.ts";
import type { Preparer } from "../../server/contracts/preparer.ts";
import type { Scanner } from "../../server/contracts/scanner.ts";
import { countFileTerms } from "../../server/search/lanes/count-file-terms.ts";

/** Prefixes of a file that always exceeds the time limit, and of one that cannot be read. */
export const SLOW = "slow to parse";
export const UNREADABLE = "unreadable";

/** `before` runs before each file. */
export function fakePreparer(
  before: (path: string) => unknown = () => undefined,
  concurrency = 1,
  isBusy = false,
): Preparer {
  return {
    concurrency,
    isBusy,
    prepare: async ({ root, path, knownSha256 }) => {
      await before(path);
      const place = join(root, path);
      if (!existsSync(place)) return { kind: "gone" };
      const text = readFileSync(place, "utf8");
      if (text.startsWith(UNREADABLE)) return { kind: "unreadable", reason: "EIO: i/o error" };
      if (text.includes("binary")) return { kind: "excluded", rule: "binary" };
      const sha256 = createHash("sha256").update(text).digest("hex");
      if (sha256 === knownSha256) return { kind: "unchanged" };
      const lines = { start: 0, end: text.split("\n").length - 1 };
      const span = { start: 0, end: Buffer.byteLength(text) };
      const chunk = { span, lines, context: lines, text, symbols: [] };
      const parse: ParseHealth = text.startsWith(SLOW)
        ? { status: "error", message: `${PARSE_TIMEOUT} 2 s` }
        : { status: "ok" };
      const about = {
        path,
        sha256,
        size: span.end,
        mtimeMs: 0,
        languageId: "text",
        parse,
        secrets: 0,
      };
      const terms = countFileTerms(path, [chunk]);
      const file = { ...about, category: "implementation", chunks: [chunk], terms } as const;
      return { kind: "prepared", file };
    },
    take: async ({ files }) => files.map(() => ({ kind: "not comparable" })),
  };
}

/** For tests without scans of whole files. */
export const noScanner: Scanner = {
  scan: () => Promise.reject(new Error("this test scans no files")),
  list: () => Promise.reject(new Error("this test scans no files")),
};
