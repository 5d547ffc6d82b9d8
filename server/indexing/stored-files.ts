/** The files that an index stores, as its passes know them: the hash of each, and how it is recognized unread. */

import type { FileRecord } from "../contracts/model.ts";

/** The only owner of both tables: passes and the replica sync change them through it, after each commit. */
export class StoredFiles {
  readonly #hashes: Map<string, string>;
  readonly #fingerprints: Map<string, string>;

  constructor(
    hashes: ReadonlyMap<string, string> = new Map(),
    fingerprints: ReadonlyMap<string, string> = new Map(),
  ) {
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

  /** Undefined where the file has to be read to be recognized. */
  fingerprint(path: string): string | undefined {
    return this.#fingerprints.get(path);
  }

  /** A file was committed, here or by another engine. */
  put({ path, sha256, statFingerprint }: Pick<FileRecord, "path" | "sha256" | "statFingerprint">) {
    this.#hashes.set(path, sha256);
    this.#fingerprints.delete(path);
    this.recognize(path, statFingerprint);
  }

  remove(path: string): void {
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
    this.#hashes.clear();
    this.#fingerprints.clear();
  }
}
