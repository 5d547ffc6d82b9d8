/** Generates a tree of many small files with distinct words, for benchmarks that depend on the number of files. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILES_PER_FOLDER = 200;
const WORDS =
  "account balance cache deliver encode filter gather handle index join keep load".split(" ");

/** The same files for the same number. */
export function generateTree(root: string, files: number): void {
  for (let n = 0; n < files; n++) {
    const folder = join(root, `area_${Math.floor(n / FILES_PER_FOLDER)}`);
    if (n % FILES_PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    const [first, second] = [word(n), word(Math.floor(n / WORDS.length))];
    const lines = [
      `"""Part ${n}: how to ${first} and ${second} what belongs to customer ${n % 977}."""`,
      "",
      `def ${first}_${second}_${n}(entries):`,
      `    """Gives back the entries of ${second} ${n % 311} that ${first} keeps."""`,
      `    return [entry.${first} for entry in entries if entry.${second} == ${n}]`,
    ];
    writeFileSync(join(folder, `${first}_${n}.py`), `${lines.join("\n")}\n`);
  }
}

function word(n: number): string {
  return WORDS[n % WORDS.length] ?? "";
}
