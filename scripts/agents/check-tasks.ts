/** Checks a task against a repository: every place exists and has its name, and lists are complete. */

import { spawnSync } from "node:child_process";
import { needsHistory, type Place, type Task } from "./tasks.ts";

/** A git directory or working tree, and the revision to look at. */
interface Revision {
  readonly folder: string;
  readonly commit: string;
}

/** The problems, one line each. */
export function checkTask(task: Task, revision: Revision): string[] {
  const all = [...task.places, ...(task.neutral ?? [])];
  const problems = all.flatMap((place) => checkPlace(place, revision));
  if (task.places.length === 0) problems.push("a place is missing");
  if (needsHistory(task)) problems.push(...checkCommit(task, revision));
  if (task.kind === "list") problems.push(...checkList(task, revision));
  return problems.map((problem) => `${task.id}: ${problem} (${revision.folder})`);
}

function checkPlace(place: Place, revision: Revision): string[] {
  const { path, startLine, endLine = startLine, name } = place;
  const text = run(revision, "show", `${revision.commit}:${path}`);
  if (text === undefined) return [`the file ${path} is missing`];
  if (startLine === undefined || endLine === undefined) return [];
  const lines = text.replace(/\n$/, "").split("\n");
  const shown = `${path}:${startLine}-${endLine}`;
  if (endLine < startLine || endLine > lines.length) return [`the lines ${shown} are missing`];
  const inside = lines.slice(startLine - 1, endLine).join("\n");
  return name === undefined || inside.includes(name) ? [] : [`${shown} does not contain ${name}`];
}

/** The commit wrote some of the lines that it explains. */
function checkCommit({ commit = "", places }: Task, revision: Revision): string[] {
  const [place] = places;
  if (place?.startLine === undefined) return ["the lines are missing"];
  const { path, startLine, endLine = startLine } = place;
  const lines = `-L${startLine},${endLine}`;
  const blame = run(revision, "blame", "--porcelain", lines, revision.commit, "--", path) ?? "";
  return blame.includes(commit) ? [] : [`${commit} did not write any of these lines`];
}

/** Git finds the same lines, except for neutral ones. */
function checkList({ grep, places, neutral = [] }: Task, revision: Revision): string[] {
  if (grep === undefined) return ["a list needs the expression that finds it"];
  const output = run(revision, "grep", "-nP", grep.pattern, revision.commit, "--", ...grep.paths);
  const found = (output ?? "").split("\n").flatMap((line) => {
    const [, path = "", number = ""] = /^\w+:([^:]+):(\d+):/.exec(line) ?? [];
    return path === "" ? [] : [`${path}:${number}`];
  });
  const known = [...places, ...neutral].map(({ path, startLine }) => `${path}:${startLine}`);
  return [
    ...found.filter((each) => !known.includes(each)).map((each) => `${each} is missing`),
    ...known.filter((each) => !found.includes(each)).map((each) => `${each} is not found`),
  ];
}

/** Undefined where git finds nothing. */
function run({ folder }: Revision, ...args: string[]): string | undefined {
  const { status, stdout, error } = spawnSync("git", ["-C", folder, ...args], {
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  if (error !== undefined) throw error;
  return status === 0 ? stdout : undefined;
}
