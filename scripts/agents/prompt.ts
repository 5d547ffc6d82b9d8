/** The text that an agent gets: the task, the commands, and the form of the answer. */

import type { ToolDescription } from "./file-tools.ts";
import type { Kind, Task } from "./tasks.ts";

interface PromptOptions {
  readonly task: Task;
  readonly fileTools: readonly ToolDescription[];
  /** Our tools and the server's instructions; undefined in the arm without them. */
  readonly ours:
    | { readonly instructions: string; readonly tools: readonly ToolDescription[] }
    | undefined;
}

const WANTED: Readonly<Record<Kind, string>> = {
  find: "Name the place: at most 3 places count, the best first, each with the lines of the definition or statement.",
  list: "Name every place, each with its one line (startLine); a missing or wrong place makes the answer wrong.",
  why: 'Name the commit that explains it: {"places":[{"commit":"..."}]}.',
  breaks: "Name all files (path) that would have to change with it, or would break.",
  pattern:
    "Name the places in the existing code that have to be changed or followed, each with its lines; at most 12 places count.",
};

export function promptOf({ task, fileTools, ours }: PromptOptions): string {
  return [
    "You work on the code in the current folder, which you have not seen before. Do this task:",
    task.text,
    WANTED[task.kind],
    "Use only the commands below, by a shell. Each takes one argument, a JSON object in single quotes:\n" +
      `  grep_files '{"pattern": "TODO"}'\n` +
      "Use no other program to search or read, and do not answer from memory: names and paths are other than you may know them. " +
      "Use as few calls and as little text as the task needs.",
    "# Commands",
    ...fileTools.map(described),
    ...(ours === undefined
      ? []
      : [`# Commands of cocosearch\n\n${ours.instructions}`, ...ours.tools.map(described)]),
    "# Answer",
    "End with one JSON object alone on the last line, with paths relative to the folder and lines from 1:\n" +
      `{"places": [{"path": "a/b.c", "startLine": 10, "endLine": 20}]}`,
  ]
    .join("\n\n")
    .concat("\n");
}

function described({ name, description, inputSchema }: ToolDescription): string {
  return `## ${name}\n\n${description}\n\nArgument: ${JSON.stringify(inputSchema)}`;
}
