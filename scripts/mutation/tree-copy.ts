/** A copy of the tree in which one fault at a time is put into a source, and into what was built of it. */

import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "esbuild";
import type { Fault } from "./faults.ts";

/** Copied, because a fault is written into it or the test runner looks up from it; all else is linked. */
const COPIED = ["server", "test", "scripts", "dist"];

export class TreeCopy {
  readonly root = mkdtempSync(join(tmpdir(), "cocosearch-mutation-"));

  constructor(original: string) {
    for (const name of COPIED) {
      cpSync(join(original, name), join(this.root, name), { recursive: true });
    }
    const others = readdirSync(original).filter((name) => !COPIED.includes(name));
    for (const name of others) symlinkSync(join(original, name), join(this.root, name));
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  /** The result takes the fault out again. */
  putIn(path: string, { start, end, replacement }: Fault): () => void {
    const text = this.read(path);
    const built = join(this.root, path.replace(/^server\//, "dist/").replace(/\.ts$/, ".js"));
    const before = existsSync(built) ? readFileSync(built) : undefined;
    const faulty = text.slice(0, start) + replacement + text.slice(end);
    writeFileSync(join(this.root, path), faulty);
    // Threads and processes run what was built. A program that is bundled keeps its own text.
    if (before !== undefined && !path.startsWith("server/programs/")) {
      writeFileSync(built, builtOf(faulty));
    }
    return () => {
      writeFileSync(join(this.root, path), text);
      if (before !== undefined) writeFileSync(built, before);
    };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** As the compiler writes it: types removed, and imports of what was built. */
function builtOf(text: string): string {
  const { code } = transformSync(text, { loader: "ts", format: "esm", target: "es2023" });
  return code.replace(/((?:from|import)\s*\(?\s*")(\.[^"]+)\.ts"/g, '$1$2.js"');
}
