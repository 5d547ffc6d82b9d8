/** Cancelled graph requests end before their work does. */

import { expect, it } from "vitest";
import { DEFAULTS } from "../../../server/config/settings.ts";
import type { Folder } from "../../../server/engine/answers/folder.ts";
import { callSitesIn } from "../../../server/engine/answers/folder-graph.ts";
import { impactIn } from "../../../server/engine/answers/impact.ts";
import type { Graph } from "../../../server/graph/graph.ts";

const CANCELLED = new Error("cancelled");

/** A folder whose index has this graph. */
function folderWith(whenResolved: () => Promise<Graph>): Folder {
  const index = { graph: { whenResolved }, settings: DEFAULTS };
  return { root: "/shop", index, inside: (path: string) => path } as unknown as Folder;
}

it("A cancelled `callers` ends between two slices, before all files are visited", async () => {
  const cancelling = new AbortController();
  let visited = 0;
  function* endlessFiles(): Generator<number> {
    for (;;) {
      if (visited === 1_000) cancelling.abort(CANCELLED);
      yield visited++;
    }
  }
  const project = { files: endlessFiles(), mayContainName: () => false };
  const folder = folderWith(async () => ({ project, fileEdges: {} }) as unknown as Graph);
  const answer = callSitesIn([folder], "callers", { name: "open" }, cancelling.signal);
  await expect(answer).rejects.toBe(CANCELLED);
});

it.each([
  {
    method: "callers",
    ask: (folder: Folder, signal: AbortSignal) =>
      callSitesIn([folder], "callers", { name: "open" }, signal),
  },
  {
    method: "impact",
    ask: (folder: Folder, signal: AbortSignal) =>
      impactIn([folder], { paths: ["/shop/pool.ts"] }, signal),
  },
])("A cancelled `$method` stops waiting for the edges of the graph", async ({ ask }) => {
  const folder = folderWith(() => new Promise(() => undefined));
  const cancelling = new AbortController();
  const answer = ask(folder, cancelling.signal);
  setImmediate(() => cancelling.abort(CANCELLED));
  await expect(answer).rejects.toBe(CANCELLED);
});
