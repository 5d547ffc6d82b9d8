/** Encodes text as `TextDecoder` decodes it: Node only writes UTF-8, UTF-16 and Latin-1. */

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** Throws for a character that the encoding does not have. */
export function encode(text: string, encoding: string): Buffer {
  let table = tables.get(encoding);
  if (table === undefined) tables.set(encoding, (table = tableOf(encoding)));
  return Buffer.from(Array.from(text).flatMap((character) => bytesOf(character, table, encoding)));
}

function bytesOf(
  character: string,
  table: ReadonlyMap<string, readonly number[]>,
  encoding: string,
): readonly number[] {
  const bytes = character <= "\u007f" ? [character.charCodeAt(0)] : table.get(character);
  if (bytes === undefined) throw new Error(`${encoding} has no ${character}`);
  return bytes;
}

/** Each text by its sequence of one byte or two; the first one counts. */
function tableOf(encoding: string): Map<string, readonly number[]> {
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if (Array.from(text).length === 1 && text !== "\ufffd" && !table.has(text))
      table.set(text, bytes);
  };
  for (let first = 0x80; first < 0x100; first++) add(first);
  for (let first = 0x81; first < 0xff; first++)
    for (let second = 0x40; second < 0xff; second++) add(first, second);
  return table;
}

/** In UTF-32, little-endian without a mark. */
export function utf32(text: string): Buffer {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const bytes = Buffer.alloc(points.length * 4);
  for (const [i, point] of points.entries()) bytes.writeUInt32LE(point, i * 4);
  return bytes;
}
