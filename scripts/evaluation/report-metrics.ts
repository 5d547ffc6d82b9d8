/** How well a list of places answers a bug report: whether everything that the accepted fix changed is among the first k. */

/** One bug report with its fix. `entities` are functions, written `path:Class.method`. */
export interface ReportTask {
  readonly id: string;
  /** GitHub's owner/name. */
  readonly repo: string;
  readonly revision: string;
  readonly query: string;
  readonly relevant: readonly string[];
  readonly entities: readonly string[];
}

export interface ReportResult {
  readonly path: string;
  readonly symbols: readonly string[];
}

export interface ReportAnswer {
  readonly task: ReportTask;
  readonly results: readonly ReportResult[];
  readonly ms: number;
}

const FILE_CUTOFFS = [1, 3, 5, 10];
const FUNCTION_CUTOFFS = [5, 10];

/** Lists of Python code without tests: what published retrievers rank. */
function isProduct(path: string): boolean {
  const segments = path.split("/");
  const name = segments.pop() ?? "";
  if (!name.endsWith(".py") || name.startsWith("test_") || name.endsWith("_test.py")) return false;
  return !segments.some((folder) => /^(?:tests?|testing)$/.test(folder));
}

/** Whether all that is wanted is among the first k different ones of a list. */
function isAmong(wanted: readonly string[], list: readonly string[], k: number): boolean {
  const first = new Set([...new Set(list)].slice(0, k));
  return wanted.every((each) => first.has(each));
}

function filesOf({ results }: ReportAnswer, onlyProduct = false): string[] {
  return results.map(({ path }) => path).filter((path) => !onlyProduct || isProduct(path));
}

function functionsOf({ results }: ReportAnswer): string[] {
  return results.flatMap(({ path, symbols }) => symbols.map((symbol) => `${path}:${symbol}`));
}

export function isFileFound(answer: ReportAnswer, k: number): boolean {
  return isAmong(answer.task.relevant, filesOf(answer), k);
}

export function isFunctionFound(answer: ReportAnswer, k: number): boolean {
  return isAmong(answer.task.entities, functionsOf(answer), k);
}

/** The table that a person reads: Acc@k in percent. */
export function reportTable(title: string, answers: readonly ReportAnswer[]): string {
  const withFunctions = answers.filter(({ task }) => task.entities.length > 0);
  const line = (
    label: string,
    cutoffs: readonly number[],
    asked: readonly ReportAnswer[],
    isFound: (answer: ReportAnswer, k: number) => boolean,
  ) => {
    const shares = cutoffs.map((k) => {
      const found = asked.filter((answer) => isFound(answer, k)).length;
      return `@${k} ${((100 * found) / Math.max(1, asked.length)).toFixed(1)}`;
    });
    return `  ${label.padEnd(10)} ${shares.join("  ")}`;
  };
  return [
    `${title}: ${answers.length} reports, Acc@k in percent`,
    line("file", FILE_CUTOFFS, answers, isFileFound),
    line("product", FILE_CUTOFFS, answers, (answer, k) =>
      isAmong(answer.task.relevant, filesOf(answer, true), k),
    ),
    line("function", FUNCTION_CUTOFFS, withFunctions, isFunctionFound),
  ].join("\n");
}
