/** The files of an index, as its passes know them: the hash of each that is stored, and how each is recognized unread. */

import {
  CUT_TIMEOUT,
  type FileEncoding,
  type FileRecord,
  type KnownExclusion,
  PARSE_TIMEOUT,
} from "../contracts/model.ts";
import type { ExclusionChanges } from "../contracts/store.ts";

type StoredRecord = Pick<FileRecord, "path" | "sha256" | "statFingerprint" | "encoding"> &
  Partial<Pick<FileRecord, "parse">>;

/** A file for which there is not enough time on a quiet machine either is not tried by every pass. */
const MAX_ATTEMPTS = 3;
/** Ends the rule of such a file, so that it is not tried after a restart of the engine either. */
const GIVEN_UP = `, in ${MAX_ATTEMPTS} attempts`;

/** The only owner of these tables: passes and the replica sync change them through it, after each commit. */
export class StoredFiles {
  readonly #hashes: Map<string, string>;
  readonly #fingerprints: Map<string, string>;
  /** Files that are not stored, for what is in them. */
  readonly #exclusions: Map<string, KnownExclusion>;
  /** Paths whose exclusion is not what the store says. */
  readonly #changedExclusions = new Set<string>();
  /** How often each of the files was parsed here for which there was not enough time. */
  readonly #unfinished: Map<string, number>;
  /** The same for files that are left out because of it. */
  readonly #untimely = new Map<string, number>();
  /** Of the files whose bytes do not tell. */
  readonly #encodings: Map<string, FileEncoding>;

  constructor(
    hashes: ReadonlyMap<string, string> = new Map(),
    fingerprints: ReadonlyMap<string, string> = new Map(),
    unfinished: readonly string[] = [],
    exclusions: readonly KnownExclusion[] = [],
    encodings: ReadonlyMap<string, FileEncoding> = new Map(),
  ) {
    this.#encodings = new Map(encodings);
    this.#unfinished = new Map(unfinished.map((path) => [path, 0]));
    this.#hashes = new Map(hashes);
    this.#fingerprints = new Map(fingerprints);
    this.#exclusions = new Map(exclusions.map((each) => [each.path, each]));
    for (const { path, rule } of exclusions) if (isTriedAgain(rule)) this.#untimely.set(path, 0);
  }

  get size(): number {
    return this.#hashes.size;
  }

  paths(): Iterable<string> {
    return this.#hashes.keys();
  }

  has(path: string): boolean {
    return this.#hashes.has(path);
  }

  /** The sha256 of what is stored. */
  hash(path: string): string | undefined {
    return this.#hashes.get(path);
  }

  /** Whether it is read again though it is what it was before: there was not enough time for it. */
  isUnfinished(path: string): boolean {
    const attempts = this.#unfinished.get(path) ?? this.#untimely.get(path) ?? MAX_ATTEMPTS;
    return attempts < MAX_ATTEMPTS;
  }

  /** The files that are stored without what a grammar tells. */
  get unfinished(): number {
    return this.#unfinished.size;
  }

  /** How the file was read; undefined where its bytes tell. */
  encoding(path: string): string | undefined {
    return this.#encodings.get(path)?.name;
  }

  /** The files whose bytes do not tell how to read them. */
  encodedPaths(): Iterable<string> {
    return this.#encodings.keys();
  }

  /** By encoding, how many files are read in it by a guess. */
  get guessedEncodings(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { name, isGuess } of this.#encodings.values())
      if (isGuess) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  }

  /** Undefined where the file has to be read to be recognized. */
  fingerprint(path: string): string | undefined {
    return this.#fingerprints.get(path) ?? this.#exclusions.get(path)?.statFingerprint;
  }

  /** The rule by which a file is not stored, for what was in it when it had the fingerprint. */
  exclusionRule(path: string): string | undefined {
    return this.#exclusions.get(path)?.rule;
  }

  excludedPaths(): Iterable<string> {
    return this.#exclusions.keys();
  }

  exclude(exclusion: KnownExclusion): void {
    const { path } = exclusion;
    this.#exclusions.set(path, { ...exclusion, rule: this.#withAttempts(exclusion) });
    this.#changedExclusions.add(path);
  }

  #withAttempts({ path, rule, statFingerprint }: KnownExclusion): string {
    if (!isTriedAgain(rule)) {
      this.#untimely.delete(path);
      return rule;
    }
    const isSame = this.#exclusions.get(path)?.statFingerprint === statFingerprint;
    const attempts = (isSame ? (this.#untimely.get(path) ?? 0) : 0) + 1;
    this.#untimely.set(path, attempts);
    return attempts < MAX_ATTEMPTS ? rule : `${rule}${GIVEN_UP}`;
  }

  /** It is stored, or gone. */
  forgetExclusion(path: string): void {
    this.#untimely.delete(path);
    if (this.#exclusions.delete(path)) this.#changedExclusions.add(path);
  }

  /** They are taken as stored from now on. */
  takeChangedExclusions(): ExclusionChanges {
    const changed = [...this.#changedExclusions];
    this.#changedExclusions.clear();
    const excluded = changed.flatMap((path) => this.#exclusions.get(path) ?? []);
    return { excluded, forgotten: changed.filter((path) => !this.#exclusions.has(path)) };
  }

  /** A file was committed, here or by another engine. */
  put({ path, sha256, statFingerprint, parse, encoding }: StoredRecord): void {
    const attempts = this.#hashes.get(path) === sha256 ? (this.#unfinished.get(path) ?? 0) : 0;
    if (parse?.message?.startsWith(PARSE_TIMEOUT)) this.#unfinished.set(path, attempts + 1);
    else this.#unfinished.delete(path);
    if (encoding === undefined) this.#encodings.delete(path);
    else this.#encodings.set(path, encoding);
    this.#hashes.set(path, sha256);
    this.forgetFingerprint(path);
    this.forgetExclusion(path);
    this.recognize(path, statFingerprint);
  }

  remove(path: string): void {
    this.#encodings.delete(path);
    this.#unfinished.delete(path);
    this.#hashes.delete(path);
    this.#fingerprints.delete(path);
  }

  /** A file that was read turned out to be what is stored. */
  recognize(path: string, fingerprint: string | undefined): void {
    if (fingerprint !== undefined) this.#fingerprints.set(path, fingerprint);
  }

  /** What it was recognized by is of before: it was written again with the same text, a moment ago. */
  forgetFingerprint(path: string): void {
    this.#fingerprints.delete(path);
  }

  /** Every file is read by the next pass. */
  forgetFingerprints(): void {
    this.#fingerprints.clear();
    this.#untimely.clear();
    for (const each of this.#exclusions.values())
      this.#exclusions.set(each.path, { ...each, statFingerprint: "" });
  }

  clear(): void {
    this.#encodings.clear();
    this.#unfinished.clear();
    this.#untimely.clear();
    this.#hashes.clear();
    this.#fingerprints.clear();
    this.#exclusions.clear();
    this.#changedExclusions.clear();
  }
}

/** Whether the next passes try a file that is left out by this rule. */
function isTriedAgain(rule: string): boolean {
  return rule.startsWith(CUT_TIMEOUT) && !rule.endsWith(GIVEN_UP);
}
