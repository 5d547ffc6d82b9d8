/** Data as named typed arrays, stored and restored without parsing each value. */

export type NumberArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;

export type PackedArrays = ReadonlyMap<string, NumberArray>;

/** The stored arrays are damaged. */
export class DamagedArrays extends Error {
  override readonly name = "DamagedArrays";
}

/** Combines the arrays of several parts. The part's name is the prefix of its arrays' names. */
export function packParts(parts: Readonly<Record<string, PackedArrays>>): Map<string, NumberArray> {
  return new Map(
    Object.entries(parts).flatMap(([part, arrays]) =>
      [...arrays].map(([name, array]): [string, NumberArray] => [`${part}.${name}`, array]),
    ),
  );
}

/** The arrays of one part. */
export function partOf(arrays: PackedArrays, part: string): PackedArrays {
  const prefix = `${part}.`;
  return new Map(
    [...arrays].flatMap(([name, array]): [string, NumberArray][] =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), array]] : [],
    ),
  );
}

/** Returns one array. Throws DamagedArrays if it is missing or has another type or length. */
export function takeArray<T extends NumberArray>(
  arrays: PackedArrays,
  name: string,
  type: new (length: number) => T,
  length?: number,
): T {
  const array = arrays.get(name);
  if (!(array instanceof type)) throw new DamagedArrays(`${name} is missing`);
  if (length !== undefined && array.length !== length) {
    throw new DamagedArrays(`${name} has ${array.length} numbers instead of ${length}`);
  }
  return array;
}

/** A column of an array that is a table in row-major order. */
interface Column {
  readonly column: number;
  readonly columns: number;
}

/** Throws DamagedArrays unless all numbers, or all numbers of one column, are at least `min` and less than `end`. */
export function checkBounds(
  name: string,
  array: NumberArray,
  min: number,
  end: number,
  { column, columns }: Column = { column: 0, columns: 1 },
): void {
  let isInside = true;
  const { length } = array;
  for (let i = column; i < length; i += columns) {
    const value = array[i] as number;
    isInside &&= value >= min && value < end;
  }
  if (!isInside) throw new DamagedArrays(`a number of ${name} is not between ${min} and ${end}`);
}

/** From this length on arrays grow by a quarter: growing by a half wasted 40 % of the space for 200,000 chunks. */
const LARGE = 2 ** 18;

/** The new length of a full array: half as long again, or a quarter for a large array. */
function grownLength(length: number, needed: number): number {
  return Math.max(needed, Math.ceil(length * (length < LARGE ? 1.5 : 1.25)));
}

/** A copy with capacity for at least `needed` numbers, and some more. */
export function grown<T extends NumberArray>(array: T, needed: number): T {
  const larger = emptyLike(array, needed);
  larger.set(array);
  return larger;
}

/** Numbers copied per step: about a millisecond, most of it for page faults of new memory. */
const COPIED_AT_ONCE = 1 << 18;

/** Like `grown`, in steps. Changes that are made meanwhile may be missing. */
export function* grownInSteps<T extends NumberArray>(array: T, needed: number): Generator<void, T> {
  const larger = emptyLike(array, needed);
  for (let from = 0; from < array.length; from += COPIED_AT_ONCE) {
    larger.set(array.subarray(from, from + COPIED_AT_ONCE), from);
    yield;
  }
  return larger;
}

function emptyLike<T extends NumberArray>(array: T, needed: number): T {
  const Type = array.constructor as new (length: number) => T;
  return new Type(grownLength(array.length, needed));
}

/** Like `grown`, for bytes. */
export function grownBytes(bytes: Buffer, needed: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(grownLength(bytes.length, needed));
  bytes.copy(larger);
  return larger;
}
