/** The files that an index stores, as its passes know them: the hash of each, and how it is recognized unread. */

import { type FileRecord, PARSE_TIMEOUT } from "../contracts/model.ts";

type StoredRecord = Pick<FileRecord, "path" | "sha256" | "statFingerprint"> &
  Partial<Pick<FileRecord, "parse">>;

/** A file that cannot be parsed in time on a quiet machine either is not tried by every pass. */
const MAX_ATTEMPTS = 3;

/** The only owner of both tables: passes and the replica sync change them through it, after each commit. */
export class StoredFiles {
  readonly #hashes: Map<string, string>;
  readonly #fingerprints: Map<string, string>;
  /** How often each of the files was parsed here for which there was not enough time. */
  readonly #unfinished: Map<string, number>;

  constructor(
    hashes: ReadonlyMap<string, string> = new Map(),
    fingerprints: ReadonlyMap<string, string> = new Map(),
    unfinished: readonly string[] = [],
  ) {
    this.#unfinished = new Map(unfinished.map((path) => [path, 0]));
    this.#hashes = new Map(hashes);
    this.#fingerprints = new Map(fingerprints);
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

  /** Whether it is parsed again though it is what is stored: there was not enough time for it. */
  isUnfinished(path: string): boolean {
    return (this.#unfinished.get(path) ?? MAX_ATTEMPTS) < MAX_ATTEMPTS;
  }

  /** The files that are stored without what a grammar tells. */
  get unfinished(): number {
    return this.#unfinished.size;
  }

  /** Undefined where the file has to be read to be recognized. */
  fingerprint(path: string): string | undefined {
    return this.#fingerprints.get(path);
  }

  /** A file was committed, here or by another engine. */
  put({ path, sha256, statFingerprint, parse }: StoredRecord): void {
    const attempts = this.#hashes.get(path) === sha256 ? (this.#unfinished.get(path) ?? 0) : 0;
    if (parse?.message?.startsWith(PARSE_TIMEOUT)) this.#unfinished.set(path, attempts + 1);
    else this.#unfinished.delete(path);
    this.#hashes.set(path, sha256);
    this.#fingerprints.delete(path);
    this.recognize(path, statFingerprint);
  }

  remove(path: string): void {
    this.#unfinished.delete(path);
    this.#hashes.delete(path);
    this.#fingerprints.delete(path);
  }

  /** A file that was read turned out to be what is stored. */
  recognize(path: string, fingerprint: string | undefined): void {
    if (fingerprint !== undefined) this.#fingerprints.set(path, fingerprint);
  }

  /** Every file is read by the next pass. */
  forgetFingerprints(): void {
    this.#fingerprints.clear();
  }

  clear(): void {
    this.#unfinished.clear();
    this.#hashes.clear();
    this.#fingerprints.clear();
  }
}
