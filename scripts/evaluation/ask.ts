/** Asks the server one question of a task file. */

import { fileURLToPath } from "node:url";
import type { Hit } from "../../server/contracts/model.ts";
import { CUTOFF, type Result, type Task } from "./metrics.ts";
import type { Server } from "./server.ts";

export interface Answer {
  readonly task: Task;
  readonly results: readonly Result[];
  readonly ms: number;
}

interface Located {
  readonly location: {
    readonly uri: string;
    readonly range: {
      readonly start: { readonly line: number };
      readonly end: { readonly line: number };
    };
  };
}

/** A hit as the protocol carries it. */
interface LocatedHit extends Omit<Hit, "path" | "lines" | "places">, Located {
  readonly places?: readonly Located[];
}

/** Parameters of a search besides its query: lanes and boosts to leave out, and terms beside the question. */
export interface AskOptions {
  readonly without: readonly string[];
  readonly terms?: readonly string[] | undefined;
}

export async function ask(
  { connection }: Server,
  task: Task,
  root: string,
  { without, terms }: AskOptions,
): Promise<Answer> {
  const start = performance.now();
  const { hits } = await connection.sendRequest<{ hits: readonly LocatedHit[] }>(
    "cocosearch/search",
    {
      query: task.query,
      limit: CUTOFF,
      without,
      ...(terms === undefined ? {} : { terms }),
    },
  );
  const ms = performance.now() - start;
  const results = hits.map(({ places, ...hit }) => ({
    ...toResult(hit, root),
    ...(places === undefined ? {} : { places: places.map((place) => toResult(place, root)) }),
  }));
  return { task, results, ms };
}

function toResult({ location: { uri, range } }: Located, root: string): Result {
  return {
    path: fileURLToPath(uri)
      .slice(root.length + 1)
      .replaceAll("\\", "/"),
    startLine: range.start.line + 1,
    endLine: range.end.line + 1,
  };
}
