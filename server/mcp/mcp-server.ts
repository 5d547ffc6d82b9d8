/** The MCP server: registers the tools, reads the roots of the client, and maps failures to texts. */

import { McpServer } from "@modelcontextprotocol/server";
import { BadRequest, messageOf, stackOf, Unavailable } from "../common/errors.ts";
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
  registerTools(server, session, failureOf);
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

/** The text of a failure for the agent. */
function failureOf(tool: string, error: unknown): string {
  if (error instanceof BadRequest || error instanceof Unavailable) return error.message;
  process.stderr.write(`bug in ${tool}: ${stackOf(error)}\n`);
  return `${tool} failed: this is a bug`;
}
