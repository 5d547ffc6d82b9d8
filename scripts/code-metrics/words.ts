/** Wordings of the vocabulary's first section: each should be replaced by what the field says. */

const constant = (prefix: string) => new RegExp(String.raw`\b${prefix}_[A-Z_]+\b`, "g");

/** The words to count, and the expressions that find them. Counts are of occurrences, and some of them are legitimate. */
export const WORDS: readonly (readonly [name: string, expression: RegExp])[] = [
  ["MOST_X", constant("MOST")],
  ["FEWEST_X", constant("FEWEST")],
  ["LONGEST_X", constant("LONGEST")],
  ["OLDEST_X, LARGEST_X, DEEPEST", /\b(?:OLDEST|LARGEST|DEEPEST)(?:_[A-Z_]+)?\b/g],
  ["PATIENCE, patienceMs", /\bPATIENCE\w*|\bpatience(?:Ms)?\b/g],
  ["most (for at most): mostX", /\bmost[A-Z]\w*/g],
  ["so many, so long, so much", /\bso (?:many|long|much)\b(?! as\b)/gi],
  ["anew", /\banew\b/gi],
  ["whoever, whatever", /\b(?:whoever|whatever)\b/gi],
  ["by which, of which, those that", /\b(?:by which|of which|those that|the one that)\b/gi],
  ["somebody, nobody, everybody", /\b(?:somebody|nobody|everybody|anybody)\b/gi],
  ["goes on, go on", /\b(?:goes|go|went|going) on\b/gi],
  ["lies, lie (is stored)", /\b(?:lies|lie|lay)\b/gi],
  ["stands, stand (is)", /\b(?:stands|stand|stood)\b/gi],
  [
    "a user, a row, a chunk, a file (per)",
    /\b(?:one \w+|bytes|kB|MB|tasks?|rows?) an? (?:user|row|chunk|file|index|second|line)\b/gi,
  ],
  [
    "British spelling",
    /\b\w*(?:colour|behaviour|neighbour|favour|licence|recognis|normalis|quantis|initialis|centred)\w*/gi,
  ],
];
