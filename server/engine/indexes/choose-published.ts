/** Chooses the published indexes that a search covers: by name, or all except the repositories of the opened folders. */

import { BadRequest, messageOf } from "../../common/errors.ts";
import { nameOfPart, type RepositoryPart, repositoryPart } from "../../common/git-remote.ts";
import { ALL_PUBLISHED, type PublishedIndex } from "../../contracts/published.ts";
import type { Settings } from "../../contracts/settings.ts";
import { MAX_CHUNKS_IN_MEMORY } from "./load-lanes.ts";
import { isInSql, type PublishedIndexes } from "./published-indexes.ts";
import type { StoredIndex } from "./stored-indexes.ts";
import type { TeamContents, Teams } from "./teams.ts";

/** If several branches are published, the first of these is searched, else the last published one. */
const MAIN_BRANCHES = ["main", "master", "trunk", "develop"];

export interface PublishedRequest {
  readonly teams: Teams;
  readonly indexes: PublishedIndexes;
  /** Names that are not names of local indexes, or `*`. */
  readonly names: readonly string[];
  readonly settings: Settings;
  /** Opened folders that are searched as well, with their settings: their repositories are not answered twice. */
  readonly open: readonly { readonly root: string; readonly settings: Settings }[];
  /** Whether nothing else is searched. */
  readonly isAlone: boolean;
  readonly signal: AbortSignal | undefined;
}

/** An index, without the files that an opened folder has as well. */
interface PublishedTarget {
  readonly index: StoredIndex;
  readonly only?: ReadonlySet<string>;
}

export interface PublishedTargets {
  readonly targets: readonly PublishedTarget[];
  readonly warnings: readonly string[];
  /** Names that no published index has. */
  readonly unknown: readonly string[];
}

const NONE: PublishedTargets = { targets: [], warnings: [], unknown: [] };

export async function choosePublished(request: PublishedRequest): Promise<PublishedTargets> {
  const { names, settings, signal } = request;
  const url = settings["team.url"];
  const isAll = names.includes(ALL_PUBLISHED);
  if (names.length === 0) return NONE;
  if (url === "") {
    if (isAll) throw new BadRequest("no team database is configured; set team.url");
    return { ...NONE, unknown: names };
  }
  const team = await request.teams.read(url, signal);
  if ("failure" in team) {
    const warnings = [`the team's database was not searched: ${team.failure}`];
    return { ...NONE, warnings, unknown: names.filter((name) => name !== ALL_PUBLISHED) };
  }
  const parts = await Promise.all(
    request.open.map(({ root, settings: own }) => repositoryPart(root, own.repository)),
  );
  const own = parts.filter((part) => part !== undefined);
  const main = mainBranches(team.published);
  const named = names.map((name) => (name === ALL_PUBLISHED ? undefined : find(name, team, main)));
  const all = isAll ? main.filter((each) => !own.some((part) => covers(part, each))) : [];
  const wanted = [...new Set([...all, ...named.filter((each) => each !== undefined)])];
  const unknown = names.filter((name, i) => name !== ALL_PUBLISHED && named[i] === undefined);
  return { ...(await openAll(request, team, wanted, own)), unknown };
}

/** One index per repository and subfolder. */
function mainBranches(published: readonly PublishedIndex[]): PublishedIndex[] {
  const chosen = new Map<string, PublishedIndex>();
  const rank = ({ branch }: PublishedIndex) => {
    const at = MAIN_BRANCHES.indexOf(branch);
    return at < 0 ? MAIN_BRANCHES.length : at;
  };
  for (const each of published) {
    const place = nameOfPart(each);
    const known = chosen.get(place);
    const isBetter =
      known === undefined ||
      rank(each) < rank(known) ||
      (rank(each) === rank(known) && each.publishedAt > known.publishedAt);
    if (isBetter) chosen.set(place, each);
  }
  return [...chosen.values()];
}

/** `host/path`, its last parts if they are of one repository only, or either with `@branch`. */
function find(
  name: string,
  team: TeamContents,
  main: readonly PublishedIndex[],
): PublishedIndex | undefined {
  const [place = "", branch] = name.split("@", 2);
  const isOf = (each: PublishedIndex) =>
    nameOfPart(each) === place || nameOfPart(each).endsWith(`/${place}`);
  const found =
    branch === undefined
      ? main.filter(isOf)
      : team.published.filter((each) => isOf(each) && each.branch === branch);
  const exact = found.find((each) => nameOfPart(each) === place);
  return exact ?? (found.length === 1 ? found[0] : undefined);
}

/** Whether the opened folder has all files of the published index. */
function covers(part: RepositoryPart, { repository, subfolder }: PublishedIndex): boolean {
  return (
    part.repository === repository &&
    (part.subfolder === "" || `${subfolder}/`.startsWith(`${part.subfolder}/`))
  );
}

async function openAll(
  { indexes, ...options }: PublishedRequest,
  { database }: TeamContents,
  wanted: readonly PublishedIndex[],
  own: readonly RepositoryPart[],
): Promise<Omit<PublishedTargets, "unknown">> {
  const warnings: string[] = [];
  let left = MAX_CHUNKS_IN_MEMORY;
  const opened = wanted.map(async (published): Promise<PublishedTarget[]> => {
    const inMemory = isInSql(published) ? 0 : published.chunks;
    if (left < inMemory) {
      const why = `published indexes in memory at once have at most ${MAX_CHUNKS_IN_MEMORY} chunks; name the ones to search`;
      warnings.push(`${nameOfPart(published)} was left out: ${why}`);
      return [];
    }
    left -= inMemory;
    try {
      return [without(own, published, await indexes.open(database, published, options))];
    } catch (error) {
      options.signal?.throwIfAborted();
      warnings.push(`${nameOfPart(published)} was left out: ${messageOf(error)}`);
      return [];
    }
  });
  const targets = (await Promise.all(opened)).flat();
  return { targets, warnings };
}

/** Leaves out the files of opened subfolders. */
function without(
  own: readonly RepositoryPart[],
  { repository, subfolder }: PublishedIndex,
  index: StoredIndex,
): PublishedTarget {
  const above = subfolder === "" ? "" : `${subfolder}/`;
  const folders = own
    .filter((part) => part.repository === repository && part.subfolder.startsWith(above))
    .map((part) => `${part.subfolder.slice(above.length)}/`)
    .filter((folder) => folder !== "/");
  if (folders.length === 0) return { index };
  const isHere = (path: string) => folders.some((folder) => path.startsWith(folder));
  return { index, only: new Set([...index.files.paths()].filter((path) => !isHere(path))) };
}
