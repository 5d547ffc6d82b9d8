/** Compares the functions that a client finds with the functions on disk. */

import { relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Status } from "../../server/contracts/session.ts";
import type { SearchResponse } from "../../server/lsp/search.ts";
import type { Asking } from "../evaluation/server.ts";
import type { Repository } from "./repository.ts";

/** The most that one search returns. */
const LIMIT = 200;
const POLL_MS = 250;

/** The differences: paths with the function found there and the function on disk. */
type Differences = readonly string[];

/** Polls until the results equal the disk and indexing has ended, or the time is up; returns the differences. */
export async function settledDifferences(
  client: Asking,
  repository: Repository,
  limitMs: number,
): Promise<{ differences: Differences; ms: number }> {
  const start = performance.now();
  for (;;) {
    const differences = await differencesNow(client, repository);
    const ms = performance.now() - start;
    if (differences.length === 0 || ms > limitMs) return { differences, ms };
    await delay(POLL_MS);
  }
}

async function differencesNow(client: Asking, repository: Repository): Promise<Differences> {
  const onDisk = repository.functions();
  const found = await foundIn(client, repository);
  const differences: string[] = [];
  for (const [path, name] of onDisk) {
    const there = found.get(path) ?? [];
    if (there.length !== 1 || there[0] !== name) {
      differences.push(`${path}: found ${there.join(" ") || "nothing"}, on disk ${name}`);
    }
  }
  for (const [path, names] of found) {
    if (!onDisk.has(path)) differences.push(`${path}: found ${names.join(" ")}, not on disk`);
  }
  const { state, reason } = await client.sendRequest<Status>("cocosearch/status", {});
  if (state !== "ready") differences.push(`the state is ${state}: ${reason ?? ""}`);
  return differences;
}

/** All functions that searches find in the repository, by path: one search per initial letter. */
async function foundIn(client: Asking, { root }: Repository): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const letter of "abcdefghijklmnopqrstuvwxyz") {
    const { hits } = await client.sendRequest<SearchResponse>("cocosearch/search", {
      query: "entries for which do entry",
      symbolName: `do_${letter}*`,
      limit: LIMIT,
      minScore: 0,
    });
    if (hits.length === LIMIT) throw new Error("there is more than one search returns");
    for (const { location, symbol } of hits) {
      const path = relative(root, fileURLToPath(location.uri));
      if (path.startsWith("..")) continue;
      const names = found.get(path) ?? [];
      if (!names.includes(symbol?.name ?? "")) found.set(path, [...names, symbol?.name ?? ""]);
    }
  }
  return found;
}
