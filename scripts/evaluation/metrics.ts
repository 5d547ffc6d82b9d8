/** How good a list of results is, as the published code-search benchmark counts it: gain for each file that is labeled. */

/** One labeled question. Paths are relative to the repository; only its folder `benchmark_root` is searched. */
export interface Task {
  readonly id: string;
  readonly repo: string;
  readonly language: string;
  readonly category: string;
  readonly query: string;
  /** Null for the whole repository. */
  readonly benchmark_root: string | null;
  /** The style of a natural question on a big repository, which is judged by place. */
  readonly style?: string;
  readonly relevant: readonly Target[];
  readonly secondary: readonly Target[];
}

export interface Target {
  readonly path: string;
  /** The path as the label's author wrote it, where that differs. */
  readonly raw?: string;
  /** Where only a part of the file answers; from 1, both included. */
  readonly startLine?: number;
  readonly endLine?: number;
  /** The name of the definition at these lines. */
  readonly symbol?: string;
}

/** One hit, best first. Lines from 1, both included. */
export interface Result {
  readonly path: string;
  readonly startLine?: number;
  readonly endLine?: number;
  /** Further places of its file. */
  readonly places?: readonly Result[];
}

/** How many results count. */
export const CUTOFF = 10;

const METRICS = ["ndcg", "recall", "mrr", "hit1", "hit", "empty"] as const;
type Metric = (typeof METRICS)[number];
export type Measures = Readonly<Record<Metric, number>>;

export interface Measured {
  readonly task: Task;
  readonly measures: Measures;
}

/** Gains are binary, and a chunk that covers two targets counts once; the ideal list has each target in its own place. */
export function measure(task: Task, results: readonly Result[]): Measures {
  const counted = results.slice(0, CUTOFF);
  const targets = [...task.relevant, ...task.secondary];
  const ranks = targets
    .map((target) => 1 + counted.findIndex((result) => covers(result, target, task)))
    .filter((rank) => rank > 0);
  const first = Math.min(...ranks);
  return {
    ndcg: discounted(new Set(ranks)) / discounted(upTo(Math.min(CUTOFF, targets.length))),
    recall: ranks.length / targets.length,
    mrr: ranks.length > 0 ? 1 / first : 0,
    hit1: first === 1 ? 1 : 0,
    hit: ranks.length > 0 ? 1 : 0,
    empty: results.length === 0 ? 1 : 0,
  };
}

export function covers(result: Result, target: Target, { benchmark_root: root }: Task): boolean {
  const path =
    root && result.path.startsWith(`${root}/`) ? result.path.slice(root.length + 1) : result.path;
  const wanted = target.raw ?? target.path;
  if (path !== wanted && !path.endsWith(`/${wanted}`) && !wanted.endsWith(`/${path}`)) return false;
  const { startLine: from, endLine: to } = target;
  if (from === undefined || result.startLine === undefined || result.endLine === undefined)
    return true;
  return result.endLine >= from && result.startLine <= (to ?? from);
}

function discounted(ranks: ReadonlySet<number>): number {
  return [...ranks]
    .toSorted((a, b) => a - b)
    .reduce((sum, rank) => sum + 1 / Math.log2(rank + 1), 0);
}

function upTo(count: number): Set<number> {
  return new Set(Array.from({ length: count }, (_, i) => i + 1));
}

/** The mean over repositories of each repository's mean, so that a repository with many questions does not decide. */
export function meanOverRepos(measured: readonly Measured[]): Measures {
  const repos = [...groupBy(measured, ({ task }) => task.repo).values()];
  return meanOf(repos.map((each) => meanOf(each.map(({ measures }) => measures))));
}

/** `meanOverRepos` of each group, by its name. */
export function meansBy(
  measured: readonly Measured[],
  name: (task: Task) => string,
): Map<string, { readonly count: number; readonly means: Measures }> {
  const groups = [...groupBy(measured, ({ task }) => name(task))].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return new Map(
    groups.map(([group, each]) => [group, { count: each.length, means: meanOverRepos(each) }]),
  );
}

/** The mean over all questions alike. */
function meanOverQueries(measured: readonly Measured[]): Measures {
  return meanOf(measured.map(({ measures }) => measures));
}

/** The mean over languages of their repositories' means. */
function meanOverLanguages(measured: readonly Measured[]): Measures {
  return meanOf(
    [...meansBy(measured, ({ language }) => language).values()].map(({ means }) => means),
  );
}

function meanOf(all: readonly Measures[]): Measures {
  const mean = (metric: Metric) =>
    all.reduce((sum, measures) => sum + measures[metric], 0) / Math.max(1, all.length);
  return {
    ndcg: mean("ndcg"),
    recall: mean("recall"),
    mrr: mean("mrr"),
    hit1: mean("hit1"),
    hit: mean("hit"),
    empty: mean("empty"),
  };
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** The report that a person reads: whole, by category, by language. */
export function report(title: string, measured: readonly Measured[]): string {
  const line = ({ ndcg, recall, mrr, hit1, hit, empty }: Measures) =>
    `NDCG@${CUTOFF} ${ndcg.toFixed(4)}  Recall@${CUTOFF} ${recall.toFixed(4)}  MRR@${CUTOFF} ${mrr.toFixed(4)}` +
    `  hit@1 ${hit1.toFixed(4)}  hit@${CUTOFF} ${hit.toFixed(4)}  empty ${empty.toFixed(3)}`;
  const groups = (name: (task: Task) => string) =>
    [...meansBy(measured, name)].map(
      ([group, { count, means }]) => `  ${`${group} (${count})`.padEnd(24)} ${line(means)}`,
    );
  const repos = new Set(measured.map(({ task }) => task.repo)).size;
  return [
    `${title}: ${repos} repositories, ${measured.length} queries`,
    `  ${"mean over repositories".padEnd(24)} ${line(meanOverRepos(measured))}`,
    `  ${"mean over queries".padEnd(24)} ${line(meanOverQueries(measured))}`,
    `  ${"mean over languages".padEnd(24)} ${line(meanOverLanguages(measured))}`,
    ...groups(({ category }) => category),
    ...groups(({ language }) => language),
  ].join("\n");
}
