/** Runs tasks with an agent in both arms, several at once, and notes its calls and its answer. */

import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAgent } from "./agent.ts";
import { describeFileTools, runFileTool } from "./file-tools.ts";
import { openGateway } from "./gateway.ts";
import { startOurTools } from "./our-tools.ts";
import type { Arm, Call, Outcome } from "./outcome.ts";
import { promptOf } from "./prompt.ts";
import { score } from "./score.ts";
import { needsHistory, type Place, type Task } from "./tasks.ts";
import type { Tree } from "./trees.ts";

export interface Work {
  readonly task: Task;
  readonly arm: Arm;
  readonly tree: Tree;
}

interface RunOptions {
  readonly command: string;
  readonly home: string;
  readonly limitMs: number;
  readonly parallel: number;
  /** Lines are appended to it. */
  readonly out: string | undefined;
}

export async function runTasks(works: readonly Work[], options: RunOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  await noteTexts(works, options);
  const waiting = [...works];
  const take = async () => {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) {
      const outcome = await runTask(work, options);
      outcomes.push(outcome);
      append(options.out, outcome);
      const { task, arm, isRight, fault, calls } = outcome;
      const end = fault ?? (isRight ? "right" : "wrong");
      console.error(
        `${outcomes.length} of ${works.length}: ${task} (${arm}) ${end}, ${calls.length} calls`,
      );
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, take));
  return outcomes;
}

/** The texts of our tools that the run measures. */
async function noteTexts(works: readonly Work[], { home, out }: RunOptions): Promise<void> {
  const first = works.find(({ arm }) => arm === "with");
  if (first === undefined || out === undefined) return;
  const { instructions, tools, close } = await startOurTools(first.tree.root, home);
  await close();
  append(out, { instructions, tools });
}

function append(out: string | undefined, line: object): void {
  if (out !== undefined) appendFileSync(out, `${JSON.stringify(line)}\n`);
}

/** The task in the names of the tree. */
export function inTree(task: Task, { renamer }: Tree): Task {
  if (renamer === undefined) return task;
  const moved = (places: readonly Place[]) =>
    places.map(({ name, ...place }) => ({
      ...place,
      path: renamer.path(place.path),
      ...(name === undefined ? {} : { name: renamer.code(name) }),
    }));
  const { grep } = task;
  return {
    ...task,
    text: renamer.prose(task.text),
    places: moved(task.places),
    neutral: moved(task.neutral ?? []),
    ...(grep === undefined
      ? {}
      : { grep: { pattern: renamer.code(grep.pattern), paths: grep.paths.map(renamer.path) } }),
  };
}

async function runTask({ task: original, arm, tree }: Work, options: RunOptions): Promise<Outcome> {
  const task = inTree(original, tree);
  const { id, repository, kind, first } = task;
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-agent-"));
  mkdirSync(join(folder, "bin"));
  const hasHistory = needsHistory(task);
  const ours = arm === "with" ? await startOurTools(tree.root, options.home) : undefined;
  const fileTools = describeFileTools(hasHistory);
  let order = 0;
  const gateway = await openGateway({
    bin: join(folder, "bin"),
    tools: [...fileTools, ...(ours?.tools ?? [])].map(({ name }) => name),
    run: async (tool, input) =>
      runFileTool(tree.root, hasHistory, tool, input) ??
      (await ours?.run(tool, input)) ?? {
        text: `Error: unknown command ${tool}`,
        isError: true,
      },
    note: (call: Call) => append(options.out, { task: id, arm, order: ++order, call }),
  });
  try {
    const prompt = promptOf({ task, fileTools, ours });
    const name = `${id}-${arm}`;
    const { places, ms, ...end } = await runAgent({
      ...options,
      root: tree.root,
      folder,
      name,
      prompt,
    });
    const judged = score(task, places);
    const { calls } = gateway;
    return {
      task: id,
      arm,
      repository,
      tree: tree.stamp,
      kind,
      first,
      ...judged,
      ...end,
      places,
      calls,
      ms,
    };
  } finally {
    await gateway.close();
    await ours?.close();
    rmSync(folder, { recursive: true });
  }
}
