/** `cocosearch-lsp mcp`: serves the Model Context Protocol over stdin and stdout. Start reading here. */

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { BadRequest, messageOf } from "../common/errors.ts";
import type { Session } from "../contracts/session.ts";
import { CLIENTS, configFor } from "./client-configs.ts";
import { createMcpServer } from "./mcp-server.ts";
import { RootedSession } from "./rooted-session.ts";

interface McpOptions {
  /** Called once, at the first request that needs the engine. */
  connect(): Promise<Session>;
  readonly version: string;
  /** Receives the name of a client when it has connected. */
  noteClient(name: string): void;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WritableStream;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const USAGE = `usage: cocosearch-lsp mcp [--root DIR] [--config CLIENT]

Serves the tools search_code, get_context, related, find_pattern and explain_change over stdin and stdout.

  --root DIR       the workspace if the client names none; default: the current folder, if it is a project
  --config CLIENT  print the configuration for a client: ${CLIENTS.join(", ")}`;

const EXIT_USAGE = 2;

/** Resolves to the exit code when the client disconnects. */
export async function runMcp(args: readonly string[], options: McpOptions): Promise<number> {
  const { stdout, stderr, cwd } = options;
  try {
    const { root, config, help } = readArguments(args);
    const folder = resolve(cwd, root ?? ".");
    if (help) stdout.write(`${USAGE}\n`);
    else if (config !== undefined) stdout.write(`${configFor(config, folder, root)}\n`);
    else await serve(folder, root !== undefined, options);
    return 0;
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    stderr.write(`error: ${error.message}\n${USAGE}\n`);
    return EXIT_USAGE;
  }
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        root: { type: "string" },
        config: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw new BadRequest(messageOf(error), { cause: error });
  }
}

async function serve(folder: string, isNamed: boolean, options: McpOptions): Promise<void> {
  const { stdin, stdout, stderr, version, connect, env, noteClient } = options;
  const note = (message: string) => void stderr.write(`${message}\n`);
  const session = new RootedSession({ connect, env, folder, isNamed, note });
  const ended = new Promise<void>((done) => {
    for (const event of ["end", "close"] as const) stdin.once(event, done);
    stdout.once("error", () => done());
  });
  const server = serveStdio(() => createMcpServer(session, version, noteClient), {
    transport: new StdioServerTransport(stdin, stdout),
    onerror: (error) => note(`mcp: ${messageOf(error)}`),
  });
  await ended;
  await server.close();
  await session.dispose();
}
