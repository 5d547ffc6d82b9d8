/** The contribution of each part of the ranking of bug reports, as rows and as a table in Markdown. */

import { REPORT_BOOSTS } from "../../server/search/boosts/boosts.ts";
import { isFileFound, isFunctionFound, type ReportAnswer } from "./report-metrics.ts";

/** One way to ask a report. */
export interface ReportRow {
  readonly name: string;
  /** Lanes and boosts that are left out. */
  readonly without: readonly string[];
  readonly queryOf: (text: string) => string;
}

const same = (text: string) => text;
const firstLine = (text: string) => text.trim().split("\n")[0] ?? "";

/** The subject of a boost, if its name does not say it to a reader of the table. */
const MEANINGS: Readonly<Record<string, string>> = {
  "report-names": "the names that it mentions",
  "report-places": "frames, paths and links",
  "definition-words": "its words in names of definitions",
  fileCategory: "tests and documents last",
};

export const REPORT_ROWS: readonly ReportRow[] = [
  { name: "the title alone", without: [], queryOf: firstLine },
  {
    name: "without the title",
    without: [],
    queryOf: (text) => text.trim().slice(firstLine(text).length).trim() || text,
  },
  {
    // A single line is not treated as a report: its words keep their counts, and it is embedded as a whole.
    name: "without parts: read as one question",
    without: [],
    queryOf: (text) => text.replaceAll(/\s+/g, " "),
  },
  ...["vector", "keyword"].map((lane) => ({
    name: `without ${lane}`,
    without: [lane],
    queryOf: same,
  })),
  ...REPORT_BOOSTS.map(({ name }) => ({
    name: `without ${name}${MEANINGS[name] === undefined ? "" : ` (${MEANINGS[name]})`}`,
    without: [name],
    queryOf: same,
  })),
  {
    name: "without any boost",
    without: REPORT_BOOSTS.map(({ name }) => name),
    queryOf: same,
  },
];

const FILE_COLUMNS = [1, 3, 5];
const FUNCTION_COLUMNS = [5, 10];

export function reportRowsTable(
  rows: ReadonlyMap<ReportRow, readonly ReportAnswer[]>,
  commit: string,
): string {
  const [first = []] = [...rows.values()];
  const repositories = new Map<string, number>();
  for (const { task } of first) {
    repositories.set(task.repo, (repositories.get(task.repo) ?? 0) + 1);
  }
  const counts = [...repositories].map(([name, count]) => `${name} ${count}`).join(", ");
  const withFunctions = (answers: readonly ReportAnswer[]) =>
    answers.filter(({ task }) => task.entities.length > 0);
  const cells = (answers: readonly ReportAnswer[]) => [
    ...FILE_COLUMNS.map((k) => share(answers, (answer) => isFileFound(answer, k))),
    ...FUNCTION_COLUMNS.map((k) =>
      share(withFunctions(answers), (answer) => isFunctionFound(answer, k)),
    ),
  ];
  const head = [
    "",
    ...FILE_COLUMNS.map((k) => `file @${k}`),
    ...FUNCTION_COLUMNS.map((k) => `function @${k}`),
  ];
  const lines = [...rows].map(([{ name }, answers]) => [name, ...cells(answers)]);
  return `# What reading a bug report gives

Acc@k in percent at commit ${commit}, default settings, built-in model: everything that the accepted fix changed is among the first k files, or functions. ${first.length} reports (${counts}), of which ${withFunctions(first).length} name functions; one report is ${(100 / Math.max(1, first.length)).toFixed(1)}. Made by \`npm run evaluate-reports -- TASKS.json --git-dirs DIR --table FILE\`.

| ${head.join(" | ")} |
|---|${"---:|".repeat(head.length - 1)}
${lines.map((line) => `| ${line.join(" | ")} |`).join("\n")}
`;
}

function share(
  answers: readonly ReportAnswer[],
  isFound: (answer: ReportAnswer) => boolean,
): string {
  return ((100 * answers.filter(isFound).length) / Math.max(1, answers.length)).toFixed(1);
}
