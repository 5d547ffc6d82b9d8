#!/usr/bin/env node
/** The process: a language server, a context server, a command, or the engine behind them, as the arguments say. Parts are loaded only where they are needed. */

import { appendFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { forTerminal } from "./cli/terminal.ts";
import { stackOf } from "./common/errors.ts";
import { createLog, type Log, silent } from "./common/log.ts";
import { buildOf, VERSION } from "./common/version.ts";
import type { Session } from "./contracts/session.ts";

/** How a client asks for the protocol: over which channel. */
const TRANSPORT = /^--(stdio|node-ipc|pipe=.+|socket=\d+|pipe|socket)$/;

/** After the last client has left. People come back within minutes, and a start costs them half a second. */
const IDLE_SECONDS = 600;

const EXIT_BUG = 70;

const PROGRAM = fileURLToPath(import.meta.url);

async function main(args: readonly string[]): Promise<number | undefined> {
  if (args[0] === "engine") return await engine();
  if (args[0] === "mcp") return await contextServer(args.slice(1));
  if (args.some((arg) => TRANSPORT.test(arg))) return await languageServer();
  return await command(args);
}

async function engine(): Promise<number> {
  const [{ homeOf }, { runEngine }, { DEFAULTS, fromEnvironment }] = await Promise.all([
    import("./daemon/home.ts"),
    import("./daemon/serve.ts"),
    import("./config/settings.ts"),
  ]);
  const settings = { ...DEFAULTS, ...fromEnvironment(process.env).settings };
  process.title = "cocosearch-lsp engine";
  const home = homeOf(process.env);
  const log = createLog(
    (line) => appendFileSync(home.log, line, { mode: 0o600 }),
    settings["log.level"],
  );
  process.on("uncaughtException", (error) => log.error("bug", { error: stackOf(error) }));
  process.on("unhandledRejection", (error) => log.error("bug", { error: stackOf(error) }));
  const seconds = Number(process.env["COCOSEARCH_ENGINE_IDLE_SECONDS"] ?? IDLE_SECONDS);
  await runEngine({
    home,
    version: buildOf(PROGRAM),
    log,
    idleMs: seconds * 1000,
    load: async () => {
      const { createEngine } = await import("./engine/engine.ts");
      const workers = settings["indexing.workers"];
      return createEngine({ data: home.data, logFile: home.log, log, version: VERSION, workers });
    },
  });
  return 0;
}

/** Stays in the event loop; the connection ends the process. */
async function languageServer(): Promise<undefined> {
  const { serve } = await import("./lsp/server.ts");
  serve({ version: VERSION, makeSession: remoteSession, env: process.env });
}

/** The Model Context Protocol on stdin and stdout, or what configures a client to start it. */
async function contextServer(args: readonly string[]): Promise<number> {
  const { runMcp } = await import("./mcp/run-mcp.ts");
  return await runMcp(args, {
    connect: () => remoteSession(silent),
    version: VERSION,
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    cwd: process.cwd(),
    env: process.env,
  });
}

async function command(args: readonly string[]): Promise<number> {
  const [{ runCli }, { homeOf }] = await Promise.all([
    import("./cli/cli.ts"),
    import("./daemon/home.ts"),
  ]);
  return await runCli(args, {
    connect: () => remoteSession(silent),
    endEngine: async () => {
      const { endEngine } = await import("./daemon/end-engine.ts");
      return await endEngine(homeOf(process.env));
    },
    version: VERSION,
    stdout: process.stdout,
    stderr: process.stderr,
    cwd: process.cwd(),
    env: process.env,
    logFile: homeOf(process.env).log,
  });
}

/** A session in the engine of this user, which is found or started at the first request. */
async function remoteSession(log: Log): Promise<Session> {
  const [{ homeOf }, { connectEngine }, { createRemoteSession }] = await Promise.all([
    import("./daemon/home.ts"),
    import("./daemon/connect.ts"),
    import("./daemon/remote-session.ts"),
  ]);
  const starting = {
    home: homeOf(process.env),
    version: buildOf(PROGRAM),
    command: [PROGRAM, "engine"],
    env: process.env,
  };
  return createRemoteSession(() => connectEngine(starting), log);
}

main(process.argv.slice(2)).then(
  (code) => {
    if (code !== undefined) process.exit(code);
  },
  (error: unknown) => {
    process.stderr.write(forTerminal(`cocosearch-lsp: this is a bug: ${stackOf(error)}\n`, false));
    process.exit(EXIT_BUG);
  },
);
