/** Guesses the encoding of text that is not UTF-8 by letter frequencies (jschardet). */

import { knownEncoding } from "./decode-as.ts";

/** Bytes of non-ASCII lines; more do not improve the guess and cost 0.3 ms per kB. */
const MAX_SAMPLE_BYTES = 8192;

/**
 * The detector's names of encodings that occur in source code, and the labels of `TextDecoder`. The detector is limited to
 * these: with all of its encodings, it is wrong for one-line comments more often (10 of 40 instead of 2).
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
/** Other names in the detector's results. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  big5: "big5",
  "euc-kr": "euc-kr",
  shift_jis: "shift_jis",
  cp1258: "windows-1258",
};

/** Encodings of Latin alphabets; most letters of such texts are ASCII. */
const LATIN: ReadonlySet<string> = new Set(
  "iso-8859-2 windows-1250 windows-1252 windows-1254 windows-1257 windows-1258".split(" "),
);

/** The fallback: a few letters in Western European names are not enough for a guess. */
const WESTERN = "windows-1252";
const UTF_8 = "utf-8";

/**
 * Below the first cutoff the detector was wrong in 9 of 10 cases. For a few letters, as in the name "René", wrong guesses
 * have a confidence of up to 0.08 (300 lines with names of authors), so the cutoff is higher.
 */
const MIN_CONFIDENCE = 0.05;
const FEW_LETTERS = 5;
const MIN_CONFIDENCE_FEW_LETTERS = 0.12;

/** Letters of non-Latin alphabets are next to each other. A single one among ASCII letters is a Latin letter. */
const MIN_ADJACENT_SHARE = 0.5;

/** A label of `TextDecoder`. Deterministic. */
export async function guessEncoding(bytes: Uint8Array): Promise<string> {
  const sample = linesNotAscii(bytes);
  const { valid, invalid } = countUtf8(sample);
  // Mostly UTF-8, with a damaged line or a line in another encoding.
  if (valid > invalid) return UTF_8;
  const guess = await askDetector(sample);
  if (guess.kind === "text" && isLikely(sample, guess)) return guess.name;
  // In mixed text, keep the valid UTF-8.
  return guess.kind === "text" && valid === 0 ? WESTERN : UTF_8;
}

type Guess =
  | { readonly kind: "text"; readonly name: string; readonly confidence: number }
  | { readonly kind: "unknown" };

/** Loads the detector on first use: its tables take 60 MB of memory, and most workspaces are UTF-8. */
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
  if (confidence < (all < FEW_LETTERS ? MIN_CONFIDENCE_FEW_LETTERS : MIN_CONFIDENCE)) return false;
  if (LATIN.has(name)) return true;
  const adjacent = other.reduce((sum, run) => sum + (run.length > 1 ? run.length : 0), 0);
  return adjacent >= all * MIN_ADJACENT_SHARE;
}

/** The first non-ASCII lines, up to the sample size; a long line begins at its first non-ASCII byte. */
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

/** Counts multi-byte characters and invalid sequences. */
function countUtf8(bytes: Uint8Array): { readonly valid: number; readonly invalid: number } {
  let valid = 0;
  let invalid = 0;
  for (const character of new TextDecoder().decode(bytes)) {
    if (character === "\ufffd") invalid++;
    else if (character > "\u007f") valid++;
  }
  return { valid, invalid };
}
