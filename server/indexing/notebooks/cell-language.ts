/** Says in which language a cell is written, and gives a parser its code without the commands of the notebook. */

import type { Cell } from "./notebook.ts";

/** `%%bash`, also behind empty lines. */
const CELL_COMMAND = /^\s*%%(\w+)/;

/** Commands that run what follows in the language of the notebook. */
const RUNS_ITSELF = new Set(["capture", "debug", "prun", "time", "timeit", "memit", "python3"]);

/** The name of the language, as the cell or the notebook says it. */
export function languageOfCell({ type, language, lines }: Cell, own: string): string {
  if (type !== "code") return type === "markdown" ? "markdown" : "text";
  const command = CELL_COMMAND.exec(lines.map(({ text }) => text).join("\n"))?.[1];
  if (command === undefined || RUNS_ITSELF.has(command)) return language ?? own;
  return command === "writefile" || command === "file" ? (language ?? own) : command;
}

/** A command of the notebook, or of the shell: `%matplotlib inline`, `!pip install x`, `x = !ls`, `?print`. */
const COMMAND = /^[ \t]*(?:%|!|\?)/;
const ASSIGNED_COMMAND = /^([ \t]*[\w, .]+=[ \t]*)([!%].*)$/;

/** Of the same length, so that all else stays at its place. */
export function withoutCommands(code: string): string {
  const lines = code.split("\n").map((line) => {
    if (COMMAND.test(line)) return " ".repeat(line.length);
    const [, target, command] = ASSIGNED_COMMAND.exec(line) ?? [];
    return target === undefined || command === undefined
      ? line
      : `${target}0${" ".repeat(command.length - 1)}`;
  });
  return lines.join("\n");
}
