/** The MCP server: registers the tools, and reads the roots of the client. */

import { McpServer } from "@modelcontextprotocol/server";
import { messageOf } from "../common/errors.ts";
import type { RootedSession } from "./rooted-session.ts";
import { registerTools } from "./tools.ts";

const INSTRUCTIONS =
  "Searches the code of the workspace by meaning and by word. Prefer it to grep for questions about behavior; search_code with exact or pattern lists every occurrence.";

/** `noteClient` receives the name of the client when it has connected. */
export function createMcpServer(
  session: RootedSession,
  version: string,
  noteClient: (name: string) => void = () => undefined,
): McpServer {
  const server = new McpServer({ name: "cocosearch", version }, { instructions: INSTRUCTIONS });
  registerTools({ server, session });
  server.server.oninitialized = () => {
    void useRoots(server, session).then(() => {
      const { name } = server.server.getClientVersion() ?? {};
      if (name !== undefined) noteClient(name);
    });
  };
  server.server.setNotificationHandler("notifications/roots/list_changed", () =>
    useRoots(server, session),
  );
  return server;
}

/** Requests the client's roots and starts to index them before the first tool call. */
async function useRoots(server: McpServer, session: RootedSession): Promise<void> {
  try {
    if (server.server.getClientCapabilities()?.roots !== undefined) {
      const { roots } = await server.server.listRoots();
      session.setRoots(roots.map(({ uri }) => uri));
    }
    await session.session();
  } catch (error) {
    // The next tool call reports the same failure to the agent.
    process.stderr.write(`warning: ${messageOf(error)}\n`);
  }
}
