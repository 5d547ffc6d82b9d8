/** Finds files with similar names, such as a test and its implementation. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { baseNameOf } from "../../common/relative-path.ts";
import { identifierPartsOf } from "../../common/words.ts";

/** Stop words: they name the role of a file in its folder, not its subject. */
const GENERAL_WORDS: ReadonlySet<string> = new Set(
  "test tests spec index init mod main lib".split(" "),
);

/** Files per step. */
const STEP_FILES = 100;

/** The part of a project that is read. The number of a file is never reused. */
interface NamedFiles {
  /** The count of numbers, including removed files. */
  readonly size: number;
  has(file: number): boolean;
  path(file: number): string;
}

/** An inverted index of the words in file names. */
export class SimilarFileNames {
  readonly #project: NamedFiles;
  readonly #files = new Map<string, number[]>();
  /** The number of words by file. */
  readonly #counts: number[] = [];

  constructor(project: NamedFiles) {
    this.#project = project;
  }

  /** Indexes files that were added since the last call, in steps. */
  *settle(): Generator<void, void> {
    for (let file = this.#counts.length; file < this.#project.size; file = this.#counts.length) {
      const words = wordsOfName(this.#project.path(file));
      this.#counts.push(words.size);
      for (const word of words) {
        getOrCreate(this.#files, word, () => []).push(file);
      }
      if (file % STEP_FILES === STEP_FILES - 1) yield;
    }
  }

  /** The Jaccard similarity of the words of two file names, for each file that shares a word with the path. */
  similarTo(path: string): Map<number, number> {
    const words = wordsOfName(path);
    const shared = new Map<number, number>();
    for (const word of words)
      for (const file of this.#files.get(word) ?? []) shared.set(file, (shared.get(file) ?? 0) + 1);
    const likeness = new Map<number, number>();
    for (const [file, count] of shared) {
      if (!this.#project.has(file) || this.#project.path(file) === path) continue;
      likeness.set(file, count / (words.size + (this.#counts[file] ?? 0) - count));
    }
    return likeness;
  }
}

/** The words of a file name, without extensions. */
function wordsOfName(path: string): ReadonlySet<string> {
  const [name = ""] = baseNameOf(path).split(".");
  return new Set(identifierPartsOf(name).filter((word) => !GENERAL_WORDS.has(word)));
}
