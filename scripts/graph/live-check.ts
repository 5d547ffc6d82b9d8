/** Compares a graph that was updated by edits with a new graph of the same files. */

import { createHash } from "node:crypto";
import { inSlices } from "../../server/common/slices.ts";
import { decodeFacts, encodeFacts } from "../../server/contracts/encoded-facts.ts";
import type { FileFacts } from "../../server/contracts/facts.ts";
import { Graph, qualifiedName } from "../../server/graph/graph.ts";
import { createLanguages } from "../../server/languages/languages.ts";
import { type Files, randomEdit } from "./edits.ts";

const languages = createLanguages();

/** Edits between two pauses. */
const RELEASE_EVERY = 3;
/** Edits between two starts of the program, each from what the one before has stored. */
const RESTART_EVERY = 7;
/** Files whose calls are asked for after each edit. */
const ASKED_FILES = 3;

interface Difference {
  readonly edit: number;
  readonly kind: string;
  readonly lines: readonly string[];
}

interface Options {
  readonly edits: number;
  readonly random: () => number;
  /** Called after each edit with how long the update of imports, and of everything, took. */
  readonly measured?: (importsMs: number, allMs: number) => void;
}

/** The first edit after which the two graphs differ; undefined if they never do. */
export async function findDifference(
  start: Files,
  { edits, random, measured }: Options,
): Promise<Difference | undefined> {
  const files = new Map(start);
  const removed = new Map<string, string>();
  const known = new Map<string, FileFacts | undefined>();
  let live = new Graph();
  const set = async (path: string, text: string) => {
    files.set(path, text);
    const facts = await factsOf(path, text, known);
    return () => live.set(path, facts);
  };
  for (const [path, text] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    (await set(path, text))();
  run(live.resolveAll());
  for (let edit = 0; edit < edits; edit++) {
    if (edit % RESTART_EVERY === 0) live = await restarted(live, files, known);
    const { kind, changed } = randomEdit(files, removed, random);
    const applied: (() => void)[] = [];
    for (const [path, text] of changed) {
      const old = files.get(path);
      if (text !== undefined) applied.push(await set(path, text));
      else if (old !== undefined) {
        files.delete(path);
        removed.set(path, old);
        applied.push(() => live.remove(path));
      }
    }
    // As if an idle period came before.
    if (edit % RELEASE_EVERY === 0) run(live.release());
    const began = performance.now();
    for (const apply of applied) apply();
    run(live.prepare());
    const middle = performance.now();
    // Before all is resolved: questions about a few files do not wait for that.
    const askedOf = [...files.keys()].filter(() => random() < ASKED_FILES / files.size);
    const early = callsOf(live, askedOf);
    const answered = performance.now();
    run(live.resolveAll());
    measured?.(middle - began, performance.now() - began - (answered - middle));
    const other = await fresh(files, known);
    const lines = differences(edgesOf(live), edgesOf(other));
    const calls = differences(early, callsOf(other, askedOf));
    if (lines.length + calls.length > 0) return { edit, kind, lines: [...lines, ...calls] };
  }
  return undefined;
}

/** Facts as they come from the store; each text is parsed once. */
async function factsOf(
  path: string,
  text: string,
  known: Map<string, FileFacts | undefined>,
): Promise<FileFacts | undefined> {
  const key = createHash("sha256").update(`${path}\n${text}`).digest("hex");
  if (!known.has(key)) {
    const id = languages.detect(path, text);
    const facts = await languages.withSyntax(text, id, (syntax) => syntax.facts, { path });
    known.set(key, facts && decodeFacts(encodeFacts(facts)));
  }
  return known.get(key);
}

/** A graph that begins with what another one has resolved. */
async function restarted(
  graph: Graph,
  files: Files,
  known: Map<string, FileFacts | undefined>,
): Promise<Graph> {
  const packed = await inSlices(graph.pack());
  if (packed === undefined) throw new Error("the graph changed while it was packed");
  const next = new Graph();
  next.numberFiles(packed);
  for (const [path, text] of files) next.set(path, await factsOf(path, text, known));
  next.unpack(packed);
  return next;
}

async function fresh(files: Files, known: Map<string, FileFacts | undefined>): Promise<Graph> {
  const graph = new Graph();
  for (const [path, text] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    graph.set(path, await factsOf(path, text, known));
  return graph;
}

function differences(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return [
    ...[...a].filter((line) => !b.has(line)).map((line) => `only updated: ${line}`),
    ...[...b].filter((line) => !a.has(line)).map((line) => `only new: ${line}`),
  ];
}

/** Every call of some files as a line of text. */
function callsOf(graph: Graph, paths: readonly string[]): Set<string> {
  const { project } = graph;
  const calls = paths.flatMap((path) => graph.callsOf(project.find(path) ?? -1));
  return new Set(
    calls.map(({ file, line, to, how }) => {
      const target = `${project.path(to.file)} ${qualifiedName(project, to)}`;
      return `${project.path(file)} ${line} calls ${target} ${how}`;
    }),
  );
}

/** Every edge between files as a line of text. */
function edgesOf(graph: Graph): Set<string> {
  const { project, fileEdges } = graph;
  const lines = project.files.flatMap((file) => {
    const from = project.path(file);
    const imports = graph
      .resolutions(file)
      .map(
        ({ files, external, how }, i) =>
          `${from} import ${i} ${files.map((to) => project.path(to)).join()} ${external} ${how}`,
      );
    const edges = [...fileEdges.from(file).values()].map(
      ({ file: to, weight, types, line, confidence }) =>
        `${from} -> ${project.path(to)} ${weight} ${[...types].join()} ${line} ${confidence}`,
    );
    const reverse = [...fileEdges.to(file).values()].map(
      (edge) => `${project.path(edge.file)} => ${from} ${edge.weight}`,
    );
    return [...imports, ...edges, ...reverse];
  });
  return new Set(lines);
}

function run(steps: Generator<void, void>): void {
  while (steps.next().done !== true);
}
