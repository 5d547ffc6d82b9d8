/** The language server: joins a connection, the features and a session. Start reading here. */

import { type Connection, createConnection } from "vscode-languageserver";
import { createProtocolConnection } from "vscode-languageserver/node";
import { messageOf, stackOf } from "../common/errors.ts";
import { BrokenMessage, refusalOf } from "../messages/message-reader.ts";
import * as callHierarchy from "./call-hierarchy.ts";
import { CallHierarchyOffer } from "./call-hierarchy-offer.ts";
import { createClientLog } from "./client-log.ts";
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
import { Progress } from "./progress.ts";
import { refuseOthers } from "./requests.ts";
import * as search from "./search.ts";
import type { ServeOptions, ServerContext } from "./server-context.ts";
import { listen, tellState } from "./session-events.ts";
import * as similar from "./similar.ts";
import * as status from "./status.ts";
import { openTransport, type Transport } from "./transport.ts";
import * as watchedFiles from "./watched-files.ts";
import { WorkspaceSession } from "./workspace-session.ts";
import * as symbols from "./workspace-symbol.ts";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** A client before it has said anything of itself. */
const UNKNOWN = clientOf({ processId: null, rootUri: null, capabilities: {} });

const FEATURES = [
  symbols,
  search,
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

/** Serves the channel that the process's arguments name; the process ends with it. */
export function serve(options: ServeOptions): void {
  const lifecycle = new Lifecycle((code) => process.exit(code));
  const transport = openTransport(process.argv.slice(2), () => lifecycle.exit());
  const { log } = attach(transport, options, lifecycle);
  // As editors end a server, and as a terminal that is closed does: what is to be deleted with this process is, then.
  for (const signal of SIGNALS) process.once(signal, () => lifecycle.exit());
  process.on("uncaughtException", (error) => log.error("bug", { error: stackOf(error) }));
  process.on("unhandledRejection", (error) => log.error("bug", { error: stackOf(error) }));
}

/** Serves one client over any pair of reader and writer. */
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
      logger.warn(`broken message: ${messageOf(error)}`);
      if (error instanceof BrokenMessage) void writer.write(refusalOf(error));
    });
    return protocol;
  }, lifecycle);
  const context = join(connection, options, lifecycle);
  connection.listen();
  return context;
}

function join(connection: Connection, options: ServeOptions, lifecycle: Lifecycle): ServerContext {
  let known = UNKNOWN;
  const client = (): Client => known;
  const log = createClientLog(
    connection,
    () => lifecycle.isOpen,
    options.env["COCOSEARCH_LOG_LEVEL"],
  );
  const notices = new Notices(connection, log);
  const opened = new folders.Folders();
  const progress = new Progress({ connection, log, client });
  const told = { connection, log, notices, progress };
  const configuration = new Configuration({ ...told, client, env: options.env }, () =>
    workspace.apply(),
  );
  const callHierarchyOffer = new CallHierarchyOffer({ ...told, client });
  const workspace = new WorkspaceSession({
    log,
    makeSession: () => options.makeSession(log),
    listen: (session) => listen(told, session),
    settings: async () => {
      const settings = await configuration.read();
      callHierarchyOffer.apply(settings["graph.standardRequests"] ?? []);
      return settings;
    },
    roots: () => opened.roots,
    follow: () => opened.follow(),
    opened: (sentences) => {
      opened.refusal = sentences[0];
      for (const sentence of sentences) notices.once("warning", sentence);
    },
    whenIdle: () => progress.whenIdle(),
    failed: (reason) => tellState(told, "unavailable", reason),
  });
  const documents = new Documents({
    log,
    folders: opened,
    client,
    session: () => workspace.make(),
  });
  const served = { folders: opened, workspace, documents, callHierarchyOffer };
  const context = { ...options, ...told, lifecycle, client, ...served };
  documents.listen(connection);
  initialize.register(context, (met) => {
    known = met;
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
