/** The files that each commit of a repository changed, by their current paths: renames are followed. */

import { getOrCreate } from "../common/get-or-create.ts";
import type { CommitChangeRow, TouchedFile } from "../contracts/history.ts";

/** Stops cycles of renames. */
const MAX_RENAMES = 20;

/** The files of a commit by their current paths, without duplicates. */
interface CommitChange {
  /** In seconds since 1970. */
  readonly time: number;
  readonly paths: readonly string[];
}

/** Later commits of the same second count as simultaneous. */
const MAX_PLACE = 2 ** 16 - 1;

/** The time of a commit in seconds, with a fraction that keeps the order within one second. */
export function momentOf({ time, place = 0 }: Pick<CommitChangeRow, "time" | "place">): number {
  return time + Math.min(place, MAX_PLACE) / (MAX_PLACE + 1);
}

interface KnownCommit {
  readonly time: number;
  readonly moment: number;
  readonly paths: readonly string[];
}

export class CommitChanges {
  /** By hash, with the paths as of the commit. */
  readonly #commits = new Map<string, KnownCommit>();
  /** Interned paths. */
  readonly #paths = new Map<string, string>();
  /** By the old path. */
  readonly #renames = new Map<string, { readonly to: string; readonly moment: number }[]>();
  readonly #deletions = new Map<string, { readonly sha: string; readonly moment: number }>();
  /** Built on first use. */
  #all: readonly CommitChange[] | undefined;

  add(rows: readonly CommitChangeRow[]): void {
    for (const row of rows) this.addOne(row);
  }

  /** Returns the paths of the commit; adding a known commit has no effect. */
  addOne(row: CommitChangeRow): readonly string[] {
    const { sha, time, files } = row;
    const known = this.#commits.get(sha);
    if (known !== undefined) return known.paths;
    this.#all = undefined;
    const paths = files.map(({ path }) => intern(this.#paths, path));
    const moment = momentOf(row);
    this.#commits.set(sha, { time, moment, paths });
    this.#addMoves(sha, moment, files);
    return paths;
  }

  /** Keeps the renames of removed commits, because paths of other commits depend on them. */
  remove(shas: readonly string[]): void {
    this.#all = undefined;
    for (const sha of shas) this.#commits.delete(sha);
  }

  /** Returns the same array until a commit is added or removed. */
  all(): readonly CommitChange[] {
    this.#all ??= [...this.#commits.values()].map(({ time, moment, paths }) => {
      if (this.#renames.size === 0) return { time, paths };
      return { time, paths: [...new Set(paths.map((path) => this.pathNow(path, moment)))] };
    });
    return this.#all;
  }

  /** The current path of a file that had `path` at `moment` (see `momentOf`), by following renames. */
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

  /** The hash of the latest commit that deleted a path. */
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

/** Interns a string, so that equal ones share memory. */
export function intern(known: Map<string, string>, text: string): string {
  return getOrCreate(known, text, () => text);
}
