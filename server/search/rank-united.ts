/** Ranks several indexes: those with vectors of one model as one index. */

import { messageOf } from "../common/errors.ts";
import { getOrCreate } from "../common/get-or-create.ts";
import type { OpenLanes, SearchableIndex } from "./context.ts";
import type { LaneRequest, SearchTrace } from "./lanes/ask-lanes.ts";
import { UnitedLanes } from "./lanes/united-lanes.ts";
import { rank } from "./rank.ts";
import type { RankedHit } from "./ranking.ts";

/** A list per index, best first, in the order of `open`. Scores of all lists are comparable. */
export async function rankAll(
  open: readonly OpenLanes[],
  request: LaneRequest,
  trace: SearchTrace,
  signal: AbortSignal | undefined,
): Promise<RankedHit[][]> {
  const groups = new Map<string, OpenLanes[]>();
  for (const each of open) getOrCreate(groups, modelOf(each.index), () => []).push(each);
  const lists = new Map<OpenLanes, RankedHit[]>();
  await Promise.all(
    [...groups.values()].map(async (group) => {
      const [first] = group;
      if (first !== undefined && group.length === 1) {
        lists.set(first, await rank(first, request, trace, signal));
        return;
      }
      const ranked = await rankAsOne(group, request, trace, signal);
      for (const { from, hit } of ranked) getOrCreate(lists, from, () => []).push(hit);
    }),
  );
  return open.map((each) => lists.get(each) ?? []);
}

/** Cosines are comparable within one model. */
function modelOf({ embedder, isSubstitute = false }: SearchableIndex): string {
  return JSON.stringify([embedder?.modelId, isSubstitute]);
}

async function rankAsOne(
  group: readonly OpenLanes[],
  { filter, readLines, ...request }: LaneRequest,
  trace: SearchTrace,
  signal: AbortSignal | undefined,
): Promise<{ readonly from: OpenLanes; readonly hit: RankedHit }[]> {
  const at = (member: number) => group[member] as OpenLanes;
  const lanes = new UnitedLanes(
    group.map((each) => each.lanes),
    (member, lane, error) => {
      signal?.throwIfAborted();
      const { name } = at(member).index;
      const reason = messageOf(error);
      trace.log.warn(`the ${lane} lane failed and was left out`, { index: name, reason });
      trace.warnings.push(`${name}: the ${lane} lane was left out: ${reason}`);
    },
  );
  const isOfAll =
    filter?.matchesPath === undefined && group.every(({ only }) => only === undefined);
  const matchesPath = (path: string) => {
    const { member, own } = lanes.pathOf(path);
    return at(member).only?.has(own) !== false && filter?.matchesPath?.(own) !== false;
  };
  const index = { ...at(0).index, name: group.map((each) => each.index.name).join(", "), root: "" };
  const hits = await rank(
    { index, lanes },
    {
      ...request,
      filter: isOfAll ? filter : { ...filter, matchesPath },
      readLines: (_, path, lines) => {
        const { member, own } = lanes.pathOf(path);
        return readLines(at(member).index.root, own, lines);
      },
    },
    trace,
    signal,
  );
  return hits.map((hit) => {
    const { member, own: chunk } = lanes.chunkOf(hit.chunk);
    const from = at(member);
    const { name, root } = from.index;
    const facts = { ...hit.facts, path: lanes.pathOf(hit.facts.path).own };
    const places = hit.places.map((place) => ({ ...place, path: facts.path }));
    return { from, hit: { ...hit, index: name, root, chunk, facts, places } };
  });
}
