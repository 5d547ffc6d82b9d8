/** Asks the server one question of a task file. */

import { fileURLToPath } from "node:url";
import type { FoundHit } from "../../server/lsp/found-hit.ts";
import { CUTOFF, type Result, type Task } from "./metrics.ts";
import type { Server } from "./server.ts";

export interface Answer {
  readonly task: Task;
  readonly results: readonly Result[];
  readonly ms: number;
}

/** Parameters of a search besides its query: lanes and boosts to leave out, and terms beside the question. */
interface AskOptions {
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
  const { hits } = await connection.sendRequest<{ hits: readonly FoundHit[] }>(
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
    ...toResult(hit.location, root),
    ...(places === undefined
      ? {}
      : { places: places.map((place) => toResult(place.location, root)) }),
  }));
  return { task, results, ms };
}

/** A hit of `cocosearch/analyze`. */
export interface Analyzed extends Pick<FoundHit, "location" | "score" | "relevance"> {
  readonly evidence: Readonly<Record<string, number>>;
}

type PlaceResult = Required<Omit<Result, "places">>;

/** A place in answers of the server as a place in the repository at `root`. */
export function toResult({ uri, range }: FoundHit["location"], root: string): PlaceResult {
  return {
    path: fileURLToPath(uri)
      .slice(root.length + 1)
      .replaceAll("\\", "/"),
    startLine: range.start.line + 1,
    endLine: range.end.line + 1,
  };
}
