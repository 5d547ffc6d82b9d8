/** Lifts files whose name or folder shares words with the question. */

import { memoizeRetained } from "../../common/memoize.ts";
import { identifierPartsOf } from "../../common/words.ts";
import { isNamed, titleOf } from "../paths.ts";
import { stem } from "../query/stem.ts";
import { type Boost, highest, injectCandidates, type Ranked, rescore } from "../ranking.ts";
import { type FrameMatch, matchFrames } from "../report/match-frames.ts";

/**
 * Gain of a file whose name says all of the question's subject and nothing else, as a share of the best score.
 * Comparing with the subject alone gains .019 on commit messages and changes nothing on questions.
 */
const WEIGHT = 1;

/** Less than this share of the question is chance. */
const MIN_SHARE = 0.1;

/** Shorter words are prefixes of too much: `con` of config, connection, console. */
const MIN_PREFIX_LENGTH = 3;

/** The weight of a path that the question names. */
const NAMED = 3;

/** The line that a compiler or a stack trace names is the place itself: more than any other file that is named. */
const FRAME = 5;

/** The decay per frame outwards: the innermost frame is the best evidence. */
const FRAME_DECAY = 0.9;

export const pathWords: Boost = {
  name: "path-words",
  apply: (found, { query, filter, filesMatchingPath }) => {
    if (query.kind === "symbol") return found;
    const injected = injectCandidates(filesMatchingPath, found, filter, { keyword: 0 });
    const hits = injected.length === 0 ? found : [...found, ...injected];
    const best = highest(found) || 1;
    const words = [...new Set(query.subject.filter((word) => word.length > 2).map(stem))];
    const files = new Set(hits.map(({ facts }) => facts.path));
    const matches = matchFiles(words, files);
    const frames = matchFrames(query.frames, files);
    for (const hit of hits) {
      const depth = frames.findIndex(({ file, frame }) => isAt(hit, file, frame.line));
      const named = query.paths.find((path) => isNamed(hit.facts.path, path));
      const match = matches.get(hit.facts.path);
      if (depth >= 0) {
        const gain = Math.max(NAMED, FRAME * FRAME_DECAY ** depth);
        rescore(hit, hit.score + best * gain, "path-words", labelOf(frames[depth]));
      } else if (named !== undefined) {
        rescore(hit, hit.score + best * NAMED, "path-words", named);
      } else if (match !== undefined) {
        rescore(hit, hit.score + best * WEIGHT * match.gain, "path-words", match.words);
      }
    }
    return withoutRepeats(hits, frames);
  },
};

/** Chunks overlap: of the chunks that have the line of a frame, the best one is kept. */
function withoutRepeats(hits: readonly Ranked[], frames: readonly FrameMatch[]): readonly Ranked[] {
  const repeated = new Set<Ranked>();
  for (const { file, frame } of frames) {
    const [, ...others] = hits
      .filter((hit) => isAt(hit, file, frame.line))
      .toSorted((a, b) => b.score - a.score);
    for (const other of others) repeated.add(other);
  }
  return repeated.size === 0 ? hits : hits.filter((hit) => !repeated.has(hit));
}

function isAt({ facts }: Ranked, file: string, line: number): boolean {
  return facts.path === file && facts.lines.start <= line && line <= facts.lines.end;
}

function labelOf(match: FrameMatch | undefined): string {
  return match === undefined ? "" : `${match.file}:${match.frame.line + 1}`;
}

interface Match {
  /** 0 to 1. */
  readonly gain: number;
  readonly words: string;
}

/** The gain of each file whose name or folder has words of the question. */
function matchFiles(words: readonly string[], paths: ReadonlySet<string>): Map<string, Match> {
  const matches = new Map<string, FileWords>();
  for (const path of paths) {
    const match = matchFile(words, path);
    if (match !== undefined) matches.set(path, match);
  }
  const weights = weigh(words, matches.values(), paths.size);
  const weightOf = (some: readonly string[]) =>
    some.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
  const whole = weightOf(words);
  const gains = new Map<string, Match>();
  for (const [path, { matched, coverage }] of matches) {
    const share = weightOf(matched) / whole;
    if (share < MIN_SHARE) continue;
    gains.set(path, { gain: share * (0.5 + 0.5 * coverage), words: matched.join(", ") });
  }
  return gains;
}

/** The words of a question that a path has, one at least, and the share of its name that they are. */
interface FileWords {
  readonly matched: readonly string[];
  readonly coverage: number;
}

interface PathWords {
  readonly name: readonly string[];
  readonly folder: readonly string[];
}

/** A cache for files that recur across searches; about 4 MB when full. */
const REMEMBERED_PATHS = 10_000;

const nameAndFolderOf = memoizeRetained(
  (path): PathWords => ({
    name: identifierPartsOf(titleOf(path)).map(stem),
    folder: identifierPartsOf(path.split("/").at(-2) ?? "").map(stem),
  }),
  REMEMBERED_PATHS,
);

/** `user_cache.py` is half about caches. Undefined for the many paths that have none of the words. */
function matchFile(words: readonly string[], path: string): FileWords | undefined {
  const { name, folder } = nameAndFolderOf(path);
  let matched: string[] | undefined;
  for (const word of words) {
    if (isLikeAny(word, name) || isLikeAny(word, folder)) (matched ??= []).push(word);
  }
  if (matched === undefined) return undefined;
  const covered = name.filter((part) => isLikeAny(part, words));
  return { matched, coverage: covered.length / Math.max(1, name.length) };
}

function isLikeAny(word: string, others: readonly string[]): boolean {
  // An iterator makes an object for each step until V8 optimizes it.
  for (let i = 0; i < others.length; i++) if (isLike(word, others[i] as string)) return true;
  return false;
}

/** A word that every file's name has says nothing: words weigh by their rarity among the files found. */
function weigh(
  words: readonly string[],
  matches: Iterable<FileWords>,
  files: number,
): ReadonlyMap<string, number> {
  const counts = new Map(words.map((word) => [word, 0]));
  for (const { matched } of matches) {
    for (const word of matched) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return new Map(words.map((word) => [word, Math.log(1 + files / (1 + (counts.get(word) ?? 0)))]));
}

function isLike(word: string, part: string): boolean {
  if (word.length < part.length) return word.length >= MIN_PREFIX_LENGTH && part.startsWith(word);
  return word === part || (part.length >= MIN_PREFIX_LENGTH && word.startsWith(part));
}
