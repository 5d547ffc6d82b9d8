/** Options and parsers that the commands share: --root, --json, --yes, lists and numbers. */

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

/** Runs the action of a command with its context. */
export type Run = (work: (context: CommandContext) => Promise<ExitCode>) => Promise<void>;

const ROOT = [
  "--root <dir>",
  "the workspace; default: the project around the current folder",
] as const;
export const JSON_ANSWER = ["--json", "print one JSON document"] as const;
const YES = ["--yes", "index a folder that is not a repository without asking"] as const;

export function common(command: Command): Command {
  return withoutYes(command).option(...YES);
}

/** Options of a command that never starts to index a folder. */
export function withoutYes(command: Command): Command {
  return command.option(...ROOT).option(...JSON_ANSWER);
}

/** Options of a command whose output is not data. */
export function withoutJson(command: Command): Command {
  return command.option(...ROOT).option(...YES);
}

/** Throws BadRequest if the root is not a folder, before the engine starts. */
export function rootOf({ cwd }: CommandContext, { root }: CommonOptions): string {
  return existingFolder(findRoot(cwd, root));
}

/** Collects a repeatable option with comma-separated values. Empty values, as from an unset shell variable, are dropped. */
export function collectList(value: string, before: readonly string[] = []): string[] {
  return [...before, ...splitAtCommas(value).filter((part) => part !== "")];
}

/** Commas in braces and after a backslash belong to a glob. */
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

/** The request checks the range. */
export function number(value: string): number {
  const parsed = Number(value);
  if (value.trim() === "" || Number.isNaN(parsed)) throw new InvalidArgumentError("not a number");
  return parsed;
}

/** For options that no request checks, such as the number of lines to show. */
export function parseWholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError("not a whole number from 0");
  return Number(value);
}
