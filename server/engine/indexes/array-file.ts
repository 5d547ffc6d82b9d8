/** A container file of named numeric arrays: compressed, checksummed, and replaced atomically by a rename. */

import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, crc32 } from "node:zlib";
import { messageOf } from "../../common/errors.ts";
import {
  DamagedArrays,
  type NumberArray,
  type PackedArrays,
} from "../../common/packed/packed-arrays.ts";

/** Version of this layout and of the meaning of the arrays: files of other versions are rejected. */
const MAGIC = "cocosearch arrays 3\n";

/** After the magic: the length of the header, and its checksum. */
const HEADER_AT = MAGIC.length + 8;
const MAX_HEADER_BYTES = 1_000_000;
/** Between two pieces, requests are answered. */
const PIECE_BYTES = 4_000_000;

/** The fastest level of brotli: as small as deflate at level 1, in half the time. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
/**
 * A piece is compressed if its beginning shrinks to at most this ratio. At .8 the lanes of rails would be 31 instead
 * of 35 of 50 MB, but load 70 ms slower; vectors hardly shrink.
 */
const WORTHWHILE = 0.5;
const SAMPLE_BYTES = 65_536;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

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
  /** Checksum of the array's bytes. */
  readonly checksum: number;
  /** Stored bytes of each piece; equal to the piece's size if it is not compressed. */
  readonly stored: readonly number[];
}

interface Header {
  /** Identifies what the arrays belong to; chosen by the writer. */
  readonly belongsTo: string;
  readonly arrays: readonly ArrayEntry[];
}

/** Files are not portable: a machine with another byte order only reads its own. */
const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/**
 * Writes the arrays and returns true; returns false if `isCurrent` becomes false meanwhile. The old file stays until
 * the new one is complete.
 */
export async function writeArrays(
  path: string,
  belongsTo: string,
  arrays: PackedArrays,
  isCurrent: () => boolean,
): Promise<boolean> {
  return await replaceFile(
    path,
    async (file) => (await writeAll(file, belongsTo, arrays, isCurrent)) && isCurrent(),
  );
}

/**
 * Writes a file that `readParts` has read elsewhere. Returns false if there is none, or `isWanted` rejects its header, which is the
 * first part. `readArrays` compares the checksums. Throws DamagedArrays for more than `maxBytes`.
 */
export async function writeParts(
  path: string,
  parts: AsyncIterable<Uint8Array>,
  isWanted: (belongsTo: string) => boolean,
  maxBytes: number,
): Promise<boolean> {
  return await replaceFile(path, async (file) => {
    let at = 0;
    for await (const part of parts) {
      if (at + part.length > maxBytes) throw new DamagedArrays("it is too large");
      await file.write(part, 0, part.length, at);
      if (at === 0 && !isWanted((await readHeader(file)).header.belongsTo)) return false;
      at += part.length;
    }
    return at > 0;
  });
}

/** The file in parts of at most PIECE_BYTES: its header, and each stored piece. */
export async function* readParts(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  try {
    const { header, at: start } = await readHeader(file);
    yield await readBytes(file, 0, start);
    let at = start;
    for (const bytes of header.arrays.flatMap(({ stored }) => stored)) {
      yield await readBytes(file, at, bytes);
      at += bytes;
    }
  } finally {
    await file.close();
  }
}

/** The old file stays until `write` has resolved to true. */
async function replaceFile(
  path: string,
  write: (file: FileHandle) => Promise<boolean>,
): Promise<boolean> {
  const draft = `${path}.new-${process.pid}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await removeDrafts(path);
  try {
    const file = await open(draft, "wx+", 0o600);
    try {
      if (!(await write(file))) return false;
    } finally {
      await file.close();
    }
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
    const stored: number[] = [];
    let checksum = 0;
    for (const piece of piecesOf(array)) {
      checksum = crc32(piece, checksum);
      const written = await smaller(piece);
      pieces.push(written);
      stored.push(written.length);
      // A change from here on is noticed before the next piece.
      if (!isCurrent()) return false;
    }
    const type = array.constructor.name as TypeName;
    entries.push({ name, type, length: array.length, checksum, stored });
  }
  let at = 0;
  for (const piece of [headerBytes({ belongsTo, arrays: entries }), ...pieces]) {
    await file.write(piece, 0, piece.length, at);
    at += piece.length;
    if (!isCurrent()) return false;
  }
  return true;
}

/** The piece compressed on another thread, or as it is if that saves little. */
async function smaller(piece: Uint8Array): Promise<Uint8Array> {
  const sample = piece.subarray(0, SAMPLE_BYTES);
  const compressed = await compress(sample, COMPRESSION);
  if (compressed.length > WORTHWHILE * sample.length) return piece;
  if (sample.length === piece.length) return compressed;
  const whole = await compress(piece, COMPRESSION);
  return whole.length < piece.length ? whole : piece;
}

export interface ArrayFile {
  readonly belongsTo: string;
  readonly arrays: PackedArrays;
}

/** Undefined if the file is missing or `isWanted` rejects it. Throws DamagedArrays, also for arrays of more than `maxBytes`. */
export async function readArrays(
  path: string,
  isWanted: (belongsTo: string) => boolean,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<ArrayFile | undefined> {
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { header, at: start } = await readHeader(file);
    if (!isWanted(header.belongsTo)) return undefined;
    if (unpackedBytes(header) > maxBytes) throw new DamagedArrays("it is too large");
    const { size } = await file.stat();
    const arrays = new Map<string, NumberArray>();
    let at = start;
    for (const entry of header.arrays) {
      arrays.set(entry.name, await readArray(file, entry, at, size));
      at += storedBytes(entry);
    }
    if (at !== size) throw new DamagedArrays("it is longer than its header says");
    return { belongsTo: header.belongsTo, arrays };
  } finally {
    await file.close();
  }
}

/** Deletes drafts of interrupted processes. */
export async function removeDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const drafts = names.filter((name) => name.startsWith(`${basename(path)}.new-`));
  await Promise.all(drafts.map((name) => rm(join(folder, name), { force: true })));
}

async function readHeader(file: FileHandle): Promise<{ header: Header; at: number }> {
  const first = await readBytes(file, 0, HEADER_AT);
  if (first.toString("latin1", 0, MAGIC.length) !== MAGIC || !isLittleEndian) {
    throw new DamagedArrays("it has another format version");
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
  entry: ArrayEntry,
  at: number,
  end: number,
): Promise<NumberArray> {
  const { name, type, length, checksum, stored } = entry;
  if (at + storedBytes(entry) > end) throw new DamagedArrays(`${name} is truncated`);
  const array = new TYPES[type](length);
  let found = 0;
  let from = at;
  for (const [index, piece] of piecesOf(array).entries()) {
    const bytes = stored[index] ?? 0;
    await readPiece(file, piece, from, bytes).catch((error: unknown) => {
      throw new DamagedArrays(`${name} is damaged: ${messageOf(error)}`);
    });
    found = crc32(piece, found);
    from += bytes;
  }
  if (found !== checksum) throw new DamagedArrays(`${name} is damaged`);
  return array;
}

/** Reads a piece that takes `bytes` bytes in the file. */
async function readPiece(
  file: FileHandle,
  piece: Uint8Array,
  at: number,
  bytes: number,
): Promise<void> {
  if (bytes === piece.length) {
    const { bytesRead } = await file.read(piece, 0, bytes, at);
    if (bytesRead !== bytes) throw new DamagedArrays("it is truncated");
    return;
  }
  const compressed = await readBytes(file, at, bytes);
  // A piece that decompresses to fewer bytes fails the checksum.
  piece.set(await decompress(compressed, { maxOutputLength: piece.length }));
}

function unpackedBytes({ arrays }: Header): number {
  return arrays.reduce(
    (sum, { type, length }) => sum + Math.abs(length) * TYPES[type].BYTES_PER_ELEMENT,
    0,
  );
}

function storedBytes({ stored }: ArrayEntry): number {
  return stored.reduce((sum, bytes) => sum + bytes, 0);
}

async function readBytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  if (bytesRead !== length) throw new DamagedArrays("it is truncated");
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
