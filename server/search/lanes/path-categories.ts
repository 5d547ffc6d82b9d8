/** The category of each file of an index, which depends on what other files there are. */

import { getOrCreate } from "../../common/get-or-create.ts";
import type { Category } from "../../contracts/model.ts";

/** Decides for the files of a repository that has these paths. */
export type Categorizer = (
  paths: Iterable<string>,
) => (path: string, languageId: string) => Category;

/** Decided when first asked for, and again after a path came or went. */
export class PathCategories {
  readonly #categorizer: Categorizer;
  readonly #paths: () => Iterable<string>;
  #categorize: ReturnType<Categorizer> | undefined;
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
      this.#categorize ??= this.#categorizer(this.#paths());
      return this.#categorize(path, languageId);
    });
  }

  /** Call it when the set of paths changes, or a file's language. */
  forget(): void {
    this.#categorize = undefined;
    this.#known.clear();
    this.#state++;
  }
}
