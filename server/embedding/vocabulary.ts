/** The words of a table as a hash table in typed arrays: shared by all threads, and looked up without creating strings. */

/** Words are numbered in the order of the file. */
export interface Vocabulary {
  /** All words one after another, in UTF-16. */
  readonly units: Uint16Array;
  /** Where each word begins in `units`; one entry more than there are words. */
  readonly starts: Uint32Array;
  /** Open addressing: the word's number plus one at the slot of its hash, 0 in empty slots. */
  readonly slots: Uint32Array;
}

/** Nothing has this number. */
export const NONE = -1;

/** `allocate` gives zeroed memory; words must be in lower case. */
export function createVocabulary(
  words: readonly string[],
  allocate: (bytes: number) => ArrayBufferLike,
): Vocabulary {
  const text = words.join("");
  const units = new Uint16Array(allocate(text.length * 2));
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i);
  const starts = new Uint32Array(allocate((words.length + 1) * 4));
  const slots = new Uint32Array(allocate(slotCount(words.length) * 4));
  for (const [id, word] of words.entries()) {
    starts[id + 1] = (starts[id] as number) + word.length;
    let slot = hash(word, 0, word.length) & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = id + 1;
  }
  return { units, starts, slots };
}

/** The number of the word between two offsets of the text, in either case of ASCII; NONE when it is unknown. */
export function findWord(vocabulary: Vocabulary, text: string, from: number, to: number): number {
  const { units, starts, slots } = vocabulary;
  const mask = slots.length - 1;
  let slot = hash(text, from, to) & mask;
  for (;;) {
    const id = (slots[slot] as number) - 1;
    if (id < 0) return NONE;
    const start = starts[id] as number;
    if ((starts[id + 1] as number) - start === to - from) {
      let at = from;
      while (at < to && lower(text.charCodeAt(at)) === units[start + at - from]) at++;
      if (at === to) return id;
    }
    slot = (slot + 1) & mask;
  }
}

/** A power of two, at most half full: two probes per word on average. */
function slotCount(words: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, words) * 2));
}

/** FNV-1a over UTF-16 units, with its high bits folded in, since the low ones are used. */
function hash(text: string, from: number, to: number): number {
  let value = 0x811c9dc5;
  for (let i = from; i < to; i++) value = Math.imul(value ^ lower(text.charCodeAt(i)), 0x0100_0193);
  return (value ^ (value >>> 15)) >>> 0;
}

function lower(unit: number): number {
  return unit >= 65 && unit <= 90 ? unit + 32 : unit;
}
