/**
 * Scalar products of a query with very many rows of signed bytes, in WebAssembly: sixteen at a time, where JavaScript
 * does one. The module is put together here, from the instructions that `SCAN` lists.
 */

/** Rows are padded with zeros to a multiple of this many bytes. */
export const ROW_ALIGNMENT = 16;

export const PAGE_BYTES = 65_536;

/** Addresses and sizes are in bytes of the memory; the query has two bytes per number, a result four. */
export type Scan = (
  query: number,
  rows: number,
  count: number,
  out: number,
  rowBytes: number,
) => void;

export interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Node has it; the types that we compile with do not. */
interface WasmTypes {
  readonly Memory: new (limits: { initial: number; maximum: number }) => Memory;
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: Memory } },
  ) => { readonly exports: { readonly scan: Scan } };
}
const wasm = (globalThis as unknown as { readonly WebAssembly: WasmTypes }).WebAssembly;

/** Parameters and local variables by their numbers. */
const [QUERY, ROWS, COUNT, OUT, ROW_BYTES, AT, SUM, ROW, Q] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** What the bytes of an instruction mean: https://webassembly.github.io/spec/core/appendix/index-instructions.html */
const [I32, V128, NO_RESULT] = [0x7f, 0x7b, 0x40];
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const constant = (value: number) => [0x41, value];
const [add, subtract, shiftLeft] = [[0x6a], [0x6b], [0x74]];
const [isZero, isLess] = [[0x45], [0x49]];
const storeInt = [0x36, 2, 0];
const [block, loop, end] = [[0x02, NO_RESULT], [0x03, NO_RESULT], [0x0b]];
const branch = (depth: number) => [0x0c, depth];
const branchIf = (depth: number) => [0x0d, depth];
const load = (offset: number) => [0xfd, 0x00, 0, offset];
const zeros = [0xfd, 0x0c, ...Array.from({ length: 16 }, () => 0)];
const lane = (at: number) => [0xfd, 0x1b, at];
const [lowToInt16, highToInt16] = [
  [0xfd, 0x87, 0x01],
  [0xfd, 0x88, 0x01],
];
/** Multiplies eight pairs of 16-bit numbers and adds neighbors: four 32-bit numbers. */
const multiplyPairs = [0xfd, 0xba, 0x01];
const addInts = [0xfd, 0xae, 0x01];

/** For each row: the sum of its products with the query, sixteen numbers per turn. */
const SCAN = [
  block,
  loop,
  [...get(COUNT), ...isZero, ...branchIf(1)],
  [...zeros, ...set(SUM), ...constant(0), ...set(AT)],
  loop,
  [...get(ROWS), ...get(AT), ...add, ...load(0), ...set(ROW)],
  // Two bytes of the query for one of the row.
  [...get(QUERY), ...get(AT), ...constant(1), ...shiftLeft, ...add, ...set(Q)],
  [...get(ROW), ...lowToInt16, ...get(Q), ...load(0), ...multiplyPairs],
  [...get(ROW), ...highToInt16, ...get(Q), ...load(16), ...multiplyPairs, ...addInts],
  [...get(SUM), ...addInts, ...set(SUM)],
  [...get(AT), ...constant(ROW_ALIGNMENT), ...add, ...tee(AT)],
  [...get(ROW_BYTES), ...isLess, ...branchIf(0)],
  end,
  [...get(OUT), ...get(SUM), ...lane(0), ...get(SUM), ...lane(1), ...add],
  [...get(SUM), ...lane(2), ...add, ...get(SUM), ...lane(3), ...add, ...storeInt],
  [...get(ROWS), ...get(ROW_BYTES), ...add, ...set(ROWS)],
  [...get(OUT), ...constant(4), ...add, ...set(OUT)],
  [...get(COUNT), ...constant(1), ...subtract, ...set(COUNT), ...branch(0)],
  end,
  end,
  end,
].flat();

/** Names are written as their length and their letters. */
const text = (name: string) => [name.length, ...Buffer.from(name)];

/** A length below 2^14, in as many bytes as it takes (LEB128). */
const size = (length: number) => (length < 128 ? [length] : [(length & 127) | 128, length >> 7]);

const section = (id: number, ...bytes: readonly number[]) => [id, ...size(bytes.length), ...bytes];

/** The largest memory that a module can have: 4 GB. */
const MAX_PAGES = 65_536;

/** The magic number, and version 1. */
const HEADER = [...Buffer.from("\0asm"), 1, 0, 0, 0];

function assemble(): Uint8Array {
  const locals = [3, 1, I32, 2, V128, 1, I32]; // AT; SUM and ROW; Q
  const body = [...locals, ...SCAN];
  const parameters = [I32, I32, I32, I32, I32];
  return new Uint8Array([
    ...HEADER,
    ...section(1, 1, 0x60, parameters.length, ...parameters, 0),
    ...section(2, 1, ...text("env"), ...text("memory"), 2, 0, 0),
    ...section(3, 1, 0),
    ...section(7, 1, ...text("scan"), 0, 0),
    ...section(10, 1, ...size(body.length), ...body),
  ]);
}

let compiled: object | undefined;

/** A memory of its own with the scan over it. It can grow, and then has another `buffer`. */
export function createScan(pages: number): { readonly memory: Memory; readonly scan: Scan } {
  compiled ??= new wasm.Module(assemble());
  const memory = new wasm.Memory({ initial: pages, maximum: MAX_PAGES });
  const { exports } = new wasm.Instance(compiled, { env: { memory } });
  return { memory, scan: exports.scan };
}
