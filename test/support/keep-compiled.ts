/**
 * Keeps the compiled code of the built-in database for as long as the process of the tests lives. V8 shares the code of equal
 * modules between threads, and forgets it with the last of them: each database that a test opens would be compiled again, which
 * takes a second and a half of processor time.
 */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The used part of the WebAssembly interface, which the configured type libraries do not declare. */
interface WasmTypes {
  readonly Module: new (bytes: Uint8Array) => object;
}

const process = globalThis as unknown as {
  readonly WebAssembly: WasmTypes;
  /** Set by the first file of tests in a process. */
  compiledDatabase?: object;
};

process.compiledDatabase ??= new process.WebAssembly.Module(
  readFileSync(
    join(dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite")), "pglite.wasm"),
  ),
);
