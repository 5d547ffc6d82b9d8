import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silent } from "../server/common/log.ts";
import { wordsOf } from "../server/common/words.ts";
import { openEmbedded } from "../server/store/embedded.ts";
import { tablesOf } from "../server/store/names.ts";
import { PgliteDatabase } from "../server/store/pglite.ts";

const root = process.argv[2]!;
const INDEX = { name: "x", root: "/x", modelId: "m", dimension: 256, chunkerVersion: "1" };
const files: any[] = [];
for (const path of readdirSync(root, { recursive: true, encoding: "utf8" })) {
  if (!/\.(py|go|rb|rs|java|ts|js|c|h|cc|md|kt|ex|php|scala)$/.test(path) || path.includes(".git/"))
    continue;
  let text = "";
  try {
    text = readFileSync(join(root, path), "utf8");
  } catch {
    continue;
  }
  if (text.length > 1e6 || text.length === 0) continue;
  const chunks = [];
  for (let at = 0; at < text.length; at += 1000) {
    const t = text.slice(at, at + 1000);
    const lines = { start: 0, end: 1 };
    chunks.push({
      span: { start: at, end: at + 1000 },
      lines,
      text: t,
      symbols: [],
      context: lines,
      words: wordsOf(t).join(" "),
    });
  }
  files.push({
    file: {
      path,
      sha256: path,
      size: 1,
      mtimeMs: 1,
      languageId: "x",
      category: "implementation",
      parse: { status: "ok" },
      secrets: 0,
    },
    chunks,
    vectors: chunks.map((_, i) =>
      Float32Array.from({ length: 256 }, (_, j) => Math.sin(i + j * 7)),
    ),
  });
}
console.log(
  "files",
  files.length,
  "chunks",
  files.reduce((n, f) => n + f.chunks.length, 0),
);
for (let round = 0; round < 4; round++)
  for (const tsv of round % 2 ? [true, false] : [false, true]) {
    const folder = mkdtempSync(join(tmpdir(), "tsv-"));
    const directory = join(folder, "db");
    const s = await openEmbedded({ directory, log: silent });
    const index = await s.open(INDEX);
    if (tsv) {
      await s.close();
      const bare = new PgliteDatabase({ directory, log: silent });
      const t = tablesOf("x");
      await bare.query(`drop view ${t.view}`);
      await bare.query(
        `alter table ${t.chunks} add column content_tsv tsvector generated always as (to_tsvector('simple', left(content_tsv_input, 100000))) stored`,
      );
      await bare.close();
    }
    const store = tsv ? await openEmbedded({ directory, log: silent }) : s;
    const own = tsv ? (await store.find("x"))! : index;
    if (tsv) await own.update({});
    const before = process.cpuUsage();
    for (let i = 0; i < files.length; i += 50)
      await own.commit(
        files.slice(i, i + 50).map((f) => ({ ...f, vectors: f.chunks.map(() => undefined) })),
        [],
      );
    const { user, system } = process.cpuUsage(before);
    const { bytes, chunks } = await own.counts();
    console.log(
      tsv ? "with   " : "without",
      "cpu s",
      ((user + system) / 1e6).toFixed(2),
      "MB",
      (bytes / 1e6).toFixed(1),
      "chunks",
      chunks,
    );
    await store.close();
    rmSync(folder, { recursive: true });
  }
