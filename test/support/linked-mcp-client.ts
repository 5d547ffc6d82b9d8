/** A client of the context server in the process of the test, connected by a pipe in memory. */

import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { createMcpServer } from "../../server/mcp/mcp-server.ts";
import type { RootedSession } from "../../server/mcp/rooted-session.ts";

/** Without `roots`, the client has none to offer. */
export async function connectClient(
  session: RootedSession,
  roots?: readonly string[],
): Promise<Client> {
  const server = createMcpServer(session, "1.2.3");
  const capabilities = roots === undefined ? {} : { roots: { listChanged: true } };
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  if (roots !== undefined)
    client.setRequestHandler("roots/list", async () => ({ roots: roots.map((uri) => ({ uri })) }));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  return client;
}
