/** Requests contexts for random questions and checks with a real tokenizer that each fits its budget, and how much of it is used. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { countTokens } from "gpt-tokenizer";
import { CONTEXT_FORMATS } from "../server/contracts/context-request.ts";
import { createRandom } from "./evaluation/random.ts";
import { ended, openSession } from "./evaluation/server.ts";
import { scriptOptions } from "./script-options.ts";

const USAGE =
  "usage: npm run context-budget -- FOLDER... [--count N] [--budgets N,...] [--seed N] [--home DIR]";

interface Tally {
  readonly shares: number[];
  readonly empty: string[];
  readonly over: string[];
  /** The largest count of tokens by what the answer says. */
  highest: number;
}

async function main(): Promise<number> {
  const { values, positionals: folders } = scriptOptions(USAGE, {
    allowPositionals: true,
    options: {
      count: { type: "string", default: "1000" },
      budgets: { type: "string", default: "500,2000,8000,32000" },
      seed: { type: "string", default: "1" },
      home: { type: "string" },
    },
  });
  if (folders.length === 0) {
    console.error(USAGE);
    return 2;
  }
  const random = createRandom(Number(values.seed));
  const each = Math.ceil(Number(values.count) / folders.length);
  const budgets = values.budgets.split(",").map(Number);
  const home = resolve(values.home ?? mkdtempSync(join(tmpdir(), "cocosearch-budget-")));
  const session = openSession(home);
  const tallies = new Map<string, Tally>();
  for (const folder of folders.map((name) => resolve(name))) {
    await session.openFolders([folder]);
    await session.whenIdle();
    const lines = await linesOf(folder, (query) => session.search({ query, limit: 100 }));
    console.error(`${folder}: ${each} questions from ${lines.length} lines`);
    for (let i = 0; i < each; i++) {
      const query = randomQuestion(lines, random);
      const format = CONTEXT_FORMATS[i % CONTEXT_FORMATS.length] ?? "md";
      for (const tokenBudget of budgets) {
        const answer = await session.context({ query, tokenBudget, format });
        const tokens = countTokens(answer.text);
        const tally = tallies.get(`${tokenBudget} ${format}`) ?? emptyTally();
        tallies.set(`${tokenBudget} ${format}`, tally);
        if (tokens === 0) tally.empty.push(query);
        if (tokens > tokenBudget) tally.over.push(`${tokens} for ${JSON.stringify(query)}`);
        tally.shares.push(tokens / tokenBudget);
        tally.highest = Math.max(tally.highest, tokens / Math.max(1, answer.tokensUsed));
      }
    }
  }
  const { engine } = await session.status();
  await session.dispose();
  if (values.home === undefined) {
    await ended(engine.pid);
    rmSync(home, { recursive: true });
  }
  return print(tallies);
}

function emptyTally(): Tally {
  return { shares: [], empty: [], over: [], highest: 0 };
}

/** Lines of the files that a search for something common finds. */
async function linesOf(
  folder: string,
  search: (query: string) => Promise<{ readonly hits: readonly { readonly path: string }[] }>,
): Promise<string[]> {
  const queries = ["function that returns a value", "test", "error handling", "configuration"];
  const answers = await Promise.all(queries.map(search));
  const paths = new Set(answers.flatMap(({ hits }) => hits.map(({ path }) => path)));
  return [...paths]
    .flatMap((path) => readFileSync(join(folder, path), "utf8").split("\n"))
    .filter((line) => /\p{L}{3}/u.test(line));
}

/** Words, a line as it is, several lines, or a question around a name. */
function randomQuestion(lines: readonly string[], random: () => number): string {
  const anyLine = () => lines[Math.floor(random() * lines.length)] ?? "";
  const wordOf = (line: string) => {
    const words = line.match(/[\p{L}_][\p{L}\p{N}_]{2,}/gu) ?? [line];
    return words[Math.floor(random() * words.length)] ?? line;
  };
  const words = (count: number) => Array.from({ length: count }, () => wordOf(anyLine()));
  const forms: readonly (() => string)[] = [
    () => words(1).join(" "),
    () => words(2 + Math.floor(random() * 6)).join(" "),
    () => `where is ${words(1).join("")} used with ${words(2).join(" ")}?`,
    () => anyLine().trim(),
    () => Array.from({ length: 5 }, anyLine).join("\n"),
  ];
  return (forms[Math.floor(random() * forms.length)] ?? anyLine)();
}

function print(tallies: ReadonlyMap<string, Tally>): number {
  console.log(
    "| budget, format | asked | over | empty | share used, median | lowest 5 % | highest count / tokensUsed |",
  );
  console.log("|---|---:|---:|---:|---:|---:|---:|");
  let over = 0;
  for (const [key, tally] of tallies) {
    const sorted = tally.shares.filter((share) => share > 0).toSorted((a, b) => a - b);
    const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(3);
    over += tally.over.length;
    console.log(
      `| ${key} | ${tally.shares.length} | ${tally.over.length} | ${tally.empty.length} | ${at(0.5)} | ${at(0.05)} | ${tally.highest.toFixed(3)} |`,
    );
    for (const each of tally.over) console.log(`over: ${each}`);
  }
  return over === 0 ? 0 : 1;
}

process.exitCode = await main();
