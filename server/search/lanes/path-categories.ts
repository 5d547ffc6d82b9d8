/** The category of each file of an index, which depends on what other files there are. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { runToEnd } from "../../common/slices.ts";
import type { Category } from "../../contracts/model.ts";

type Categorize = (path: string, languageId: string) => Category;

/** Decides for the files of a repository that has these paths, in steps: each path is visited. */
export type Categorizer = (paths: Iterable<string>) => Generator<void, Categorize>;

/** Decided by `prepare` or when first asked for, and again after a path came or went. */
export class PathCategories {
  readonly #categorizer: Categorizer;
  readonly #paths: () => Iterable<string>;
  #categorize: Categorize | undefined;
  readonly #known = new Map<string, Category>();
  #state = 0;

  constructor(categorizer: Categorizer, paths: () => Iterable<string>) {
    this.#categorizer = categorizer;
    this.#paths = paths;
  }

  /** A version that changes if a category may have changed. */
  get state(): number {
    return this.#state;
  }

  of(path: string, languageId: string): Category {
    return getOrCreate(this.#known, path, () => {
      this.#categorize ??= runToEnd(this.#categorizer(this.#paths()));
      return this.#categorize(path, languageId);
    });
  }

  /** Visits the paths now, so that the next question need not. Stop after a change of the paths. */
  *prepare(): Generator<void, void> {
    this.#categorize ??= yield* this.#categorizer(this.#paths());
  }

  /** Call it when the set of paths changes, or a file's language. */
  forget(): void {
    this.#categorize = undefined;
    this.#known.clear();
    this.#state++;
  }
}
