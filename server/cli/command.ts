/** What every command shares: the folder it is about, the form of its answer, and how it is run. */

import { type Command, InvalidArgumentError } from "commander";
import { findRoot } from "../config/project-root.ts";
import type { CommandContext } from "./command-context.ts";
import type { ExitCode } from "./exit-codes.ts";
import { existingFolder } from "./find-root.ts";

export interface CommonOptions {
  readonly root?: string;
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** Runs a command's work with its context; the number is the exit code. */
export type Run = (work: (context: CommandContext) => Promise<ExitCode>) => Promise<void>;

const ROOT = [
  "--root <dir>",
  "the workspace; default: the project around the current folder",
] as const;
export const JSON_ANSWER = ["--json", "answer with one JSON document, for programs"] as const;
const YES = ["--yes", "index a folder that is no repository without being asked"] as const;

export function common(command: Command): Command {
  return withoutYes(command).option(...YES);
}

/** For a command that never begins to index a folder. */
export function withoutYes(command: Command): Command {
  return command.option(...ROOT).option(...JSON_ANSWER);
}

/** For an answer that is no data. */
export function withoutJson(command: Command): Command {
  return command.option(...ROOT).option(...YES);
}

/** BadRequest, before anything is started, when that is no folder. */
export function rootOf({ cwd }: CommandContext, { root }: CommonOptions): string {
  return existingFolder(findRoot(cwd, root));
}

/** Collects an option that may be repeated and may hold several values with commas; none, as by a variable that is not set. */
export function list(value: string, before: readonly string[] = []): string[] {
  return [...before, ...splitAtCommas(value).filter((part) => part !== "")];
}

/** Commas in braces, and behind a backslash, are of a glob. */
function splitAtCommas(value: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const letter of value.match(/\\.|[^]/g) ?? []) {
    if (letter === "{") depth++;
    else if (letter === "}" && depth > 0) depth--;
    if (letter === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop()}${letter}`);
  }
  return parts;
}

/** Whether the number is in range is for the request's own check to say. */
export function number(value: string): number {
  const parsed = Number(value);
  if (value.trim() === "" || Number.isNaN(parsed)) throw new InvalidArgumentError("Not a number.");
  return parsed;
}

/** For what no request checks: how much is shown. */
export function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError("Not a whole number from 0.");
  return Number(value);
}
