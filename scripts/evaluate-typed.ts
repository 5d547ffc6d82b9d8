/** Evaluates typed queries: searches for messages, flags and names drawn at random from a repository, and counts how often the source ranks first. */

import { readFileSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import type { Hit } from "../server/contracts/model.ts";
import type { Session } from "../server/contracts/session.ts";
import { percentile } from "./bench/statistics.ts";
import { folderOptions } from "./evaluation/folder-options.ts";
import { createRandom, shuffled } from "./evaluation/random.ts";
import { openSession } from "./evaluation/server.ts";
import {
  classesIn,
  documentLines,
  filledWithWords,
  mayBeProduct,
  messagesIn,
  otherMessagesIn,
  type Place,
  sharedTokensIn,
  sourceLines,
  TOKENS,
  TYPED_MESSAGES,
  TYPED_NAMES,
  tokensIn,
} from "./typed/draw.ts";

const USAGE = "usage: npm run evaluate-typed -- FOLDER... --home DIR [--count N]";

/** A question, and the place of the right hit in its answer; -1 without one. */
type Ask = () => Promise<number>;

async function main(): Promise<number> {
  const options = folderOptions(USAGE, 60);
  if (options === undefined) return 2;
  const { folders, home, count } = options;
  const session = openSession(home);
  for (const folder of folders) {
    const root = resolve(folder);
    await session.openFolders([root]);
    await session.whenIdle();
    console.log(`\n${folder}`);
    for (const [kind, questions] of questionsOf(session, root, count)) await tally(kind, questions);
  }
  await session.dispose();
  return 0;
}

/** The results of one repository by kind of query. */
function* questionsOf(session: Session, root: string, count: number): Generator<[string, Ask[]]> {
  const lines = sourceLines(root);
  const random = createRandom(3);
  const draw = <T>(all: readonly T[]): T[] => shuffled(all, random).slice(0, count);
  const search = async (query: string) => (await session.search({ query, limit: 10 })).hits;
  // A text may also be in a comment, or in a string that is one of several in its line.
  const hasMessage = (hit: Hit, { path, line, text }: Place, query: string) =>
    (hit.path === path && hit.lines.start <= line && line <= hit.lines.end) ||
    [text, query].some((each) => textOf(root, hit).includes(each));
  const askFor = (message: Place, query: string) => async () =>
    (await search(query)).findIndex((hit) => hasMessage(hit, message, query));
  const messages = draw(messagesIn(lines));
  for (const [kind, type] of Object.entries(TYPED_MESSAGES))
    yield [`message ${kind}`, messages.map((each) => askFor(each, type(each.text, random)))];
  for (const [kind, pattern] of Object.entries(TOKENS)) {
    const ask = (token: string) => async () =>
      (await search(token)).findIndex(
        (hit) => isNamedLike(hit, token) || textOf(root, hit).includes(token),
      );
    yield [kind, draw(tokensIn(lines, pattern)).map(ask)];
  }
  for (const [kind, tokens] of Object.entries(sharedTokensIn(root))) {
    const isProductWith = (hit: Hit, token: string) =>
      isNamedLike(hit, token) ||
      (mayBeProduct(hit.path) && textOf(root, hit).includes(token.replace(/^--/, "")));
    const ask = (token: string) => async () =>
      (await search(token)).findIndex((hit) => isProductWith(hit, token));
    yield [`code before tests: ${kind}`, draw(tokens).map(ask)];
  }
  const classes = draw(classesIn(lines));
  for (const [kind, type] of Object.entries(TYPED_NAMES)) {
    const ask = (name: string, query: string) => async () =>
      (await session.symbols(query, 50)).findIndex(({ symbol }) => lastOf(symbol?.name) === name);
    const typed = classes.map(({ text }) => [text, type(text)] as const);
    yield [
      `name, ${kind}`,
      typed.flatMap(([name, query]) => (query === undefined ? [] : [ask(name, query)])),
    ];
  }
  const others = otherMessagesIn([...lines, ...documentLines(root)]);
  for (const [source, all] of Object.entries(others))
    yield [`message of a ${source}`, draw(all).map((each) => askFor(each, each.text))];
  const open = messagesIn(lines).flatMap((each) => {
    const typed = filledWithWords(each.text, random);
    return typed === undefined ? [] : [askFor(each, typed)];
  });
  yield ["message filled with common words", draw(open)];
}

/** A key may be the name of a file, which is as right as a place that reads it. */
function isNamedLike({ path }: Hit, token: string): boolean {
  return basename(path) === token || basename(path, extname(path)) === token;
}

function textOf(root: string, { path, lines: { start, end } }: Hit): string {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  return lines.slice(start, end + 1).join("\n");
}

function lastOf(name: string | undefined): string | undefined {
  return name?.split(/\.|::|#/).at(-1);
}

async function tally(kind: string, questions: readonly Ask[]): Promise<void> {
  if (questions.length === 0) return;
  const places: number[] = [];
  const times: number[] = [];
  for (const ask of questions) {
    const start = performance.now();
    places.push(await ask());
    times.push(performance.now() - start);
  }
  const share = (most: number) =>
    (places.filter((place) => place >= 0 && place < most).length / places.length).toFixed(2);
  const middle = percentile(times, 0.5).toFixed(1);
  console.log(
    `  ${kind.padEnd(28)} n ${String(places.length).padStart(3)}  first ${share(1)}  three ${share(3)}  five ${share(5)}  twenty ${share(20)}  p50 ${middle} ms`,
  );
}

process.exitCode = await main();
