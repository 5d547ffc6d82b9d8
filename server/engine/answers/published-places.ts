/**
 * Gives hits in published indexes their path in the repository, the commit and a link. Leaves out indexes whose text cannot be
 * read.
 */

import { nameOfPart } from "../../common/git-remote.ts";
import type { Hit, PublishedPlace } from "../../contracts/model.ts";
import type { PublishedIndex } from "../../contracts/published.ts";
import type { StoredIndex } from "../indexes/stored-indexes.ts";
import type { SearchTargets } from "./search-targets.ts";

/** The published indexes among the targets of a search. */
export function publishedByRoot(
  indexes: SearchTargets["indexes"],
): ReadonlyMap<string, NonNullable<StoredIndex["published"]>> {
  return new Map(
    indexes.flatMap((index) =>
      "published" in index && index.published !== undefined
        ? [[index.root, index.published] as const]
        : [],
    ),
  );
}

export function withPublishedPlaces<
  A extends { readonly hits: readonly Hit[]; readonly warnings: readonly string[] },
>(
  {
    indexes,
    settings,
    failures,
    replaced,
  }: Pick<SearchTargets, "indexes" | "settings" | "failures" | "replaced">,
  answer: A,
): A {
  const published = publishedByRoot(indexes);
  if (published.size === 0) return answer;
  const reasonOf = (root: string) => failures.get(root) ?? published.get(root)?.failure();
  const read = answer.hits.filter(
    ({ root, path }) => reasonOf(root) === undefined && !replaced.has(`${root}/${path}`),
  );
  const hits = read.map((hit) => {
    const index = published.get(hit.root)?.index;
    return index === undefined ? hit : inRepository(index, hit, settings["team.linkTemplate"]);
  });
  const failed = indexes.flatMap(({ root }) => {
    const reason = reasonOf(root);
    const index = published.get(root)?.index;
    return reason === undefined || index === undefined
      ? []
      : [`${nameOfPart(index)} was left out: ${reason}`];
  });
  return { ...answer, hits, warnings: [...answer.warnings, ...failed] };
}

/** The path of a hit in an index of a folder is relative to that folder, which only the index knows. */
function inRepository(index: PublishedIndex, hit: Hit, template: string): Hit {
  const { repository, subfolder } = index;
  const path = subfolder === "" ? hit.path : `${subfolder}/${hit.path}`;
  const published = placeOf(index, { ...hit, path }, template);
  return { ...hit, root: `published:${repository}`, path, published };
}

function placeOf(
  index: PublishedIndex,
  { path, lines, bestLine }: Hit,
  template: string,
): PublishedPlace {
  const { repository, commit } = index;
  if (template === "") return { repository, commit };
  const { start, end } =
    bestLine === undefined ? lines : { start: bestLine.line, end: bestLine.line };
  const values = new Map(
    Object.entries({
      repository: encoded(repository),
      commit: encoded(commit),
      branch: encoded(index.branch),
      path: encoded(path),
      startLine: String(start + 1),
      endLine: String(end + 1),
    }),
  );
  const link = template.replaceAll(
    /\{(\w+)\}/g,
    (whole, name: string) => values.get(name) ?? whole,
  );
  return { repository, commit, link };
}

/** Each part of a path. The rows come from others, so that none of them may end the path of the link. */
function encoded(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
