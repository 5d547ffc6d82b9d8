/** The commands of one agent: small programs in a folder, which call this server, which runs the tool and notes the call. */

import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { messageOf } from "../../server/common/errors.ts";
import type { ToolText } from "./file-tools.ts";
import type { Call } from "./outcome.ts";

interface Gateway {
  /** The calls up to now, in their order. */
  readonly calls: readonly Call[];
  close(): Promise<void>;
}

interface GatewayOptions {
  /** The folder of commands, which is made. */
  readonly bin: string;
  readonly tools: readonly string[];
  /** Runs a tool; the input is parsed JSON. */
  readonly run: (tool: string, input: Record<string, unknown>) => Promise<ToolText>;
  readonly note: (call: Call) => void;
}

const COMMAND = join(import.meta.dirname, "command.mjs");

/** Listens on this machine only, under a path that cannot be guessed. */
export async function openGateway({ bin, tools, run, note }: GatewayOptions): Promise<Gateway> {
  const secret = randomUUID();
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    const [, given, tool = ""] = request.url?.split("/") ?? [];
    if (given !== secret || !tools.includes(tool)) {
      response.writeHead(404).end("Error: unknown command");
      return;
    }
    void (async () => {
      const start = performance.now();
      const body = await textOf(request);
      const input = parsed(body);
      const { text, isError } = await answerTo(tool, input, run);
      const bytes = Buffer.byteLength(text);
      const ms = Math.round(performance.now() - start);
      const call = { tool, arguments: input ?? body, bytes, ms, isError };
      calls.push(call);
      note(call);
      response.writeHead(isError ? 400 : 200, { "content-type": "text/plain" }).end(text);
    })();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  writeCommands(bin, tools, `http://127.0.0.1:${port}/${secret}`);
  return {
    calls,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function writeCommands(bin: string, tools: readonly string[], url: string): void {
  mkdirSync(bin, { recursive: true });
  for (const tool of tools) {
    const file = join(bin, tool);
    writeFileSync(
      file,
      `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' '${url}' ${tool} "$@"\n`,
    );
    chmodSync(file, 0o755);
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

/** Undefined for text that is not a JSON object. */
function parsed(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = body.trim() === "" ? {} : JSON.parse(body);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

async function answerTo(
  tool: string,
  input: Record<string, unknown> | undefined,
  run: GatewayOptions["run"],
): Promise<ToolText> {
  if (input === undefined)
    return { text: "Error: the argument is not a JSON object", isError: true };
  try {
    return await run(tool, input);
  } catch (error) {
    return { text: `Error: ${messageOf(error)}`, isError: true };
  }
}
