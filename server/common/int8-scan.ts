/**
 * SIMD dot products of a query with rows of signed bytes, in WebAssembly: sixteen numbers per instruction. A second
 * function multiplies one row of 16-bit numbers. The module is assembled here from the instructions in `SCAN` and
 * `DOT`.
 */

/** Rows are padded with zeros to a multiple of this many bytes. */
export const ROW_ALIGNMENT = 16;

export const PAGE_BYTES = 65_536;

/** Addresses and sizes are in bytes. A number of the query takes two bytes, a result four. */
export type Scan = (
  query: number,
  rows: number,
  count: number,
  out: number,
  rowBytes: number,
) => void;

/**
 * The dot product with one row of 16-bit numbers whose upper and lower bytes are stored apart. A number of the query
 * takes eight bytes here, and their count is a multiple of eight.
 */
export type Dot = (query: number, upper: number, lower: number, queryEnd: number) => number;

export interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Node provides WebAssembly; the configured type libraries do not declare it. */
interface WasmTypes {
  readonly Memory: new (limits: { initial: number; maximum: number }) => Memory;
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: Memory } },
  ) => { readonly exports: { readonly scan: Scan; readonly dot: Dot } };
}
const wasm = (globalThis as unknown as { readonly WebAssembly: WasmTypes }).WebAssembly;

/** Indexes of parameters and local variables. */
const [QUERY, ROWS, COUNT, OUT, ROW_BYTES] = [0, 1, 2, 3, 4];
const [Q, QUERY_END, ROW, OTHER_ROW, SUM, OTHER_SUM, LOW, HIGH] = [5, 6, 7, 8, 9, 10, 11, 12];

/** Opcodes: https://webassembly.github.io/spec/core/appendix/index-instructions.html */
const [I32, F64, V128, NO_RESULT] = [0x7f, 0x7c, 0x7b, 0x40];
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
/** An i32 constant below 2^13. The encoding is signed (LEB128), so one byte is enough below 64. */
const constant = (value: number) =>
  value < 64 ? [0x41, value] : [0x41, (value & 127) | 128, value >> 7];
const [add, subtract, shiftLeft] = [[0x6a], [0x6b], [0x74]];
const [isZero, isEqual, isLess] = [[0x45], [0x46], [0x49]];
/** Selects the first of two operands if the third is not zero, else the second. */
const select = [0x1b];
const storeInt = (offset: number) => [0x36, 2, offset];
const [block, loop, end] = [[0x02, NO_RESULT], [0x03, NO_RESULT], [0x0b]];
const drop = 0x1a;
const branch = (depth: number) => [0x0c, depth];
const branchIf = (depth: number) => [0x0d, depth];
const load = (offset: number) => [0xfd, 0x00, 0, offset];
const zeros = [0xfd, 0x0c, ...Array.from({ length: 16 }, () => 0)];
const lane = (at: number) => [0xfd, 0x1b, at];
/** Loads eight bytes and sign-extends each to 16 bits. */
const loadInt16 = (offset: number) => [0xfd, 0x01, 0, offset];
/** Multiplies eight pairs of 16-bit numbers and adds neighbors: four 32-bit numbers. */
const multiplyPairs = [0xfd, 0xba, 0x01];
const addInts = [0xfd, 0xae, 0x01];

const advance = (local: number, bytes: number) => [
  ...get(local),
  ...constant(bytes),
  ...add,
  ...tee(local),
];

const sumOfLanes = (sum: number) =>
  [
    [...get(sum), ...lane(0), ...get(sum), ...lane(1), ...add],
    [...get(sum), ...lane(2), ...add, ...get(sum), ...lane(3), ...add],
  ].flat();

/**
 * For each row, the sum of its products with the query, sixteen numbers per iteration. Two rows share each load of the
 * query. If the number of rows is odd, the last row is paired with itself.
 */
const SCAN = [
  [...get(QUERY), ...get(ROW_BYTES), ...constant(1), ...shiftLeft, ...add, ...set(QUERY_END)],
  block,
  loop,
  [...get(COUNT), ...isZero, ...branchIf(1)],
  [...zeros, ...set(SUM), ...zeros, ...set(OTHER_SUM), ...get(QUERY), ...set(Q)],
  [...get(ROWS), ...tee(ROW), ...get(ROWS), ...get(ROW_BYTES), ...add],
  [...get(COUNT), ...constant(1), ...isEqual, ...select, ...set(OTHER_ROW)],
  loop,
  // One byte of a row corresponds to two bytes of the query.
  [...get(ROW), ...loadInt16(0), ...get(Q), ...load(0), ...tee(LOW), ...multiplyPairs],
  [...get(SUM), ...addInts],
  [...get(ROW), ...loadInt16(8), ...get(Q), ...load(16), ...tee(HIGH), ...multiplyPairs],
  [...addInts, ...set(SUM)],
  [...get(OTHER_ROW), ...loadInt16(0), ...get(LOW), ...multiplyPairs],
  [...get(OTHER_SUM), ...addInts],
  [...get(OTHER_ROW), ...loadInt16(8), ...get(HIGH), ...multiplyPairs],
  [...addInts, ...set(OTHER_SUM)],
  [...advance(ROW, ROW_ALIGNMENT), drop, ...advance(OTHER_ROW, ROW_ALIGNMENT), drop],
  [...advance(Q, 2 * ROW_ALIGNMENT), ...get(QUERY_END), ...isLess, ...branchIf(0)],
  end,
  [...get(OUT), ...sumOfLanes(SUM), ...storeInt(0)],
  [...get(COUNT), ...constant(1), ...isEqual, ...branchIf(1)],
  [...get(OUT), ...sumOfLanes(OTHER_SUM), ...storeInt(4)],
  [...get(ROWS), ...get(ROW_BYTES), ...constant(1), ...shiftLeft, ...add, ...set(ROWS)],
  [...get(OUT), ...constant(8), ...add, ...set(OUT)],
  [...get(COUNT), ...constant(2), ...subtract, ...set(COUNT), ...branch(0)],
  end,
  end,
  end,
].flat();

/** The weight of the upper byte. */
const UPPER_UNIT = 256;
const [NUMBERS, UPPER, LOWER, NUMBERS_END, PART, ABOVE, BELOW] = [0, 1, 2, 3, 4, 5, 6];
const [addFloats, multiplyFloats] = [[0xa0], [0xa2]];
const float = (value: number) => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)];
const [lowToInt32, highToInt32] = [
  [0xfd, 0xa7, 0x01],
  [0xfd, 0xa8, 0x01],
];
/** Converts the lower two of four 32-bit numbers to 64-bit floats. */
const firstToFloats = [0xfd, 0xfe, 0x01];
/** Moves the upper two of four numbers to the lower half. */
const lastToFirst = [0xfd, 0x0d, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
const [addPairs, multiplyFloatPairs] = [
  [0xfd, 0xf0, 0x01],
  [0xfd, 0xf2, 0x01],
];
const floatLane = (at: number) => [0xfd, 0x21, at];

/** Adds the products of the four numbers in PART to two partial sums. */
const addProducts = (sum: number, offset: number) =>
  [
    [...get(sum), ...get(NUMBERS), ...load(offset), ...get(PART), ...firstToFloats],
    [...multiplyFloatPairs, ...addPairs],
    [...get(NUMBERS), ...load(offset + 16), ...get(PART), ...get(PART), ...lastToFirst],
    [...firstToFloats, ...multiplyFloatPairs, ...addPairs, ...set(sum)],
  ].flat();

const DOT = [
  loop,
  [...get(UPPER), ...loadInt16(0), ...lowToInt32, ...set(PART), ...addProducts(ABOVE, 0)],
  [...get(UPPER), ...loadInt16(0), ...highToInt32, ...set(PART), ...addProducts(ABOVE, 32)],
  [...get(LOWER), ...loadInt16(0), ...lowToInt32, ...set(PART), ...addProducts(BELOW, 0)],
  [...get(LOWER), ...loadInt16(0), ...highToInt32, ...set(PART), ...addProducts(BELOW, 32)],
  [...advance(UPPER, 8), drop, ...advance(LOWER, 8), drop],
  [...advance(NUMBERS, 64), ...get(NUMBERS_END), ...isLess, ...branchIf(0)],
  end,
  [...get(ABOVE), ...floatLane(0), ...get(ABOVE), ...floatLane(1), ...addFloats],
  [...float(UPPER_UNIT), ...multiplyFloats],
  [...get(BELOW), ...floatLane(0), ...get(BELOW), ...floatLane(1), ...addFloats, ...addFloats],
  end,
].flat();

/** Encodes a name as its length and its bytes. */
const text = (name: string) => [name.length, ...Buffer.from(name)];

/** Encodes a length below 2^14 in LEB128. */
const size = (length: number) => (length < 128 ? [length] : [(length & 127) | 128, length >> 7]);

const section = (id: number, ...bytes: readonly number[]) => [id, ...size(bytes.length), ...bytes];

/** The maximum memory of a module: 4 GB. */
const MAX_PAGES = 65_536;

/** The magic number and version 1. */
const HEADER = [...Buffer.from("\0asm"), 1, 0, 0, 0];

/** Encodes a function body: local variables by count and type, then instructions. */
const code = (locals: readonly number[], instructions: readonly number[]) => {
  const body = [locals.length / 2, ...locals, ...instructions];
  return [...size(body.length), ...body];
};

function assemble(): Uint8Array {
  const scan = [0x60, 5, I32, I32, I32, I32, I32, 0];
  const dot = [0x60, 4, I32, I32, I32, I32, 1, F64];
  return new Uint8Array([
    ...HEADER,
    ...section(1, 2, ...scan, ...dot),
    ...section(2, 1, ...text("env"), ...text("memory"), 2, 0, 0),
    ...section(3, 2, 0, 1),
    ...section(7, 2, ...text("scan"), 0, 0, ...text("dot"), 0, 1),
    // Locals from Q to OTHER_ROW and from SUM to HIGH; from PART to BELOW.
    ...section(10, 2, ...code([4, I32, 4, V128], SCAN), ...code([3, V128], DOT)),
  ]);
}

let compiled: object | undefined;

interface Products {
  readonly memory: Memory;
  readonly scan: Scan;
  readonly dot: Dot;
}

/** Instantiates the module with a memory of its own. When the memory grows, its `buffer` is replaced. */
export function createProducts(pages: number): Products {
  compiled ??= new wasm.Module(assemble());
  const memory = new wasm.Memory({ initial: pages, maximum: MAX_PAGES });
  const { exports } = new wasm.Instance(compiled, { env: { memory } });
  return { memory, scan: exports.scan, dot: exports.dot };
}
