/** Looks through whole files, in a worker thread: counts matches, and lists some of them. */

import {
  type FileToScan,
  type ListedPlaces,
  type ListJob,
  type MatchingFile,
  type NoText,
  PATH_SEPARATOR,
  type ScanFailure,
  type ScanJob,
  type Scanned,
  type Sought,
  type WholeText,
} from "../../contracts/scanner.ts";
import { listMatches } from "./find-places.ts";
import { compileMatcher, type InvalidPattern, type Matcher } from "./matcher.ts";

export interface ScanTools {
  /** Immediately for a kept text: waiting for each of thousands takes longer than looking through them. */
  read(
    root: string,
    file: FileToScan,
    maxFileBytes: number,
  ): WholeText | NoText | Promise<WholeText | NoText>;
  /** The language of a file by its path and the beginning of its text. */
  detect(path: string, head: string): string;
}

/** A few kilobytes, which say what language a file is in. */
const HEAD_LENGTH = 4_096;

/** A pattern takes milliseconds to compile, and each scan of a workspace is several jobs. */
let latest: { readonly key: string; readonly matcher: Matcher | InvalidPattern } | undefined;

function matcherOf(sought: Sought): Matcher | InvalidPattern {
  const key = JSON.stringify(sought);
  if (latest?.key !== key) latest = { key, matcher: compileMatcher(sought) };
  return latest.matcher;
}

/** The paths of the latest job. The same texts are found in maps without hashing them again. */
let latestPaths: { readonly joined: string; readonly paths: readonly string[] } | undefined;

function pathsOf(joined: string): readonly string[] {
  if (latestPaths?.joined !== joined)
    latestPaths = { joined, paths: joined === "" ? [] : joined.split(PATH_SEPARATOR) };
  return latestPaths.paths;
}

export async function scanFiles(job: ScanJob, { read, detect }: ScanTools): Promise<Scanned> {
  const matcher = matcherOf(job.sought);
  if ("problem" in matcher) return { kind: "invalid", problem: matcher.problem };
  const { root, known, maxFileBytes } = job;
  const paths = pathsOf(job.paths);
  const begun = performance.now();
  const isTimeUp = () => performance.now() > begun + job.limitMs;
  const isSliceUp = () => performance.now() > begun + Math.min(job.sliceMs, job.limitMs);
  const matching: MatchingFile[] = [];
  const failures: { path: string; reason: ScanFailure }[] = [];
  let files = 0;
  for (let at = job.from; at < paths.length; at++) {
    const path = paths[at] as string;
    if (files > 0 ? isSliceUp() : isTimeUp()) break;
    const reading = read(root, { path, ...known.get(path) }, maxFileBytes);
    const whole = reading instanceof Promise ? await reading : reading;
    if ("failure" in whole) {
      if (whole.failure !== undefined) failures.push({ path, reason: whole.failure });
    } else {
      const matches = countIn(whole, matcher, isTimeUp);
      if (matches === undefined) break;
      if (matches > 0) {
        const languageId = detect(path, whole.text.slice(0, HEAD_LENGTH));
        matching.push({ path, matches, languageId });
      }
    }
    files++;
  }
  return { kind: "scanned", files, matching, failures };
}

/** Secrets are looked for in matching files only. A match inside a secret is not confirmed. */
function countIn(whole: WholeText, matcher: Matcher, isTimeUp: () => boolean): number | undefined {
  const { text, masked } = whole;
  if (matcher.trigrams !== undefined && !whole.mayHave(matcher.trigrams)) return 0;
  const matches = matcher.count(text, isTimeUp);
  if (matches === undefined || matches === 0) return matches;
  const shown = masked();
  return shown === text ? matches : matcher.count(shown, isTimeUp);
}

export async function listPlaces(
  job: ListJob,
  { read }: Pick<ScanTools, "read">,
): Promise<readonly ListedPlaces[]> {
  const matcher = matcherOf(job.sought);
  if ("problem" in matcher) return [];
  const listed: ListedPlaces[] = [];
  for (const file of job.files) {
    const whole = await read(job.root, file, job.maxFileBytes);
    if ("failure" in whole) continue;
    const { sha256 } = whole;
    listed.push({ path: file.path, sha256, places: listMatches(whole.masked(), matcher, file) });
  }
  return listed;
}
