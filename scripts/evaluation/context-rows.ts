/** The results of packed contexts and their baselines, as rows and as tables in Markdown. */

import { average } from "../bench/statistics.ts";

/** Means over repositories. */
interface ContextRow {
  /** The share of touched definitions whose name is shown, as code or in a list. */
  readonly named: number;
  /** The share of touched definitions with at least half of their lines shown. */
  readonly shown: number;
  /** The share of labeled files with any line shown. */
  readonly files: number;
  readonly tokens: number;
}

/** One question. */
export interface MeasuredContext extends ContextRow {
  readonly repo: string;
  /** False where the commit touched no definition of the older tree: the first two columns leave it out. */
  readonly hasDefinitions: boolean;
}

/** Keys are a budget and a method. */
type Rows = ReadonlyMap<string, readonly MeasuredContext[]>;

/** The rows that a packed context is compared with. */
const COMPARED = ["top hits", "top hits, expanded"];

export function contextDocument(sections: ReadonlyMap<string, Rows>, commit: string): string {
  const tables = [...sections].map(([name, rows]) => {
    const first = [...rows.values()][0] ?? [];
    const repos = new Set(first.map(({ repo }) => repo)).size;
    return `## ${name}: ${first.length} questions over ${repos} repositories\n\n${contextTable(rows)}`;
  });
  return `# What packing a context gives

Shares at commit ${commit}, default settings, built-in model, means over repositories. named: of the definitions that the commit touched, those whose name is in the answer, as code or in a list; shown: those of which at least half of the lines are in it; files: the labeled files of which anything is in it. "top hits" are the chunks of a search, best first, until the budget is full; "expanded" with the definitions around them; "first files" the files of a search in full; "repository map" the map that aider 0.86 writes for the question. Made by \`npm run evaluate-context -- TASKS.json... --git-dirs DIR --maps FILE --table FILE\`.

${tables.join("\n\n")}
`;
}

export function contextTable(rows: Rows): string {
  const hasDefinitions = [...rows.values()].flat().some((each) => each.hasDefinitions);
  const columns: readonly (keyof ContextRow)[] = hasDefinitions
    ? ["named", "shown", "files"]
    : ["files"];
  const lines = [...rows].map(([key, all]) => {
    const [budget = "", ...method] = key.split(" ");
    const cells = columns.map((column) => mean(all, column).toFixed(3));
    return `| ${budget} | ${method.join(" ")} | ${cells.join(" | ")} | ${mean(all, "tokens").toFixed(0)} |`;
  });
  const head = `| tokens | method | ${columns.join(" | ")} | tokens used |`;
  const rule = `|---:|---|${"---:|".repeat(columns.length + 1)}`;
  return [head, rule, ...lines, "", ...comparisons(rows, columns)].join("\n");
}

function comparisons(rows: Rows, columns: readonly (keyof ContextRow)[]): string[] {
  const budgets = [...new Set([...rows.keys()].map((key) => key.split(" ")[0] ?? ""))];
  return budgets.flatMap((budget) =>
    COMPARED.map((method) => {
      const gains = columns.map((column) => {
        const own = mean(rows.get(`${budget} context`) ?? [], column);
        const other = mean(rows.get(`${budget} ${method}`) ?? [], column);
        const percent = 100 * (own / other - 1);
        return `${column} ${percent < 0 ? "" : "+"}${percent.toFixed(0)} %`;
      });
      return `- ${budget} tokens, against ${method}: ${gains.join(", ")}`;
    }),
  );
}

function mean(all: readonly MeasuredContext[], what: keyof ContextRow): number {
  const isCounted = ({ hasDefinitions }: MeasuredContext) =>
    hasDefinitions || what === "files" || what === "tokens";
  const byRepo = new Map<string, number[]>();
  for (const each of all.filter(isCounted)) {
    byRepo.set(each.repo, [...(byRepo.get(each.repo) ?? []), each[what]]);
  }
  return average([...byRepo.values()].map(average));
}
