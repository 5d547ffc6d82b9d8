/** Initializes the WebAssembly module of web-tree-sitter once per thread, and exposes its memory to compiled-query.ts. */

import { Parser } from "web-tree-sitter";

/** The members of the module that compiled-query.ts uses: memory, allocator and functions. */
export interface Runtime {
  /** Replaced by a larger view when the memory grows, so it is read again after each allocation. */
  readonly HEAP32: Int32Array;
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
