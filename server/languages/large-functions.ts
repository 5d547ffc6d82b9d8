/**
 * Keeps V8's optimizing compiler away from grammars with huge functions. The time that it takes for a function grows with the
 * square of the size: for the lexer of PowerShell, after a file of one kilobyte, eleven seconds of processor time.
 */

import { setFlagsFromString } from "node:v8";

/** In bytes. The largest functions that V8 optimizes well have 130 thousand; bash, Swift and PowerShell have 160 to 370. */
const MAX_OPTIMIZED_BYTES = 150_000;

/** The section with the bodies of all functions, by the WebAssembly specification. */
const CODE_SECTION = 10;
/** The magic number and the version. */
const HEADER_BYTES = 8;

/** The used part of the WebAssembly interface, which the configured type libraries do not declare. */
interface WasmTypes {
  readonly Module: new (bytes: Uint8Array) => object;
}

const { Module } = (globalThis as unknown as { readonly WebAssembly: WasmTypes }).WebAssembly;

/** Without the lazy compilation of functions, V8 follows the other flags for all functions of a module at once. */
const OPTIMIZING = ["wasm-dynamic-tiering", "wasm-tier-up", "wasm-lazy-compilation"];

/** Compiles a grammar with a huge function for V8's baseline compiler only. Undefined for other grammars. */
export function compileForBaseline(wasm: Uint8Array): object | undefined {
  if (largestFunction(wasm) <= MAX_OPTIMIZED_BYTES) return undefined;
  for (const flag of OPTIMIZING) setFlagsFromString(`--no-${flag}`);
  try {
    return new Module(wasm);
  } finally {
    for (const flag of OPTIMIZING) setFlagsFromString(`--${flag}`);
  }
}

/** The size of the largest function body, in bytes. Zero for bytes that are not a module. */
export function largestFunction(wasm: Uint8Array): number {
  let at = HEADER_BYTES;
  /** LEB128 */
  const readNumber = (): number => {
    let value = 0;
    for (let scale = 1; at < wasm.length; scale *= 128) {
      const byte = wasm[at++] as number;
      value += (byte & 127) * scale;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < wasm.length) {
    const section = wasm[at++];
    const bytes = readNumber();
    if (section !== CODE_SECTION) {
      at += bytes;
      continue;
    }
    let largest = 0;
    for (let left = readNumber(); left > 0 && at < wasm.length; left--) {
      const body = readNumber();
      largest = Math.max(largest, body);
      at += body;
    }
    return largest;
  }
  return 0;
}
