/** The language of a notebook cell, and its code without notebook commands. */

import type { Cell } from "./notebook.ts";

/** `%%bash`, also after empty lines. */
const CELL_COMMAND = /^\s*%%(\w+)/;

/** Cell commands that run the cell in the language of the notebook. */
const RUNS_ITSELF = new Set(["capture", "debug", "prun", "time", "timeit", "memit", "python3"]);

/** The language of the cell, as named by the cell or the notebook. */
export function languageOfCell({ type, language, lines }: Cell, own: string): string {
  if (type !== "code") return type === "markdown" ? "markdown" : "text";
  const command = CELL_COMMAND.exec(lines.map(({ text }) => text).join("\n"))?.[1];
  if (command === undefined || RUNS_ITSELF.has(command)) return language ?? own;
  return command === "writefile" || command === "file" ? (language ?? own) : command;
}

/** A notebook or shell command: `%matplotlib inline`, `!pip install x`, `x = !ls`, `?print`, `print?`. */
const COMMAND = /^([ \t]*)(?:[%!?].*|[\w.]+\?\??[ \t]*)$/;
const ASSIGNED_COMMAND = /^([ \t]*[\w, .]+=[ \t]*)([!%].*)$/;

/**
 * Replaces commands with text of the same length, so that offsets do not change. An indented one becomes a statement, since it may
 * be the only one of its block.
 */
export function withoutCommands(code: string): string {
  const lines = code.split("\n").map((line) => {
    const indent = COMMAND.exec(line)?.[1];
    if (indent !== undefined) return (indent === "" ? "" : `${indent}0`).padEnd(line.length);
    const [, target, command] = ASSIGNED_COMMAND.exec(line) ?? [];
    return target === undefined || command === undefined
      ? line
      : `${target}0${" ".repeat(command.length - 1)}`;
  });
  return lines.join("\n");
}
