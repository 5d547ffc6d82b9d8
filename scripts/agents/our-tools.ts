/** Our tools, asked through the Model Context Protocol of a server that the harness keeps running. */

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { engineEnvironment, MAIN } from "../editor.ts";
import type { ToolDescription, ToolText } from "./file-tools.ts";

interface OurTools {
  /** The instructions and tools that the server lists. */
  readonly instructions: string;
  readonly tools: readonly ToolDescription[];
  run(name: string, input: Record<string, unknown>): Promise<ToolText>;
  close(): Promise<void>;
}

/** The engine stays for this long without a client: longer than an agent thinks between two tasks. */
const IDLE_SECONDS = 600;

/** The time that a client may wait for a tool that indexes first. */
const TIMEOUT_MS = 120_000;

/** One server a task, so that no task sees what another was shown before. */
export async function startOurTools(root: string, home: string): Promise<OurTools> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, "mcp", "--root", root],
    env: { ...process.env, ...engineEnvironment(home, IDLE_SECONDS) } as Record<string, string>,
    cwd: root,
    stderr: "ignore",
  });
  const client = new Client({ name: "evaluate-agents", version: "1.0.0" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    instructions: client.getInstructions() ?? "",
    tools: tools.map(({ name, description = "", inputSchema }) => ({
      name,
      description,
      inputSchema,
    })),
    run: async (name, input) => {
      const answer = await client.callTool({ name, arguments: input }, { timeout: TIMEOUT_MS });
      const parts = answer.content as { readonly text?: string }[];
      return {
        text: parts.map(({ text = "" }) => text).join("\n"),
        isError: answer.isError === true,
      };
    },
    close: () => client.close(),
  };
}
