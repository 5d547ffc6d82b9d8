/** Checks that all interfaces return the same first hits: search request, workspace/symbol, the client command and the terminal. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProtocolConnection } from "vscode-languageserver/node";
import type { Hit } from "../server/contracts/model.ts";
import type { Task } from "./evaluation/metrics.ts";
import { startServer } from "./evaluation/server.ts";
import { scriptOptions } from "./script-options.ts";

const USAGE = `usage: npm run doors -- --repos DIR --home DIR --tasks TASKS.json --only REPO,... [--typos N] [--terminal]

  --tasks FILE  questions; only those about the repositories of --only are asked
  --typos N     asks for this many definitions of each repository with one slip in their names, too
  --terminal    asks the command line as well, one process for each question`;

const SHOWN = 10;
const MAIN = resolve(import.meta.dirname, "../dist/main.js");

interface FoundHit {
  readonly location: { readonly uri: string };
  readonly selectionRange: { readonly start: { readonly line: number } };
  readonly relevance: Hit["relevance"];
  readonly symbol?: { readonly name: string };
}

interface Counts {
  asked: number;
  differing: string[];
  right: number;
}

async function main(): Promise<number> {
  const { values } = scriptOptions(USAGE, {
    options: {
      repos: { type: "string" },
      home: { type: "string" },
      tasks: { type: "string" },
      only: { type: "string" },
      typos: { type: "string", default: "0" },
      terminal: { type: "boolean", default: false },
    },
  });
  const { repos, home, tasks: file, only, typos, terminal } = values;
  if (repos === undefined || home === undefined || file === undefined || only === undefined) {
    console.error(USAGE);
    return 2;
  }
  const tasks = JSON.parse(readFileSync(file, "utf8")) as Task[];
  for (const repo of only.split(",")) {
    const own = tasks.filter((task) => task.repo === repo);
    const root = join(resolve(repos), repo, own[0]?.benchmark_root ?? "");
    const server = await startServer(root, resolve(home));
    const door = { connection: server.connection, root, home: resolve(home), terminal };
    const counts: Counts = { asked: 0, differing: [], right: 0 };
    for (const { query } of own) await compare(query, door, counts);
    console.log(`${repo}: ${counts.asked} questions, ${counts.differing.length} differ`);
    for (const each of counts.differing) console.log(`  ${each}`);
    const slips: Counts = { asked: 0, differing: [], right: 0 };
    for (const name of await namesIn(server.connection, own, Number(typos))) {
      const first = await compare(slip(name, slips.asked), door, slips);
      if (first?.symbol?.name.endsWith(name)) slips.right++;
    }
    if (slips.asked > 0) {
      const { asked, differing, right } = slips;
      console.log(
        `${repo}: ${asked} typos, ${differing.length} differ, ${right} find the definition first`,
      );
      for (const each of differing) console.log(`  ${each}`);
    }
    await server.stop();
  }
  return 0;
}

interface Door {
  readonly connection: ProtocolConnection;
  readonly root: string;
  readonly home: string;
  readonly terminal: boolean;
}

/** Weak matches are left out by lists without headings, and count in none. Resolves to the first hit. */
async function compare(
  query: string,
  { connection, root, home, terminal }: Door,
  counts: Counts,
): Promise<FoundHit | undefined> {
  counts.asked++;
  const ask = async (method: string, params: object) =>
    (await connection.sendRequest<{ hits: readonly FoundHit[] }>(method, params)).hits;
  const hits = await ask("cocosearch/search", { query });
  const lists: Record<string, readonly string[]> = {
    command: placesOf(
      await ask("workspace/executeCommand", { command: "cocosearch.search", arguments: [query] }),
    ),
  };
  const symbols = await connection.sendRequest<
    { location: { uri: string; range: { start: { line: number } } } }[]
  >("workspace/symbol", { query });
  lists["symbol"] = symbols.map(({ location: { uri, range } }) => `${uri}:${range.start.line}`);
  if (terminal) {
    const env = { ...process.env, COCOSEARCH_HOME: home };
    const out = execFileSync(
      process.execPath,
      [MAIN, "search", "--json", "--root", root, "--", query],
      {
        env,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    const answer = JSON.parse(out) as { hits: Hit[] };
    lists["terminal"] = answer.hits.map(
      ({ path, bestLine, lines }) => `${join(root, path)}:${bestLine?.line ?? lines.start}`,
    );
  }
  const all = placesOf(hits).slice(0, SHOWN);
  const strong = [...new Set(placesOf(hits.filter(({ relevance }) => relevance === "strong")))];
  // For a single name, a picker lists definitions only and a search also uses; both begin with the same definition.
  const compared = /^\S+$/.test(query) ? 1 : SHOWN;
  const wanted = strong.slice(0, compared);
  const isSame =
    same(lists["command"], all) &&
    same(lists["terminal"] ?? all.map(plain), all.map(plain)) &&
    same(lists["symbol"]?.slice(0, wanted.length), wanted);
  if (!isSame) counts.differing.push(query.split("\n")[0] ?? "");
  return hits[0];
}

function placesOf(hits: readonly FoundHit[]): string[] {
  return hits.map(({ location, selectionRange }) => `${location.uri}:${selectionRange.start.line}`);
}

function plain(place: string): string {
  const at = place.lastIndexOf(":");
  return fileURLToPath(place.slice(0, at)) + place.slice(at);
}

function same(a: readonly string[] | undefined, b: readonly string[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Names of several words, from the answers to the questions and the code around them. */
async function namesIn(
  connection: ProtocolConnection,
  tasks: readonly Task[],
  count: number,
): Promise<string[]> {
  const names = new Set<string>();
  for (const { query } of tasks) {
    if (names.size >= count) break;
    const { hits } = await connection.sendRequest<{
      hits: readonly { symbols?: { name: string }[] }[];
    }>("cocosearch/search", { query, limit: 50 });
    for (const { name } of hits.flatMap(({ symbols }) => symbols ?? [])) {
      const last = name.split(/[.:]/).at(-1) ?? "";
      if (last.length >= 8 && /[a-z][A-Z]|[a-z]_[a-z]/.test(last)) names.add(last);
    }
  }
  return [...names].slice(0, count);
}

/** One letter doubled, dropped or swapped with the next, every other one in lower case. */
function slip(name: string, i: number): string {
  const at = 2 + (i % (name.length - 4));
  const forms = [
    name.slice(0, at) + name.slice(at - 1),
    name.slice(0, at) + name.slice(at + 1),
    name.slice(0, at) + (name[at + 1] ?? "") + (name[at] ?? "") + name.slice(at + 2),
  ];
  const form = forms[i % forms.length] ?? name;
  return i % 2 === 0 ? form : form.toLowerCase();
}

process.exitCode = await main();
