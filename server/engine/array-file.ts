/** A file of named arrays of numbers: written beside its place and renamed, checked by checksums when it is read. */

import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import {
  DamagedArrays,
  type NumberArray,
  type PackedArrays,
} from "../common/packed/packed-arrays.ts";

/** Of this layout, and of what the arrays mean: files of another version are not read. */
const MAGIC = "cocosearch arrays 1\n";

/** After the magic: the length of the header, and its checksum. */
const HEADER_AT = MAGIC.length + 8;
const MAX_HEADER_BYTES = 1_000_000;
/** Between two pieces, requests are answered. */
const PIECE_BYTES = 4_000_000;

const TYPES = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
} as const;
type TypeName = keyof typeof TYPES;

interface ArrayEntry {
  readonly name: string;
  readonly type: TypeName;
  readonly length: number;
  readonly checksum: number;
}

interface Header {
  /** What the arrays belong to, as their writer named it. */
  readonly belongsTo: string;
  readonly arrays: readonly ArrayEntry[];
}

/** Which machine orders bytes otherwise is not known to us; its files are its own. */
const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/**
 * Writes the arrays, unless `isCurrent` says in between that they have changed; whether they were written. A file that
 * was there stays until the new one is whole.
 */
export async function writeArrays(
  path: string,
  belongsTo: string,
  arrays: PackedArrays,
  isCurrent: () => boolean,
): Promise<boolean> {
  const draft = `${path}.new-${process.pid}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await removeDrafts(path);
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      if (!(await writeAll(file, belongsTo, arrays, isCurrent))) return false;
    } finally {
      await file.close();
    }
    if (!isCurrent()) return false;
    await rename(draft, path);
    return true;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeAll(
  file: FileHandle,
  belongsTo: string,
  arrays: PackedArrays,
  isCurrent: () => boolean,
): Promise<boolean> {
  const entries: ArrayEntry[] = [];
  const pieces: Uint8Array[] = [];
  for (const [name, array] of arrays) {
    let checksum = 0;
    for (const piece of piecesOf(array)) {
      checksum = crc32(piece, checksum);
      pieces.push(piece);
      // What changes now is noticed before the next piece is written.
      await new Promise(setImmediate);
      if (!isCurrent()) return false;
    }
    const type = array.constructor.name as TypeName;
    entries.push({ name, type, length: array.length, checksum });
  }
  let at = 0;
  for (const piece of [headerBytes({ belongsTo, arrays: entries }), ...pieces]) {
    await file.write(piece, 0, piece.length, at);
    at += piece.length;
    if (!isCurrent()) return false;
  }
  return true;
}

export interface ArrayFile {
  readonly belongsTo: string;
  readonly arrays: PackedArrays;
}

/** Undefined where the file is not there or belongs to something that is not wanted. Throws DamagedArrays. */
export async function readArrays(
  path: string,
  isWanted: (belongsTo: string) => boolean,
): Promise<ArrayFile | undefined> {
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { header, at: start } = await readHeader(file);
    if (!isWanted(header.belongsTo)) return undefined;
    const { size } = await file.stat();
    const arrays = new Map<string, NumberArray>();
    let at = start;
    for (const entry of header.arrays) {
      const array = await readArray(file, entry, at, size);
      arrays.set(entry.name, array);
      at += array.byteLength;
    }
    if (at !== size) throw new DamagedArrays("it is longer than it says");
    return { belongsTo: header.belongsTo, arrays };
  } finally {
    await file.close();
  }
}

/** What an interrupted process left behind. */
export async function removeDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const drafts = names.filter((name) => name.startsWith(`${basename(path)}.new-`));
  await Promise.all(drafts.map((name) => rm(join(folder, name), { force: true })));
}

async function readHeader(file: FileHandle): Promise<{ header: Header; at: number }> {
  const first = await readBytes(file, 0, HEADER_AT);
  if (first.toString("latin1", 0, MAGIC.length) !== MAGIC || !isLittleEndian) {
    throw new DamagedArrays("it is of another version");
  }
  const length = first.readUInt32LE(MAGIC.length);
  if (length > MAX_HEADER_BYTES) throw new DamagedArrays("its header is damaged");
  const bytes = await readBytes(file, HEADER_AT, length);
  if (crc32(bytes) !== first.readUInt32LE(MAGIC.length + 4)) {
    throw new DamagedArrays("its header is damaged");
  }
  return { header: JSON.parse(bytes.toString()) as Header, at: HEADER_AT + length };
}

async function readArray(
  file: FileHandle,
  { name, type, length, checksum }: ArrayEntry,
  at: number,
  end: number,
): Promise<NumberArray> {
  const Type = TYPES[type];
  if (at + length * Type.BYTES_PER_ELEMENT > end) throw new DamagedArrays(`${name} is cut off`);
  const array = new Type(length);
  let found = 0;
  let from = at;
  for (const piece of piecesOf(array)) {
    const { bytesRead } = await file.read(piece, 0, piece.length, from);
    if (bytesRead !== piece.length) throw new DamagedArrays(`${name} is cut off`);
    found = crc32(piece, found);
    from += piece.length;
  }
  if (found !== checksum) throw new DamagedArrays(`${name} is damaged`);
  return array;
}

async function readBytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  if (bytesRead !== length) throw new DamagedArrays("it is cut off");
  return bytes;
}

function headerBytes(header: Header): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32LE(text.length, 0);
  numbers.writeUInt32LE(crc32(text), 4);
  return Buffer.concat([Buffer.from(MAGIC), numbers, text]);
}

/** The bytes of an array, as views. */
function piecesOf({ buffer, byteOffset, byteLength }: NumberArray): Uint8Array[] {
  const count = Math.ceil(byteLength / PIECE_BYTES);
  return Array.from({ length: count }, (_, i) => {
    const from = i * PIECE_BYTES;
    const length = Math.min(PIECE_BYTES, byteLength - from);
    return new Uint8Array(buffer, byteOffset + from, length);
  });
}
