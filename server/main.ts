#!/usr/bin/env node
/**
 * The entry point: the arguments select a language server, an MCP server, a CLI command or the engine. Each is one bundle
 * (scripts/build-programs.ts), and only that bundle is loaded.
 */

import { fileURLToPath } from "node:url";
import { loadProgram, type Program } from "./programs/load-program.ts";

/** Arguments that start the language server and select its transport. */
const TRANSPORT = /^--(stdio|node-ipc|pipe=.+|socket=\d+|pipe|socket)$/;

const EXIT_UNAVAILABLE = 3;
const EXIT_BUG = 70;

/** The minimum in package.json. Checked here, because an older Node would fail later with an unclear error. */
const MIN_NODE = [20, 19] as const;

/** The programs that index in their own process, by the first argument. */
const INDEXING: ReadonlyMap<string, string> = new Map([
  ["engine", "programs/engine.js"],
  ["publish", "programs/team.js"],
  ["team", "programs/team.js"],
]);

const PROGRAM = fileURLToPath(import.meta.url);

async function main(args: readonly string[]): Promise<number | undefined> {
  const [command = ""] = args;
  const own = INDEXING.get(command);
  if (own !== undefined) {
    const program = (await import(beside(own))) as Program;
    return await program.run(PROGRAM, args);
  }
  const [name, use, rest] =
    command === "mcp"
      ? ["context-server", "", args.slice(1)]
      : args.some((arg) => TRANSPORT.test(arg))
        ? ["language-server", "", args]
        : ["command", command, args];
  return await loadProgram(fileURLToPath(beside(`programs/${name}.cjs`)), use).run(PROGRAM, rest);
}

function beside(file: string): string {
  return new URL(file, import.meta.url).href;
}

function isNodeTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1]);
}

if (isNodeTooOld()) {
  const needed = `cocosearch-lsp needs Node.js ${MIN_NODE.join(".")} or later, and this is ${process.version}`;
  process.stderr.write(`${needed}: install one from https://nodejs.org\n`);
  process.exit(EXIT_UNAVAILABLE);
}

main(process.argv.slice(2)).then(
  (code) => {
    if (code !== undefined) process.exit(code);
  },
  async (error: unknown) => {
    const [{ stackOf }, { forTerminal }] = await Promise.all([
      import("./common/errors.ts"),
      import("./common/terminal.ts"),
    ]);
    process.stderr.write(forTerminal(`cocosearch-lsp: this is a bug: ${stackOf(error)}\n`, false));
    process.exit(EXIT_BUG);
  },
);
