/** The commands that every agent has: text search, reading and listing of files, and the history in repositories that keep it. */

import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import * as z from "zod";
import { messageOf } from "../../server/common/errors.ts";

export interface ToolText {
  readonly text: string;
  readonly isError: boolean;
}

/** A tool in the form of the Model Context Protocol. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

interface FileTool {
  readonly description: string;
  readonly shape: z.ZodType;
  readonly run: (root: string, input: never) => string;
}

/** Agents' own tools cut their answers at similar limits. */
const MAX_MATCHES = 200;
const MAX_LINE = 300;
const MAX_READ_LINES = 500;
const MAX_FILES = 300;
const MAX_HISTORY = 20_000;

const grepShape = z.strictObject({
  pattern: z.string().min(1).describe("Perl-compatible regular expression, matched line by line."),
  path: z.string().optional().describe("A folder, a file or a glob such as src/**/*.py."),
  ignoreCase: z.boolean().optional(),
  filesOnly: z.boolean().optional().describe("List the files and their number of matching lines."),
});
const readShape = z.strictObject({
  path: z.string().min(1),
  from: z.number().int().min(1).default(1).describe("First line."),
  to: z.number().int().min(1).optional().describe("Last line."),
});
const listShape = z.strictObject({
  path: z.string().optional().describe("A folder or a glob; default: everything."),
});
const historyShape = z.strictObject({
  arguments: z
    .array(z.string())
    .min(1)
    .describe('Arguments of git, beginning with log, show or blame: ["log", "-5", "--", "a.py"].'),
});

const grepFiles: FileTool = {
  description: `Searches the text of all files, like grep -rn. Prints path:line:text, at most ${MAX_MATCHES} lines.`,
  shape: grepShape,
  run: (root, { pattern, path, ignoreCase, filesOnly }: z.infer<typeof grepShape>) => {
    const flags = [
      "-I",
      "-P",
      filesOnly === true ? "-c" : "-n",
      ...(ignoreCase === true ? ["-i"] : []),
    ];
    const output = runGit(root, ["grep", ...flags, "-e", pattern, "--", ...pathspec(path)], [0, 1]);
    return cutLines(output, MAX_MATCHES, "No matches.");
  },
};

const readFile: FileTool = {
  description: `Prints a file with line numbers, at most ${MAX_READ_LINES} lines a call.`,
  shape: readShape,
  run: (root, { path, from, to }: z.infer<typeof readShape>) => {
    const lines = readFileSync(inside(root, path), "utf8").replace(/\n$/, "").split("\n");
    const end = Math.min(to ?? lines.length, from + MAX_READ_LINES - 1, lines.length);
    const shown = lines.slice(from - 1, end).map((text, i) => `${from + i}\t${text}`);
    return [...shown, ...(end < lines.length ? [`(${lines.length} lines in all)`] : [])].join("\n");
  },
};

const listFiles: FileTool = {
  description: `Lists files, at most ${MAX_FILES}.`,
  shape: listShape,
  run: (root, { path }: z.infer<typeof listShape>) =>
    cutLines(runGit(root, ["ls-files", "--", ...pathspec(path)], [0]), MAX_FILES, "No files."),
};

const gitHistory: FileTool = {
  description: "Runs git log, git show or git blame, and prints at most 20,000 characters.",
  shape: historyShape,
  run: (root, { arguments: args }: z.infer<typeof historyShape>) => {
    const [command = "", ...others] = args;
    if (!["log", "show", "blame"].includes(command))
      throw new Error("only log, show and blame are possible");
    if (others.some((each) => /^--(?:output|ext-diff|textconv|no-index|contents)/.test(each)))
      throw new Error("this option is not possible");
    const output = runGit(root, [command, ...others], [0]);
    return output.length > MAX_HISTORY ? `${output.slice(0, MAX_HISTORY)}\n(cut)` : output;
  },
};

function toolsOf(hasHistory: boolean): ReadonlyMap<string, FileTool> {
  const tools = new Map([
    ["grep_files", grepFiles],
    ["read_file", readFile],
    ["list_files", listFiles],
  ]);
  return hasHistory ? tools.set("git_history", gitHistory) : tools;
}

export function describeFileTools(hasHistory: boolean): ToolDescription[] {
  return [...toolsOf(hasHistory)].map(([name, { description, shape }]) => ({
    name,
    description,
    inputSchema: z.toJSONSchema(shape, { io: "input" }),
  }));
}

/** Undefined for a command that is not one of these. */
export function runFileTool(
  root: string,
  hasHistory: boolean,
  name: string,
  input: unknown,
): ToolText | undefined {
  const tool = toolsOf(hasHistory).get(name);
  if (tool === undefined) return undefined;
  const parsed = tool.shape.safeParse(input);
  if (!parsed.success) return { text: `Error: ${z.prettifyError(parsed.error)}`, isError: true };
  try {
    return { text: tool.run(root, parsed.data as never), isError: false };
  } catch (error) {
    return { text: `Error: ${messageOf(error)}`, isError: true };
  }
}

/** Git takes a folder, a file or a glob. */
function pathspec(path: string | undefined): string[] {
  const normal = path?.replace(/^(?:\.\/)+|\/+$/g, "") ?? "";
  if (normal === "" || normal === ".") return ["."];
  const isGlob = /[*?[]/.test(normal);
  return [`:(glob)${normal}`, ...(isGlob ? [] : [`:(glob)${normal}/**`])];
}

function inside(root: string, path: string): string {
  const file = realpathSync(join(root, path));
  if (!file.startsWith(`${realpathSync(root)}${sep}`))
    throw new Error(`${path} is not in the folder`);
  return file;
}

function runGit(root: string, args: readonly string[], codes: readonly number[]): string {
  const { status, stdout, stderr } = spawnSync(
    "git",
    ["--no-pager", "-c", "color.ui=false", ...args],
    {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 1e9,
    },
  );
  if (status === null || !codes.includes(status))
    throw new Error(stderr.trim() || `git ${args[0]} failed`);
  return stdout;
}

function cutLines(output: string, most: number, nothing: string): string {
  const lines = output.split("\n").filter(Boolean);
  if (lines.length === 0) return nothing;
  const shown = lines
    .slice(0, most)
    .map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}...` : line));
  const rest = lines.length - shown.length;
  return [...shown, ...(rest > 0 ? [`(${rest} more lines)`] : [])].join("\n");
}
