/** initialize and initialized: exchanges capabilities. The answer does not wait for the engine. */

import type { InitializeParams, ServerCapabilities } from "vscode-languageserver";
import { type Client, clientOf } from "./client-quirks.ts";
import * as commands from "./commands.ts";
import * as documents from "./documents.ts";
import * as folders from "./folders.ts";
import type { ServerContext } from "./server-context.ts";
import * as symbols from "./workspace-symbol.ts";

/** Only capabilities that are served: other servers may serve the same buffer. */
const CAPABILITIES: ServerCapabilities = Object.assign(
  {},
  ...[documents, folders, symbols, commands].map(({ capabilities }) => capabilities),
);

export function register(context: ServerContext, setClient: (client: Client) => void): void {
  const { connection, lifecycle, notices, workspace } = context;
  connection.onInitialize((params: InitializeParams) => {
    const client = clientOf(params);
    const paths = folders.workspaceFoldersIn(params);
    lifecycle.begin();
    setClient(client);
    const problems = context.folders.change(paths, []);
    connection.onInitialized(() => {
      for (const problem of problems) notices.once("warning", problem);
      if (paths.length === 0) notices.once("info", folders.NO_FOLDER);
      context.callHierarchyOffer.begin();
      workspace.start();
    });
    const { positionEncodings } = params.capabilities.general ?? {};
    return {
      capabilities: {
        ...CAPABILITIES,
        ...(positionEncodings === undefined ? {} : { positionEncoding: client.encoding }),
      },
      serverInfo: { name: "cocosearch-lsp", version: context.version },
    };
  });
}
