/** Checks the tasks against their repositories: every place exists and has its name, and lists are complete. */

import { spawnSync } from "node:child_process";
import { normalPlace } from "./place.ts";
import { needsHistory, type Place, type Repository, type Task } from "./tasks.ts";
import { git } from "./trees.ts";

/** What is wrong, one line each. */
export function checkTask(
  task: Task,
  repository: Repository,
  clone: string,
  textOf: (path: string) => string | undefined,
): string[] {
  const problems: string[] = [];
  if (task.places.length === 0) problems.push("there is no place");
  if (needsHistory(task)) problems.push(...checkCommit(task, repository, clone));
  if (task.kind === "list") problems.push(...checkList(task, repository, clone));
  return [...checkPlaces(task, textOf), ...problems.map((problem) => `${task.id}: ${problem}`)];
}

/** The places exist, and have the names that they should. */
export function checkPlaces(task: Task, textOf: (path: string) => string | undefined): string[] {
  const all = [...task.places, ...(task.neutral ?? [])];
  const problems = all.flatMap((place) => problemOf(place, textOf(place.path)));
  return problems.map((problem) => `${task.id}: ${problem}`);
}

function problemOf(place: Place, text: string | undefined): string[] {
  const { path, startLine, endLine = startLine, name } = place;
  if (text === undefined) return [`there is no file ${path}`];
  if (startLine === undefined || endLine === undefined) return [];
  const lines = text.split("\n");
  if (endLine < startLine || endLine > lines.length)
    return [`${path} has no lines ${startLine}-${endLine}`];
  const inside = lines.slice(startLine - 1, endLine).join("\n");
  return name === undefined || inside.includes(name)
    ? []
    : [`${normalPlace(place)} does not contain ${name}`];
}

/** The commit changed the file whose lines it explains, and is an ancestor. */
function checkCommit(
  { commit = "", places }: Task,
  repository: Repository,
  clone: string,
): string[] {
  const merge = spawnSync("git", [
    "-C",
    clone,
    "merge-base",
    "--is-ancestor",
    commit,
    repository.commit,
  ]);
  if (merge.status !== 0) return [`${commit} is not in the history`];
  const place = places[0];
  if (place?.startLine === undefined) return ["there are no lines"];
  const { path, startLine, endLine = startLine } = place;
  const blame = git(
    clone,
    "blame",
    "--porcelain",
    `-L${startLine},${endLine}`,
    repository.commit,
    "--",
    path,
  );
  return blame.includes(commit) ? [] : [`${commit} did not write any of these lines`];
}

/** Git finds the same lines, except for neutral ones. */
function checkList(
  { grep, places, neutral = [] }: Task,
  { commit }: Repository,
  clone: string,
): string[] {
  if (grep === undefined) return ["a list needs the expression that finds it"];
  const output = git(clone, "grep", "-nP", grep.pattern, commit, "--", ...grep.paths);
  const found = output.split("\n").flatMap((line) => {
    const [, path = "", number = ""] = /^\w+:([^:]+):(\d+):/.exec(line) ?? [];
    return path === "" ? [] : [`${path}:${number}`];
  });
  const known = [...places, ...neutral].map(({ path, startLine }) => `${path}:${startLine}`);
  return [
    ...found.filter((each) => !known.includes(each)).map((each) => `${each} is missing`),
    ...known.filter((each) => !found.includes(each)).map((each) => `${each} is not found`),
  ];
}
