/** Weights the words of a bug report: a word counts once per kind of part, however often it is repeated. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { wordsOfToken } from "../../common/words.ts";
import { STOP_WORDS } from "../query/stop-words.ts";
import type { PartKind, ReportPart } from "./report-parts.ts";

/** The weight of a word in such a part. */
export const WORD_WEIGHTS: Readonly<Record<PartKind, number>> = {
  title: 4,
  prose: 2,
  message: 2,
  diff: 1,
  code: 1,
  traceback: 0,
  log: 0,
  environment: 0,
  template: 0,
};

/** Words of every report, which say nothing about the place. */
const REPORT_WORDS: ReadonlySet<string> = new Set(
  `actual actually behavior behaviour bug bugs correct currently example expect expected following
  happen happens instead issue issues like looks please problem reproduce result results seem seems
  shows something sure thank thanks think thought version versions want way works working wrong
  wrongly could would should incorrect incorrectly consider below above here hello hi cheers`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

const TOKEN = /[\p{L}\p{N}\p{M}_$]+/gu;
const URL = /\b\w+:\/\/[^\s)>\]]+/g;
/** Numbers of output, hashes and addresses. */
const DATA = /^(?:\d+|0x[\da-f]+|[\da-f]{12,})$/i;
const MAX_TOKEN_LENGTH = 60;

/** In the order of the report, each token with its words, as often as it counts. */
export function wordsOfReport(parts: readonly ReportPart[]): string[] {
  const counts = new Map<string, Map<PartKind, number>>();
  for (const { kind, text } of parts) {
    if (WORD_WEIGHTS[kind] === 0) continue;
    for (const [token] of text.replaceAll(URL, " ").matchAll(TOKEN)) {
      const lower = token.toLowerCase();
      if (STOP_WORDS.has(lower) || REPORT_WORDS.has(lower)) continue;
      if (token.length > MAX_TOKEN_LENGTH || DATA.test(token)) continue;
      getOrCreate(counts, token, () => new Map()).set(kind, 1);
    }
  }
  return [...counts].flatMap(([token, kinds]) => {
    const times = [...kinds.keys()].reduce((sum, kind) => sum + WORD_WEIGHTS[kind], 0);
    const words = wordsOfToken(token);
    return Array.from({ length: times }, () => words).flat();
  });
}
