/** The tasks of `npm run evaluate-agents`: the questions and the right places. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

export const KINDS = ["find", "list", "why", "breaks", "pattern"] as const;
export type Kind = (typeof KINDS)[number];

/** A place in a file. Lines from 1, both included; a place without lines is the whole file. */
export interface Place {
  readonly path: string;
  readonly startLine?: number;
  readonly endLine?: number;
  /** A name that is defined or written in these lines; checked, never shown to an agent. */
  readonly name?: string;
  /** One of several places with the same group is enough. */
  readonly group?: string;
}

export interface Task {
  readonly id: string;
  /** `owner/name`, one of repositories.json. */
  readonly repository: string;
  readonly kind: Kind;
  /** Whether a search by meaning or one by text is the better first call. */
  readonly first: "conceptual" | "literal";
  /** Names of the code are in backquotes, so that they can be renamed. */
  readonly text: string;
  /** All that a right answer has; of a list the complete list. */
  readonly places: readonly Place[];
  /** Places that are neither wanted nor wrong. */
  readonly neutral?: readonly Place[];
  /** The commit of an explanation. */
  readonly commit?: string;
  /** Only for a list: `git grep` finds the same lines with this Perl-compatible expression in these paths. */
  readonly grep?: { readonly pattern: string; readonly paths: readonly string[] };
}

export interface Repository {
  /** `owner/name` */
  readonly name: string;
  readonly commit: string;
  /** The paths of the repository that are used; all if absent. */
  readonly paths?: readonly string[];
  /** Words that reveal the project, in lower case. */
  readonly identity: readonly string[];
}

const FOLDER = join(import.meta.dirname, "../../test/agents");

export function readTasks(file = join(FOLDER, "tasks.json")): Task[] {
  return JSON.parse(readFileSync(file, "utf8")) as Task[];
}

export function readRepositories(file = join(FOLDER, "repositories.json")): Repository[] {
  return JSON.parse(readFileSync(file, "utf8")) as Repository[];
}

/** A change can only be explained with its history, so these repositories keep their names. */
export function needsHistory({ kind }: Pick<Task, "kind">): boolean {
  return kind === "why";
}
