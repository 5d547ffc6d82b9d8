/** Guesses the encoding of text that is not UTF-8, by a detector that knows which letters follow each other in which language. */

import { knownEncoding } from "./decode-as.ts";

/** Of the lines that are not ASCII: more of them change nothing, and cost .3 ms per kilobyte. */
const MAX_SAMPLE_BYTES = 8192;

/**
 * What the detector calls the encodings in which sources are found, and what `TextDecoder` calls them. Without those of
 * mainframes, Macs and single countries, one comment of a line is enough in 38 of 40 cases, with them in 30 (comments
 * in nine languages).
 */
const LABELS: Readonly<Record<string, string>> = {
  cp932: "shift_jis",
  "euc-jp": "euc-jp",
  gb18030: "gb18030",
  big5hkscs: "big5",
  cp949: "euc-kr",
  "koi8-r": "koi8-r",
  "koi8-u": "koi8-u",
  ibm866: "ibm866",
  "iso-8859-2": "iso-8859-2",
  "windows-1250": "windows-1250",
  "windows-1251": "windows-1251",
  "windows-1252": "windows-1252",
  "windows-1253": "windows-1253",
  "windows-1254": "windows-1254",
  "windows-1255": "windows-1255",
  "windows-1256": "windows-1256",
  "windows-1257": "windows-1257",
  "windows-1258": "windows-1258",
};
/** By other names, in answers. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  big5: "big5",
  "euc-kr": "euc-kr",
  shift_jis: "shift_jis",
  cp1258: "windows-1258",
};

/** Of the alphabet of these, most letters are ASCII. */
const LATIN: ReadonlySet<string> = new Set(
  "iso-8859-2 windows-1250 windows-1252 windows-1254 windows-1257 windows-1258".split(" "),
);

/** What single letters in names and words of Western Europe are, which are too little to guess by. */
const WESTERN = "windows-1252";
const UTF_8 = "utf-8";

/**
 * Where it was less sure, the detector was wrong in 9 of 10 cases. By a few letters it takes names such as "René" for
 * another language, with .08 at most (300 lines with names of authors), and is right where it is surer.
 */
const MIN_CONFIDENCE = 0.05;
const FEW_LETTERS = 5;
const MIN_CONFIDENCE_IN_FEW = 0.12;

/** Letters of other alphabets stand together. One among ASCII letters is of a Latin alphabet, whatever a pair of bytes would mean. */
const MIN_TOGETHER_SHARE = 0.5;

/** A name that `TextDecoder` knows. The same bytes always give the same one. */
export async function guessEncoding(bytes: Uint8Array): Promise<string> {
  const sample = linesNotAscii(bytes);
  const { valid, invalid } = countUtf8(sample);
  // Most of it is UTF-8: a line of another encoding in it, or a damaged one.
  if (valid > invalid) return UTF_8;
  const guess = await askDetector(sample);
  if (guess.kind === "text" && isLikely(sample, guess)) return guess.name;
  // What is UTF-8 in a mixture is not given up for a guess.
  return guess.kind === "text" && valid === 0 ? WESTERN : UTF_8;
}

type Guess =
  | { readonly kind: "text"; readonly name: string; readonly confidence: number }
  | { readonly kind: "unknown" };

/** Loaded when it is first needed: its tables take 60 MB of memory, and most workspaces are UTF-8. */
async function askDetector(sample: Uint8Array): Promise<Guess> {
  const { detect } = await import("jschardet");
  const { encoding, confidence } = detect(sample, { detectEncodings: Object.keys(LABELS) });
  const name = encoding?.toLowerCase() ?? "";
  const label = LABELS[name] ?? OTHER_NAMES[name];
  return label === undefined || knownEncoding(label) === undefined
    ? { kind: "unknown" }
    : { kind: "text", name: label, confidence };
}

function isLikely(
  sample: Uint8Array,
  { name, confidence }: Extract<Guess, { kind: "text" }>,
): boolean {
  const text = new TextDecoder(name).decode(sample);
  const other = text.match(/[^\0-\x7f]+/g) ?? [];
  const all = other.reduce((sum, run) => sum + run.length, 0);
  if (confidence < (all < FEW_LETTERS ? MIN_CONFIDENCE_IN_FEW : MIN_CONFIDENCE)) return false;
  if (LATIN.has(name)) return true;
  const together = other.reduce((sum, run) => sum + (run.length > 1 ? run.length : 0), 0);
  return together >= all * MIN_TOGETHER_SHARE;
}

/** The first lines with bytes that are not ASCII; of a long one from the first such byte on. */
function linesNotAscii(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let left = MAX_SAMPLE_BYTES;
  for (let start = 0; start < bytes.length && left > 0; ) {
    const found = bytes.subarray(start).findIndex((byte) => byte >= 0x80);
    if (found < 0) break;
    const first = start + found;
    const next = bytes.indexOf(LINE_FEED, first);
    const end = next < 0 ? bytes.length : next + 1;
    const begin = Math.max(start, bytes.lastIndexOf(LINE_FEED, first) + 1);
    const part = bytes.subarray(end - begin > left ? first : begin, end).subarray(0, left);
    parts.push(part);
    left -= part.length;
    start = end;
  }
  return Buffer.concat(parts);
}

const LINE_FEED = 10;

/** Characters of several bytes, and bytes that are none. */
function countUtf8(bytes: Uint8Array): { readonly valid: number; readonly invalid: number } {
  let valid = 0;
  let invalid = 0;
  for (const character of new TextDecoder().decode(bytes)) {
    if (character === "\ufffd") invalid++;
    else if (character > "\u007f") valid++;
  }
  return { valid, invalid };
}
