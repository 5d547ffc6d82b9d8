/** Turns comments into the sentences that a person would ask with. */

/** The marks that open, continue and close comments in any of the languages, at the beginning of a line. */
const MARKER =
  /^(?:\/\*[*!]?|\*\/|\*(?!\*)|\/{2,}[!<]*|#+(?!\[)|--\[+=*\[|--+\s?\|?|;+|%+|\{-\s?\|?|"""|'''|@(?:module|type)?doc\s+(?:~[sS])?"*|--\]\])\s?/;
const CLOSER = /(?:\*\/|-\}|\]\]|"""|''')\s*$/;
/** The text after these words does not say what the code does: parameters, examples, licenses, notes to tools. */
const DETAIL =
  /^(?:[@\\](?!brief|summary|desc|return)\w+|:\w+|(?:args|arguments|returns?|raises|parameters?|throws|yields|notes?|examples?|usage|see also|warnings?)\s*:|#+\s|-{3,}|={3,}|- (?:parameters?|returns|throws)|>>>|```|\.\. |iex>|todo|fixme|xxx|nolint|eslint|@ts-|prettier|rubocop|clang-format|copyright|spdx)/i;
const NOT_PROSE =
  /copyright|licensed under|all rights reserved|spdx|auto-?generated|do not edit|inheritdoc|https?:\/\/\S+$/i;
const MAX_WORDS = 45;
const ENOUGH_WORDS = 20;

/** The first sentences of a comment, on one line; undefined for a comment without prose. */
export function proseOf(comment: string): string | undefined {
  const kept: string[] = [];
  for (const raw of comment.split("\n")) {
    const line = raw.trim().replace(MARKER, "").replace(CLOSER, "").trim();
    const text = line.replace(/^[@\\](?:brief|summary|desc\w*|returns?)\s+/, "");
    if (text === "" && kept.join(" ").split(" ").length >= 4) break;
    if (DETAIL.test(text)) {
      if (kept.length > 0) break;
      continue;
    }
    if (text !== "") kept.push(text);
    if (kept.length > 12) break;
  }
  const prose = firstSentences(withoutMarkup(kept.join(" ")));
  return isProse(prose) ? prose : undefined;
}

function withoutMarkup(text: string): string {
  return text
    .replaceAll(/<(?:see|paramref|typeparamref|seealso)\s+\w+="(?:[A-Z]:)?([^"]*)"\s*\/?>/g, "$1")
    .replaceAll(/<\/?[a-z]\w*\s*\/?>/gi, " ")
    .replaceAll(/\{@\w+\s+#?([^}]*)\}/g, "$1")
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replaceAll(/:\w+:`~?([^`<]*)[^`]*`/g, "$1")
    .replaceAll(/https?:\/\/\S+/g, " ")
    .replaceAll(/[`*]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function firstSentences(text: string): string {
  const [first = "", ...rest] = text.split(/(?<=[.!?])\s+(?=\p{Lu})/u);
  let prose = first;
  for (const sentence of rest) {
    const words = prose.split(" ").length;
    if (words >= ENOUGH_WORDS || words + sentence.split(" ").length > MAX_WORDS) break;
    prose += ` ${sentence}`;
  }
  return prose.split(" ").slice(0, MAX_WORDS).join(" ");
}

/** At least three words, most of it letters, and not a license. */
export function isProse(text: string): boolean {
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  const letters = text.match(/[\p{L} ]/gu)?.length ?? 0;
  return words.length >= 3 && letters / text.length >= 0.7 && !NOT_PROSE.test(text);
}
