/** Compares the token estimate with a real tokenizer by file extension, on the code below a folder. */

import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { encode } from "gpt-tokenizer";
import { estimateTokens } from "../server/common/tokens.ts";

const USAGE = "usage: node --import tsx scripts/token-estimate.ts DIR";
const EXTENSIONS =
  ".ts .js .py .go .rs .java .c .hpp .rb .php .ex .kt .swift .cs .lua .sh .hs .scala .zig .md".split(
    " ",
  );
const FILES_PER_EXTENSION = 60;
const MAX_LENGTH = 20_000;

function main(folder: string | undefined): number {
  if (folder === undefined) {
    console.error(USAGE);
    return 2;
  }
  const files = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("/.git"))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  console.log("extension  files  tokens  estimate / count  highest count / estimate of a file");
  for (const extension of EXTENSIONS) {
    const own = files.filter((file) => extname(file) === extension);
    const step = Math.max(1, Math.floor(own.length / FILES_PER_EXTENSION));
    const texts = own
      .filter((_, i) => i % step === 0)
      .map((file) => readFileSync(file, "utf8").slice(0, MAX_LENGTH));
    const counts = texts.map((text) => [encode(text).length, estimateTokens(text)] as const);
    const tokens = counts.reduce((sum, [count]) => sum + count, 0);
    const estimate = counts.reduce((sum, [, each]) => sum + each, 0);
    const highest = Math.max(0, ...counts.map(([count, each]) => (count > 300 ? count / each : 0)));
    const ratio = (estimate / Math.max(1, tokens)).toFixed(3);
    console.log(`${extension}  ${texts.length}  ${tokens}  ${ratio}  ${highest.toFixed(2)}`);
  }
  return 0;
}

process.exitCode = main(process.argv[2]);
