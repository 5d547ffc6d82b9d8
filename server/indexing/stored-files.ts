/** In-memory tables of an index's files: content hashes, stat fingerprints, exclusions, encodings and parse timeouts. */

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

/** A file that times out this often is not parsed again until it changes. */
const MAX_ATTEMPTS = 3;
/** Suffix of the stored rule of such a file; it holds after a restart of the engine, too. */
const GIVEN_UP = `, in ${MAX_ATTEMPTS} attempts`;

/** Passes and the replica sync update it after each commit. */
export class StoredFiles {
  readonly #hashes: Map<string, string>;
  readonly #fingerprints: Map<string, string>;
  /** Files excluded for their content. */
  readonly #exclusions: Map<string, KnownExclusion>;
  /** Paths whose exclusion differs from the stored one. */
  readonly #changedExclusions = new Set<string>();
  /** Attempts per stored file whose parsing timed out. */
  readonly #unfinished: Map<string, number>;
  /** Attempts per file excluded because cutting it timed out. */
  readonly #timedOut = new Map<string, number>();
  /** Encodings of files whose bytes do not determine them. */
  readonly #encodings: Map<string, FileEncoding>;
  #revision = 0;

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
    for (const { path, rule } of exclusions) if (isRetried(rule)) this.#timedOut.set(path, 0);
  }

  get size(): number {
    return this.#hashes.size;
  }

  /** Another number after each change of the stored paths and their encodings. */
  get revision(): number {
    return this.#revision;
  }

  paths(): Iterable<string> {
    return this.#hashes.keys();
  }

  has(path: string): boolean {
    return this.#hashes.has(path);
  }

  /** The SHA-256 of the stored content. */
  hash(path: string): string | undefined {
    return this.#hashes.get(path);
  }

  /** Whether the file is read again although it is unchanged, because its last attempt timed out. */
  isUnfinished(path: string): boolean {
    const attempts = this.#unfinished.get(path) ?? this.#timedOut.get(path) ?? MAX_ATTEMPTS;
    return attempts < MAX_ATTEMPTS;
  }

  /** The number of files stored without a syntax tree because parsing timed out. */
  get unfinished(): number {
    return this.#unfinished.size;
  }

  /** The declared or guessed encoding; undefined if the bytes determine it. */
  encoding(path: string): string | undefined {
    return this.#encodings.get(path)?.name;
  }

  /** Files with a declared or guessed encoding. */
  encodedPaths(): Iterable<string> {
    return this.#encodings.keys();
  }

  /** The number of files per guessed encoding. */
  get guessedEncodings(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { name, isGuess } of this.#encodings.values())
      if (isGuess) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  }

  /** The stat fingerprint of the stored or excluded file; undefined if the file must be read. */
  fingerprint(path: string): string | undefined {
    return this.#fingerprints.get(path) ?? this.#exclusions.get(path)?.statFingerprint;
  }

  /** The content rule that excluded the file. It applies while the fingerprint is unchanged. */
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
    if (!isRetried(rule)) {
      this.#timedOut.delete(path);
      return rule;
    }
    const isSame = this.#exclusions.get(path)?.statFingerprint === statFingerprint;
    const attempts = (isSame ? (this.#timedOut.get(path) ?? 0) : 0) + 1;
    this.#timedOut.set(path, attempts);
    return attempts < MAX_ATTEMPTS ? rule : `${rule}${GIVEN_UP}`;
  }

  /** Called when the file is stored or deleted. */
  forgetExclusion(path: string): void {
    this.#timedOut.delete(path);
    if (this.#exclusions.delete(path)) this.#changedExclusions.add(path);
  }

  /** Returns the exclusions that changed since the last call; the caller stores them. */
  takeChangedExclusions(): ExclusionChanges {
    const changed = [...this.#changedExclusions];
    this.#changedExclusions.clear();
    const excluded = changed.flatMap((path) => this.#exclusions.get(path) ?? []);
    return { excluded, forgotten: changed.filter((path) => !this.#exclusions.has(path)) };
  }

  /** Records a file that this engine or another one committed. */
  put({ path, sha256, statFingerprint, parse, encoding }: StoredRecord): void {
    this.#revision++;
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
    this.#revision++;
    this.#encodings.delete(path);
    this.#unfinished.delete(path);
    this.#hashes.delete(path);
    this.#fingerprints.delete(path);
  }

  /** Records the fingerprint of a file whose content equals the stored one. */
  recognize(path: string, fingerprint: string | undefined): void {
    if (fingerprint !== undefined) this.#fingerprints.set(path, fingerprint);
  }

  /** Called if the file was rewritten with the same content too recently for a new fingerprint. */
  forgetFingerprint(path: string): void {
    this.#fingerprints.delete(path);
  }

  /** Makes the next pass read every file. */
  forgetFingerprints(): void {
    this.#fingerprints.clear();
    this.#timedOut.clear();
    for (const each of this.#exclusions.values())
      this.#exclusions.set(each.path, { ...each, statFingerprint: "" });
  }

  clear(): void {
    this.#revision++;
    this.#encodings.clear();
    this.#unfinished.clear();
    this.#timedOut.clear();
    this.#hashes.clear();
    this.#fingerprints.clear();
    this.#exclusions.clear();
    this.#changedExclusions.clear();
  }
}

/** Whether the next pass retries a file excluded by this rule. */
function isRetried(rule: string): boolean {
  return rule.startsWith(CUT_TIMEOUT) && !rule.endsWith(GIVEN_UP);
}
