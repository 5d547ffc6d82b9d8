/** A second language server for the same buffers: it knows one symbol, and says in each hover who it is. */

import { pathToFileURL } from "node:url";
import {
  createConnection,
  StreamMessageReader,
  StreamMessageWriter,
  SymbolKind,
} from "vscode-languageserver/node";
import { OTHER_COMMAND, OTHER_HOVER, OTHER_PLACE, OTHER_SYMBOL } from "./other-places.ts";

const connection = createConnection(
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);

connection.onInitialize(() => ({
  capabilities: {
    hoverProvider: true,
    workspaceSymbolProvider: true,
    executeCommandProvider: { commands: ["other.say"] },
  },
  serverInfo: { name: "other" },
}));

connection.onWorkspaceSymbol(({ query }) => {
  if (!OTHER_SYMBOL.toLowerCase().includes(query.toLowerCase())) return [];
  const start = { line: OTHER_PLACE.line - 1, character: 0 };
  const uri = pathToFileURL(OTHER_PLACE.file).href;
  const location = { uri, range: { start, end: start } };
  return [{ name: OTHER_SYMBOL, kind: SymbolKind.Class, location }];
});

connection.onHover(() => ({ contents: OTHER_HOVER }));
connection.onExecuteCommand(() => OTHER_COMMAND);
connection.listen();
