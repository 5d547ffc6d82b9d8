/** Finds the published index that the new index of a checkout begins with. */

import { defaultBranch, readHead } from "../../common/git-head.ts";
import { repositoryPart } from "../../common/git-remote.ts";
import type { Log } from "../../common/log.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import type { PublishedIndex } from "../../contracts/published.ts";
import type { Settings } from "../../contracts/settings.ts";
import { PublishedRows } from "../../indexing/published-rows.ts";
import { compatibility } from "../../store/compatibility.ts";
import { currentKeys } from "./index-fingerprint.ts";
import type { Teams } from "./teams.ts";

interface NewIndex {
  readonly root: string;
  readonly settings: Settings;
  readonly embedder: Embedder;
}

/** The rows to begin with, or a remark for the user: why there are none. */
export type Beginning = { readonly rows: PublishedRows } | { readonly remark: string };

/** Undefined if no team is configured or it has no index of the repository. */
export async function findPublished(
  index: NewIndex,
  teams: Teams,
  log: Log,
  signal: AbortSignal,
): Promise<Beginning | undefined> {
  const { root, settings } = index;
  const url = settings["team.url"];
  const part = url === "" ? undefined : await repositoryPart(root, settings.repository);
  if (part === undefined) return undefined;
  const team = await teams.read(url, signal);
  if ("failure" in team) return { remark: `the team's database was not used: ${team.failure}` };
  const ofPart = team.published.filter(
    ({ repository, subfolder }) => repository === part.repository && subfolder === part.subfolder,
  );
  const current = currentKeys(settings, index.embedder);
  const fits = (await byNearness(root, ofPart)).map((published) => ({
    published,
    fit: compatibility({ ...published, name: published.index }, current),
  }));
  const usable = fits.find(({ fit }) => fit.kind === "usable")?.published;
  if (usable !== undefined) return { rows: new PublishedRows(team.database.filesOf(usable), log) };
  const reasons = fits.flatMap(({ fit }) => (fit.kind === "usable" ? [] : fit.reason));
  if (reasons[0] === undefined) return undefined;
  return { remark: `the published index of ${part.repository} was not used: ${reasons[0]}` };
}

/** First of the branch that is checked out, then of the default branch, then the last published. */
async function byNearness(
  root: string,
  published: readonly PublishedIndex[],
): Promise<readonly PublishedIndex[]> {
  const [{ branch: own }, main] = await Promise.all([readHead(root), defaultBranch(root)]);
  const rank = ({ branch, publishedAt }: PublishedIndex) =>
    `${Number(branch === own)}${Number(branch === main)} ${publishedAt}`;
  return published.toSorted((a, b) => (rank(a) < rank(b) ? 1 : -1));
}
