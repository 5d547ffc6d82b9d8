#!/usr/bin/env node
/**
 * The process: a language server, a context server, a command, or the engine behind them, as the arguments say. The first
 * three are bundled, each into one file (scripts/build-programs.ts); so that nothing but them is loaded, nothing is imported here.
 */

import { fileURLToPath } from "node:url";

/** How a client asks for the protocol: over which channel. */
const TRANSPORT = /^--(stdio|node-ipc|pipe=.+|socket=\d+|pipe|socket)$/;

const EXIT_UNAVAILABLE = 3;
const EXIT_BUG = 70;

/** What package.json says, too. An older one would fail somewhere inside, with a sentence that helps nobody. */
const MIN_NODE = [20, 19] as const;

const PROGRAM = fileURLToPath(import.meta.url);

async function main(args: readonly string[]): Promise<number | undefined> {
  if (args[0] === "engine") return await (await import("./programs/engine.ts")).run(PROGRAM);
  if (args[0] === "mcp") {
    return await (await import("./programs/context-server.ts")).run(PROGRAM, args.slice(1));
  }
  if (args.some((arg) => TRANSPORT.test(arg))) {
    return (await import("./programs/language-server.ts")).run(PROGRAM);
  }
  return await (await import("./programs/command.ts")).run(PROGRAM, args);
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
