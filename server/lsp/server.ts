/** The language server: connects a client, the features and an engine session. Start reading here. */

import {
  type Connection,
  createConnection,
  ErrorCodes,
  type ResponseMessage,
} from "vscode-languageserver";
import { createProtocolConnection } from "vscode-languageserver/node";
import { messageOf, stackOf } from "../common/errors.ts";
import type { Fields, Level, Log } from "../common/log.ts";
import * as callHierarchy from "./call-hierarchy.ts";
import { CallHierarchyOffer } from "./call-hierarchy-offer.ts";
import { type Client, clientOf } from "./client-quirks.ts";
import * as commands from "./commands.ts";
import { Configuration } from "./configuration.ts";
import * as contextRequests from "./context.ts";
import { Documents } from "./documents.ts";
import * as folders from "./folders.ts";
import * as graph from "./graph.ts";
import * as history from "./history.ts";
import * as initialize from "./initialize.ts";
import { Lifecycle } from "./lifecycle.ts";
import { Notices } from "./notices.ts";
import * as occurrences from "./occurrences.ts";
import { Progress } from "./progress.ts";
import { refuseOthers } from "./requests.ts";
import * as search from "./search.ts";
import type { ServeOptions, ServerContext } from "./server-context.ts";
import { listen, reportState } from "./session-events.ts";
import * as similar from "./similar.ts";
import * as status from "./status.ts";
import { openTransport, type Transport } from "./transport.ts";
import * as watchedFiles from "./watched-files.ts";
import { WorkspaceSession } from "./workspace-session.ts";
import * as symbols from "./workspace-symbol.ts";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** The client before `initialize`. */
const UNKNOWN = clientOf({ processId: null, rootUri: null, capabilities: {} });

const FEATURES = [
  symbols,
  search,
  occurrences,
  history,
  similar,
  graph,
  callHierarchy,
  contextRequests,
  status,
  commands,
  folders,
  watchedFiles,
];

/** Serves the transport that the arguments name. The process ends when the transport closes. */
export function serve(options: ServeOptions): void {
  const lifecycle = new Lifecycle((code) => process.exit(code));
  const transport = openTransport(process.argv.slice(2), () => lifecycle.exit());
  const { log } = attach(transport, options, lifecycle);
  // Exit normally on signals of editors and terminals, so that exit handlers delete temporary files.
  for (const signal of SIGNALS) process.once(signal, () => lifecycle.exit());
  process.on("uncaughtException", (error) => log.error("bug", { error: stackOf(error) }));
  process.on("unhandledRejection", (error) => log.error("bug", { error: stackOf(error) }));
}

/** Serves one client over a reader and a writer. */
export function attach(
  { reader, writer }: Transport,
  options: ServeOptions,
  lifecycle: Lifecycle,
): ServerContext {
  const connection = createConnection((logger) => {
    const protocol = createProtocolConnection(reader, writer, logger, {
      messageStrategy: {
        handleMessage: (message, next) => (lifecycle.drops(message) ? undefined : next(message)),
      },
    });
    for (const ended of [protocol.onClose, protocol.onDispose]) {
      ended(() => {
        lifecycle.isOpen = false;
      });
    }
    protocol.onError(([error]) => {
      if (lifecycle.isOpen) logger.warn(`malformed message: ${messageOf(error)}`);
    });
    reader.onError((error) => {
      if (lifecycle.isOpen) void sendParseError(writer, error);
    });
    return protocol;
  }, lifecycle);
  const context = createContext(connection, options, lifecycle);
  connection.listen();
  return context;
}

/** Answers bytes that are not a message. They have no id, so the id of the response is null. */
async function sendParseError(writer: Transport["writer"], error: unknown): Promise<void> {
  const problem = { code: ErrorCodes.ParseError, message: messageOf(error) };
  const response: ResponseMessage = { jsonrpc: "2.0", id: null, error: problem };
  try {
    await writer.write(response);
  } catch {
    // The client is gone. The end of the transport ends the process.
  }
}

function createContext(
  connection: Connection,
  options: ServeOptions,
  lifecycle: Lifecycle,
): ServerContext {
  let current = UNKNOWN;
  const client = (): Client => current;
  const log = createClientLog(
    connection,
    () => lifecycle.isOpen,
    options.env["COCOSEARCH_LOG_LEVEL"],
  );
  const notices = new Notices(connection, log);
  const opened = new folders.Folders();
  const progress = new Progress({ connection, log, client });
  const base = { connection, log, notices, progress };
  const configuration = new Configuration({ ...base, client, env: options.env }, () =>
    workspace.apply(),
  );
  const callHierarchyOffer = new CallHierarchyOffer({ ...base, client });
  const workspace = new WorkspaceSession({
    log,
    makeSession: () => options.makeSession(log),
    listen: (session) => listen(base, session),
    settings: async () => {
      const settings = await configuration.read();
      callHierarchyOffer.apply(settings["graph.standardRequests"] ?? []);
      return settings;
    },
    roots: () => opened.roots,
    follow: () => opened.follow(),
    opened: (problems) => {
      opened.refusal = problems[0];
      for (const problem of problems) notices.once("warning", problem);
    },
    whenIdle: () => progress.whenIdle(),
    failed: (reason) => reportState(base, "unavailable", reason),
  });
  const documents = new Documents({
    log,
    folders: opened,
    client,
    session: () => workspace.make(),
  });
  const features = { folders: opened, workspace, documents, callHierarchyOffer };
  const context = { ...options, ...base, lifecycle, client, ...features };
  documents.listen(connection);
  initialize.register(context, (initialized) => {
    current = initialized;
  });
  for (const feature of FEATURES) feature.register(context);
  refuseOthers(context);
  connection.onShutdown(() => shutdown(context));
  return context;
}

async function shutdown({
  documents,
  lifecycle,
  workspace,
  progress,
}: ServerContext): Promise<void> {
  lifecycle.finish();
  documents.dispose();
  progress.stop();
  await workspace.close();
}

const ORDER: readonly Level[] = ["debug", "info", "warn", "error"];

/** The log as window/logMessage notifications, which editors show in a file or a panel. Drops lines after the client has disconnected. */
function createClientLog(
  { console }: Connection,
  isOpen: () => boolean,
  threshold: string | undefined,
): Log {
  const lowest = ORDER.find((level) => level === threshold) ?? "info";
  const at =
    (level: Level, write: (line: string) => void) =>
    (message: string, fields: Fields = {}): void => {
      if (ORDER.indexOf(level) < ORDER.indexOf(lowest) || !isOpen()) return;
      write(lineOf(message, fields));
    };
  return {
    debug: at("debug", (line) => console.log(line)),
    info: at("info", (line) => console.info(line)),
    warn: at("warn", (line) => console.warn(line)),
    error: at("error", (line) => console.error(line)),
  };
}

function lineOf(message: string, fields: Fields): string {
  const parts = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`);
  return [message, ...parts].join(" ");
}
