/** A compact format for the term counts and the vector of a commit: 20 thousand commits load in a second. */

/** Term numbers in ascending order, with the occurrences of each. */
export interface TermCounts {
  readonly terms: Int32Array;
  /** Occurrences in quarters, at most 255. */
  readonly counts: Uint8Array;
  /** Length of the text in terms. */
  readonly length: number;
}

/** A vector quantized to int8; `values` times `scale` approximates it. */
export interface SmallVector {
  readonly scale: number;
  readonly values: Int8Array;
}

const TEXT_LANES = ["subject", "body", "added", "removed", "symbols"] as const;
export type TextLane = (typeof TEXT_LANES)[number];

export interface LaneEntry {
  readonly texts: Readonly<Record<TextLane, TermCounts>>;
  readonly vector?: SmallVector;
}

const HEADER_BYTES = 8;
const LARGEST_INT8 = 127;

/** Base64 of, for each text lane, term count and length (uint32), terms (int32) and counts (uint8); then the vector. Little-endian. */
export function packEntry({ texts, vector }: LaneEntry): string {
  const lanes = TEXT_LANES.map((lane) => texts[lane]);
  const bytes = lanes.reduce((sum, { terms }) => sum + HEADER_BYTES + terms.length * 5, 0);
  const packed = Buffer.alloc(bytes + 2 + (vector === undefined ? 0 : 4 + vector.values.length));
  let at = 0;
  for (const { terms, counts, length } of lanes) {
    at = packed.writeUInt32LE(terms.length, at);
    at = packed.writeUInt32LE(length, at);
    for (const term of terms) at = packed.writeInt32LE(term, at);
    packed.set(counts, at);
    at += counts.length;
  }
  at = packed.writeUInt16LE(vector?.values.length ?? 0, at);
  if (vector !== undefined) {
    at = packed.writeFloatLE(vector.scale, at);
    packed.set(
      new Uint8Array(vector.values.buffer, vector.values.byteOffset, vector.values.length),
      at,
    );
  }
  return packed.toString("base64");
}

export function unpackEntry(text: string): LaneEntry {
  const packed = Buffer.from(text, "base64");
  const numbers = new DataView(packed.buffer, packed.byteOffset, packed.length);
  let at = 0;
  const texts = {} as Record<TextLane, TermCounts>;
  for (const lane of TEXT_LANES) {
    const size = numbers.getUint32(at, true);
    const length = numbers.getUint32(at + 4, true);
    at += HEADER_BYTES;
    const terms = new Int32Array(size);
    for (let i = 0; i < size; i++) terms[i] = numbers.getInt32(at + i * 4, true);
    at += size * 4;
    texts[lane] = { terms, counts: new Uint8Array(packed.subarray(at, at + size)), length };
    at += size;
  }
  const dimension = numbers.getUint16(at, true);
  if (dimension === 0) return { texts };
  const scale = numbers.getFloat32(at + 2, true);
  // A copy, so that the entry does not keep the buffer alive.
  const values = new Int8Array(packed.buffer, packed.byteOffset + at + 6, dimension).slice();
  return { texts, vector: { scale, values } };
}

/** Quantizes to int8: the component of the largest magnitude becomes 127. */
export function toSmall(vector: Float32Array): SmallVector {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scale = largest / LARGEST_INT8;
  return { scale, values: Int8Array.from(vector, (value) => Math.round(value / (scale || 1))) };
}
