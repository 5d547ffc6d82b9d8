/** The WebAssembly module of web-tree-sitter: initialized once per thread, and reached into by compiled-query.ts alone. */

import { Parser } from "web-tree-sitter";

/** What `restoreQuery` and `compiledOf` use of the module: its memory, its allocator and its table of functions. */
export interface Runtime {
  /** Replaced by a larger view when the memory grows, so it is read again after each allocation. */
  readonly HEAP32: Int32Array;
  readonly _malloc: (bytes: number) => number;
  readonly [name: string]: unknown;
}

const module: Record<string, unknown> = {};
let initializing: Promise<void> | undefined;
let isInitialized = false;

/** Must be awaited before a grammar is loaded. */
export async function startRuntime(): Promise<void> {
  initializing ??= Parser.init(module as Parameters<typeof Parser.init>[0]).then(() => {
    isInitialized = true;
  });
  await initializing;
}

/** Undefined if this version of web-tree-sitter does not expose its memory and allocator. */
export function exposedRuntime(): Runtime | undefined {
  if (!isInitialized) throw new Error("the runtime of web-tree-sitter is not started");
  const isExposed =
    module["HEAP32"] instanceof Int32Array &&
    typeof module["_malloc"] === "function" &&
    typeof module["_ts_query_new"] === "function";
  return isExposed ? (module as unknown as Runtime) : undefined;
}
