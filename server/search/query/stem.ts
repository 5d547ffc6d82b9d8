/** Light English stemming, so that `requests`, `requested` and `requesting` count as one word. */

import { memoize } from "../../common/memoize.ts";
import { cutToken, tokensOf, wordsOfToken } from "../../common/words.ts";

/** Shorter words are mostly abbreviations (`bus`, `ring`), which stemming would merge wrongly. */
const MIN_LENGTH = 4;
const MIN_STEM_LENGTH = 3;

/** Longer words are identifiers written without a boundary. */
const MAX_LENGTH = 20;

const PLAIN = /^[a-z]+$/;
const VOWEL = /[aeiouy]/;

/** Irregular forms that the rules would confuse with regular forms of another word. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  `used use using use indices index vertices vertex matrices matrix appendices appendix analyses analysis axes axis
   tied tie died die lied lie children child people person men man women woman halves half wolves wolf leaves leaf lives life`
    .split(/\s+/)
    .flatMap((word, i, all): [string, string][] =>
      i % 2 === 0 ? [[word, all[i + 1] ?? word]] : [],
    ),
);

/** Words that end like a plural, a past tense or a participle but are base forms; their own plurals follow the rules. */
const WHOLE: ReadonlySet<string> = new Set(
  `alias bias canvas atlas pandas news lens series species chaos kudos always perhaps
   embed bleed breed exceed feed heed need proceed seed speed succeed weed indeed shed sled hundred infrared sacred testbed
   during nothing something anything everything morning evening ceiling`.split(/\s+/),
);

/** The irregular words by their stem. */
const IRREGULAR_FORMS = formsByStem();

/** A cache of stems for words of queries, names and paths; about 2 MB when full. */
const REMEMBERED_WORDS = 20_000;

/** The stem of one lower-case word. Words that are not plain ASCII letters are returned as they are. */
export function stem(word: string): string {
  return word.length < MIN_LENGTH || word.length > MAX_LENGTH ? word : knownStem(word);
}

const knownStem = memoize((word) => {
  if (!PLAIN.test(word)) return word;
  const regular = IRREGULAR.get(word) ?? withoutPlural(word);
  return withoutSilentEnd(withoutVerbEnding(regular));
}, REMEMBERED_WORDS);

/** The beginnings of all words with this stem: the stem itself, except for the y of `query` and `queries` and for irregular words. */
export function prefixesOf(stemmed: string): string[] {
  const hasY = stemmed.length >= MIN_STEM_LENGTH && stemmed.endsWith("y");
  const regular = hasY ? stemmed.slice(0, -1) : stemmed;
  const others = IRREGULAR_FORMS.get(stemmed) ?? [];
  return [regular, ...others.filter((form) => !form.startsWith(regular))];
}

function formsByStem(): ReadonlyMap<string, readonly string[]> {
  const forms = new Map<string, string[]>();
  for (const [word, regular] of IRREGULAR) {
    const stemmed = withoutSilentEnd(withoutVerbEnding(regular));
    forms.set(stemmed, [...(forms.get(stemmed) ?? []), word]);
  }
  return forms;
}

function withoutPlural(word: string): string {
  if (WHOLE.has(word) || !word.endsWith("s") || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz)es$/.test(word) || WHOLE.has(word.slice(0, -2))) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutVerbEnding(word: string): string {
  if (WHOLE.has(word)) return word;
  if (word.endsWith("ied") && word.length > 4) return `${word.slice(0, -3)}y`;
  // `agreed` of `agree`.
  if (word.endsWith("eed")) return word.slice(0, -1);
  const ending = word.endsWith("ing") ? 3 : word.endsWith("ed") ? 2 : 0;
  if (ending === 0) return word;
  const rest = word.slice(0, -ending);
  if (rest.length < MIN_STEM_LENGTH || !VOWEL.test(rest)) return word;
  return rest.length > MIN_STEM_LENGTH && /([bdgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest;
}

/** `parse` must meet `parsing`, which lost its e; `cookie` meets `cookies`, `install` and `control` their double forms. */
function withoutSilentEnd(word: string): string {
  if (word.length <= MIN_STEM_LENGTH) return word;
  if (word.endsWith("ie")) return `${word.slice(0, -2)}y`;
  if (word.endsWith("e")) return word.slice(0, -1);
  return /[aeiouy].*[^aeiouy].*[aeiouy]ll$/.test(word) ? word.slice(0, -1) : word;
}

/** The terms that are counted for one token: its parts are stemmed; the whole, which comes behind them, is not. */
export function termsOfToken(token: string): string[] {
  return termsOfWords(cutToken(token));
}

/** The terms of a text in order, with repetitions. */
export function termsOfText(text: string): string[] {
  return tokensOf(text).flatMap((token) => termsOfWords(wordsOfToken(token)));
}

/** The terms of the words of one token. */
function termsOfWords(words: readonly string[]): string[] {
  const parts = words.length > 1 ? words.length - 1 : 1;
  return words.map((word, i) => (i < parts ? stem(word) : word));
}

/**
 * Stems a list of words whose original tokens are lost.
 *
 * A compound follows its parts, so it is recognized as their concatenation, or by its separator, and is not stemmed.
 */
export function termsOf(words: readonly string[]): string[] {
  return words.map((word, i) => (isWhole(words, i) ? word : stem(word)));
}

function isWhole(words: readonly string[], at: number): boolean {
  let rest = words[at] ?? "";
  if (rest.includes("_") || rest.includes("$")) return true;
  const before = at > 0 ? (words[at - 1] ?? "") : "";
  // Most words end unlike the one before.
  if (before.charCodeAt(before.length - 1) !== rest.charCodeAt(rest.length - 1)) return false;
  for (let i = at - 1; i >= 0 && rest !== ""; i--) {
    const part = words[i] ?? "";
    if (part === "" || !rest.endsWith(part) || (rest.length === part.length && i === at - 1))
      return false;
    rest = rest.slice(0, -part.length);
  }
  return rest === "" && at > 0;
}
