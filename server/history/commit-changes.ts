/** Which files the commits of one repository changed, and what these are called today. */

import type { CommitChangeRow, TouchedFile } from "../contracts/history.ts";

/** A file that was renamed more often goes in circles. */
const MAX_RENAMES = 20;

/** The files of a commit under the names that they have today, each once. */
export interface Change {
  /** In seconds since 1970. */
  readonly time: number;
  readonly paths: readonly string[];
}

/** More commits of one second count as made at once. */
const MAX_PLACE = 2 ** 16 - 1;

/** When a commit was made, in seconds, in the order of its second. */
export function momentOf({ time, place = 0 }: Pick<CommitChangeRow, "time" | "place">): number {
  return time + Math.min(place, MAX_PLACE) / (MAX_PLACE + 1);
}

interface KnownCommit {
  readonly time: number;
  readonly moment: number;
  readonly paths: readonly string[];
}

export class CommitChanges {
  /** By hash; the paths are those of the commit. */
  readonly #commits = new Map<string, KnownCommit>();
  /** A path is the same string for all commits that touched it. */
  readonly #paths = new Map<string, string>();
  /** By the path before. */
  readonly #renames = new Map<string, { readonly to: string; readonly moment: number }[]>();
  readonly #deletions = new Map<string, { readonly sha: string; readonly moment: number }>();
  /** Made when it is asked for. */
  #all: readonly Change[] | undefined;

  add(rows: readonly CommitChangeRow[]): void {
    for (const row of rows) this.addOne(row);
  }

  /** Gives the paths that the commit touched; one that is known already is not counted again. */
  addOne(row: CommitChangeRow): readonly string[] {
    const { sha, time, files } = row;
    const known = this.#commits.get(sha);
    if (known !== undefined) return known.paths;
    this.#all = undefined;
    const paths = files.map(({ path }) => shared(this.#paths, path));
    const moment = momentOf(row);
    this.#commits.set(sha, { time, moment, paths });
    this.#addMoves(sha, moment, files);
    return paths;
  }

  /** Renames stay known: the names of other commits depend on them. */
  remove(shas: readonly string[]): void {
    this.#all = undefined;
    for (const sha of shas) this.#commits.delete(sha);
  }

  /** The same list until a commit comes or goes. */
  all(): readonly Change[] {
    this.#all ??= [...this.#commits.values()].map(({ time, moment, paths }) => {
      if (this.#renames.size === 0) return { time, paths };
      return { time, paths: [...new Set(paths.map((path) => this.pathNow(path, moment)))] };
    });
    return this.#all;
  }

  /** What a path of some moment (`momentOf`) is called today, as far as renames tell. */
  pathNow(path: string, moment: number): string {
    let [at, since] = [path, moment];
    for (let i = 0; i < MAX_RENAMES; i++) {
      const next = this.#renames
        .get(at)
        ?.filter((rename) => rename.moment > since)
        .toSorted((a, b) => a.moment - b.moment)[0];
      if (next === undefined) return at;
      [at, since] = [next.to, next.moment];
    }
    return at;
  }

  /** The commit that deleted a path last. */
  deletedBy(path: string): string | undefined {
    return this.#deletions.get(path)?.sha;
  }

  #addMoves(sha: string, moment: number, files: readonly TouchedFile[]): void {
    for (const { path, status, from } of files) {
      if (from !== undefined) {
        this.#renames.set(from, [...(this.#renames.get(from) ?? []), { to: path, moment }]);
      } else if (status === "deleted" && moment > (this.#deletions.get(path)?.moment ?? -1)) {
        this.#deletions.set(path, { sha, moment });
      }
    }
  }
}

/** The same string for equal ones. */
export function shared(known: Map<string, string>, text: string): string {
  const same = known.get(text);
  if (same !== undefined) return same;
  known.set(text, text);
  return text;
}
