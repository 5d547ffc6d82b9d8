/**
 * Imports and calls of installed packages in TypeScript, JavaScript and C++, compared with golden/. Other languages have
 * tests of their own.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runToEnd } from "../../server/common/slices.ts";
import { decodeFacts } from "../../server/contracts/encoded-facts.ts";
import { callersOf } from "../../server/graph/answers/call-sites.ts";
import { incomingCalls } from "../../server/graph/answers/navigation.ts";
import { Graph, qualifiedName } from "../../server/graph/graph.ts";
import { isSameDefinition } from "../../server/graph/project/project.ts";
import type { CallEdge } from "../../server/graph/resolve/file-view.ts";
import { callsIn, factsOf, graphOf, importsIn } from "../support/graph.ts";

const MODULES = join(import.meta.dirname, "../../node_modules");
const golden = (name: string) => join(import.meta.dirname, "golden", name);

/** Packages of fixed versions. */
const TREES = [
  ["zod", "zod/src/v3", /\.ts$/],
  ["commander", "commander", /^(?:index|lib\/\w+)\.js$/],
  ["watcher", "@parcel/watcher/src", /\.(?:cc|hh|h|c)$/],
] as const;

async function graphIn(folder: string, isWanted: RegExp): Promise<Graph> {
  const root = join(MODULES, folder);
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => isWanted.test(path) && !/(?:^|\/)(?:tests|benchmarks)\//.test(path))
    .toSorted();
  const files = [];
  for (const path of paths) {
    const text = readFileSync(join(root, path), "utf8");
    files.push({ path, facts: decodeFacts(await factsOf(path, text)) });
  }
  return new Graph(files);
}

/** One line for all calls of a file to one target: the lines of the calls come first. */
function joinedCalls(calls: readonly string[]): string[] {
  const found = new Map<string, string[]>();
  for (const call of calls) {
    const [, file = "", line = "", rest = ""] = /^(.*?):(\d+) (.*)$/.exec(call) ?? [];
    const key = `${file} ${rest}`;
    found.set(key, [...(found.get(key) ?? []), line]);
  }
  return [...found].map(([key, lines]) => key.replace(" ", `:${lines.join(",")} `));
}

it.each(TREES)("The graph of %s equals its golden file", async (name, folder, isWanted) => {
  const graph = await graphIn(folder, isWanted);
  const lines = [...importsIn(graph), "", ...joinedCalls(callsIn(graph))];
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden(`${name}.txt`));
});

const RENAMED = `//- pool.py
class Pool:
    def __init__(self): ...
def start(): ...
//- alias.py
from pool import start as begin, Pool
begin()
Pool()
//- pool.rb
class Pool
  def initialize; end
end
//- make.rb
require_relative "pool"
Pool.new
//- pool.ts
export default function open() {}
export class Pool { constructor() {} }
//- use.ts
import anything, { Pool as Basin } from "./pool";
anything();
new Basin();
//- pool.h
void pool_open(void);
#define OPEN pool_open
//- pool.c
#include "pool.h"
void pool_open(void) {}
//- main.c
#include "pool.h"
int main(void) { OPEN(); pool_open(); return 0; }
`;

/** A call and its target. */
const keyOf = ({ file, line, column, to }: CallEdge, { file: target, index } = to) =>
  `${file}:${line}:${column} ${target}:${index}`;

it.each([
  ...TREES.map(([name, folder, isWanted]) => [name, () => graphIn(folder, isWanted)] as const),
  ["calls by other names", () => graphOf(RENAMED)] as const,
])("Incoming calls agree with outgoing calls: %s", async (_, create) => {
  const graph = await create();
  const { project } = graph;
  const sure = [...project.files]
    .flatMap((file) => graph.callsOf(file))
    .filter(({ isCandidate }) => !isCandidate);
  expect(sure.length).toBeGreaterThan(5);
  const targets = new Map(sure.map(({ to }) => [`${to.file}:${to.index}`, to]));
  for (const target of targets.values()) {
    const isOfTarget = ({ to, aliasOf }: CallEdge) =>
      [to, ...aliasOf].some((ref) => isSameDefinition(ref, target));
    const keyOfTarget = (edge: CallEdge) => keyOf(edge, target);
    const own = sure.filter(isOfTarget).map(keyOfTarget);
    const found = runToEnd(incomingCalls(graph, target)).map(keyOfTarget);
    expect(found.toSorted()).toEqual(own.toSorted());
    const named = runToEnd(callersOf(graph, qualifiedName(project, target))).map(keyOfTarget);
    expect(own.filter((each) => !named.includes(each))).toEqual([]);
  }
});
