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
import { BUNDLES, bundlePrograms } from "../bundle-programs.ts";
import type { Fault } from "./faults.ts";

/** Copied, because a fault is written into it or the test runner looks up from it; all else is linked. */
const COPIED = ["server", "test", "scripts", "dist"];

/** Paths with their contents. */
type Files = ReadonlyMap<string, string | Buffer>;

export class TreeCopy {
  readonly root = mkdtempSync(join(tmpdir(), "cocosearch-mutation-"));
  /** The fault that was put in last, and the files in which it is. */
  #last: { readonly fault: Fault; readonly files: Files } | undefined;

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
  async putIn(path: string, fault: Fault): Promise<() => void> {
    if (this.#last?.fault !== fault) this.#last = { fault, files: await this.#faulty(path, fault) };
    const { files } = this.#last;
    const before = this.#contents(files.keys());
    this.#write(files);
    return () => this.#write(before);
  }

  /** The source, what was built of it, and the programs that it is bundled into: threads and processes run these. */
  async #faulty(path: string, { start, end, replacement }: Fault): Promise<Files> {
    const text = this.read(path);
    const files = new Map<string, string | Buffer>();
    files.set(path, text.slice(0, start) + replacement + text.slice(end));
    const built = path.replace(/^server\//, "dist/").replace(/\.ts$/, ".js");
    if (existsSync(join(this.root, built))) files.set(built, builtOf(files.get(path) as string));
    const before = this.#contents([...files.keys(), ...BUNDLES]);
    this.#write(files);
    const bundles = await bundlePrograms(this.root);
    const changed = [...bundles].filter(([, sources]) => sources.has(path)).map(([file]) => file);
    for (const [bundle, content] of this.#contents(changed)) files.set(bundle, content);
    this.#write(before);
    return files;
  }

  #contents(paths: Iterable<string>): Files {
    return new Map([...paths].map((path) => [path, readFileSync(join(this.root, path))]));
  }

  #write(files: Files): void {
    for (const [path, content] of files) writeFileSync(join(this.root, path), content);
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
