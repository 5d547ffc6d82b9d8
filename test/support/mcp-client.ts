/** The built context server as a process, with the official client of the Model Context Protocol, which checks each answer against the published shape. */

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { MAIN, type TestEngine } from "./engine.ts";

interface McpAnswer {
  readonly isError: boolean;
  readonly text: string;
  /** `structuredContent`; undefined for a failure. */
  readonly data: Record<string, unknown> | undefined;
}

export interface McpConnection {
  readonly client: Client;
  ask(name: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<McpAnswer>;
}

/** Ends with the test. */
export async function connectMcp(
  engine: Pick<TestEngine, "env">,
  root: string,
  env: NodeJS.ProcessEnv = {},
): Promise<McpConnection> {
  const connection = await startMcp(engine, root, env);
  onTestFinished(() => connection.client.close());
  return connection;
}

/** Until the caller closes its client. */
export async function startMcp(
  engine: Pick<TestEngine, "env">,
  root: string,
  env: NodeJS.ProcessEnv = {},
): Promise<McpConnection> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, "mcp", "--root", root],
    env: { ...engine.env, ...env } as Record<string, string>,
    cwd: root,
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  // The client checks answers only of tools that it has listed.
  await client.listTools();
  const ask: McpConnection["ask"] = async (name, input, signal) => {
    const options = signal === undefined ? {} : { signal };
    const answer = await client.callTool({ name, arguments: input }, options);
    const parts = answer.content as { readonly text?: string }[];
    return {
      isError: answer.isError === true,
      text: parts.map(({ text = "" }) => text).join("\n"),
      data: answer.structuredContent as McpAnswer["data"],
    };
  };
  return { client, ask };
}
