/** Disturbs a folder as people and tools do: edits, adds, renames and deletes files, a few at a time. */

import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const CHANGES = 8;

/** Changes some files at random, none of a repository itself; returns their paths, relative to the root. */
export function disturb(root: string): string[] {
  const changed: string[] = [];
  for (let i = 0; i < CHANGES; i++) {
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && !relative(root, entry.parentPath).startsWith(".git"),
    );
    const entry = files[Math.floor(Math.random() * files.length)];
    if (entry === undefined) return changed;
    const file = join(entry.parentPath, entry.name);
    const name = `changed_${Date.now()}_${i}`;
    const beside = join(dirname(file), `${name}.ts`);
    const dice = Math.random();
    if (dice < 0.5)
      writeFileSync(file, `${readFileSync(file, "utf8")}\nexport const ${name} = 1;\n`);
    else if (dice < 0.7) renameSync(file, beside);
    else if (dice < 0.9) writeFileSync(beside, `export function ${name}() {\n  return ${i};\n}\n`);
    else rmSync(file);
    changed.push(relative(root, file), relative(root, beside));
  }
  return changed;
}
