/** Measures how long a graph takes to follow one saved file with an added line or a renamed symbol. */

import { encodeFacts } from "../../server/contracts/encoded-facts.ts";
import { Graph } from "../../server/graph/graph.ts";
import { createLanguages } from "../../server/languages/languages.ts";
import { addLineInOne, type Files, renameInOne } from "./edits.ts";

const languages = createLanguages();

/** The cost of one save. */
export interface Save {
  readonly path: string;
  readonly importsMs: number;
  readonly allMs: number;
  /** The longest step, which blocks the thread. */
  readonly stepMs: number;
}

interface Measured {
  /** The duration of the first complete resolution. */
  readonly firstStepMs: number;
  /** Saves that add a line. */
  readonly moved: readonly Save[];
  /** Saves that rename a symbol, which changes how other files resolve. */
  readonly renamed: readonly Save[];
}

/** Each save is of a graph at work, as between two keystrokes: nothing is packed away before it. */
export async function measureSaves(
  files: Files,
  { saves, random }: { readonly saves: number; readonly random: () => number },
): Promise<Measured> {
  const graph = new Graph();
  for (const [path, text] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    (await prepare(graph, path, text))();
  const firstStepMs = run(graph.resolveAll());
  const measure = async (edit: typeof renameInOne): Promise<Save[]> => {
    const measured: Save[] = [];
    while (measured.length < saves) {
      const { path, text } = edit(files, random) ?? {};
      if (path === undefined || text === undefined) continue;
      for (const next of [text, files.get(path) ?? ""])
        measured.push({ path, ...follow(graph, await prepare(graph, path, next)) });
    }
    return measured;
  };
  return {
    firstStepMs,
    moved: await measure(addLineInOne),
    renamed: await measure(renameInOne),
  };
}

function follow(graph: Graph, save: () => void): Omit<Save, "path"> {
  const began = performance.now();
  save();
  const importsStep = run(graph.resolveImports());
  const middle = performance.now();
  const allStep = run(graph.resolveAll());
  const allMs = performance.now() - began;
  return { importsMs: middle - began, allMs, stepMs: Math.max(importsStep, allStep) };
}

async function prepare(graph: Graph, path: string, text: string): Promise<() => void> {
  const id = languages.detect(path, text);
  const facts = await languages.withSyntax(text, id, (syntax) => syntax.facts, { path });
  const encoded = facts === undefined ? "" : encodeFacts(facts);
  return () => graph.set(path, facts, encoded);
}

/** Gives the longest step. */
function run(steps: Generator<void, void>): number {
  let longest = 0;
  for (let began = performance.now(); ; ) {
    const { done } = steps.next();
    const now = performance.now();
    longest = Math.max(longest, now - began);
    if (done === true) return longest;
    began = now;
  }
}
