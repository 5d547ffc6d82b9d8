/** A real grammar reduced to its table: it loads, but crashes or hangs when it parses. */

import { readFileSync, writeFileSync } from "node:fs";
import { grammarFile } from "../../server/languages/grammar-files.ts";

/** WebAssembly section numbers and their contents; see the core specification, chapter 5. */
const IMPORTS = 2;
const EXPORTS = 7;
const CODE = 10;
const FUNCTION = 0;

const UNREACHABLE = [0x00];
/** loop, br 0, end: an endless loop, so the code behind it never runs. */
const FOR_EVER = [0x03, 0x40, 0x0c, 0x00, 0x0b, 0x00];
const NOP = 0x01;
const END = 0x0b;

/** Python's grammar, whose exported functions only load it; the others read characters. */
export function writeBrokenGrammar(file: string, how: "breaks" | "hangs"): void {
  const bytes = readFileSync(grammarFile("python", "wasm"));
  const sections = sectionsOf(bytes);
  const kept = exportedFunctions(reader(bytes, sections.get(EXPORTS)));
  const imported = importedFunctions(reader(bytes, sections.get(IMPORTS)));
  const code = reader(bytes, sections.get(CODE));
  const functions = code.number();
  for (let i = 0; i < functions; i++) {
    const size = code.number();
    if (!kept.has(imported + i)) replaceBody(bytes, code.at, code.at + size, how);
    code.at += size;
  }
  writeFileSync(file, bytes);
}

/** No locals, the code, nothing more, the end. */
function replaceBody(bytes: Buffer, start: number, end: number, how: "breaks" | "hangs"): void {
  const code = how === "hangs" && end - start > FOR_EVER.length + 2 ? FOR_EVER : UNREACHABLE;
  bytes.set([0, ...code], start);
  bytes.fill(NOP, start + 1 + code.length, end - 1);
  bytes[end - 1] = END;
}

function sectionsOf(bytes: Buffer): Map<number, number> {
  const sections = new Map<number, number>();
  const module = reader(bytes, 8);
  while (module.at < bytes.length) {
    const id = module.number();
    const size = module.number();
    sections.set(id, module.at);
    module.at += size;
  }
  return sections;
}

function exportedFunctions(section: Reader): Set<number> {
  const functions = new Set<number>();
  for (let left = section.number(); left > 0; left--) {
    section.name();
    const kind = section.number();
    const index = section.number();
    if (kind === FUNCTION) functions.add(index);
  }
  return functions;
}

function importedFunctions(section: Reader): number {
  let functions = 0;
  for (let left = section.number(); left > 0; left--) {
    section.name();
    section.name();
    const kind = section.number();
    if (kind === FUNCTION) functions++;
    // A table has a type and limits, a memory limits, a global a type and whether it may change.
    if (kind === 1) section.number();
    const isBounded = kind === 3 ? undefined : section.number();
    if (kind === 1 || kind === 2) section.number();
    if (kind === 3) section.at += 2;
    else if (kind !== FUNCTION && isBounded === 1) section.number();
  }
  return functions;
}

interface Reader {
  at: number;
  number(): number;
  name(): string;
}

function reader(bytes: Buffer, at = 0): Reader {
  return {
    at,
    /** LEB128. */
    number() {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[this.at++] ?? 0;
        value += (byte & 0x7f) * 2 ** shift;
        if (byte < 0x80) return value;
      }
    },
    name() {
      const length = this.number();
      this.at += length;
      return bytes.toString("utf8", this.at - length, this.at);
    },
  };
}
