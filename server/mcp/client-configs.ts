/** Configurations of MCP clients that start the context server. */

import { BadRequest } from "../common/errors.ts";

const COMMAND = "cocosearch-lsp";

interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

const CONFIGS: Readonly<Record<string, (launch: Launch) => string>> = {
  "claude-code": ({ command, args }) =>
    `claude mcp add cocosearch -- ${[command, ...args].map(shellWord).join(" ")}`,
  "claude-desktop": (launch) =>
    `claude_desktop_config.json:\n${json({ mcpServers: { cocosearch: launch } })}`,
  codex: ({ command, args }) =>
    `~/.codex/config.toml:\n[mcp_servers.cocosearch]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((arg) => JSON.stringify(arg)).join(", ")}]`,
  cursor: (launch) => `.cursor/mcp.json:\n${json({ mcpServers: { cocosearch: launch } })}`,
  gemini: (launch) => `.gemini/settings.json:\n${json({ mcpServers: { cocosearch: launch } })}`,
  opencode: ({ command, args }) =>
    `opencode.json:\n${json({ mcp: { cocosearch: { type: "local", command: [command, ...args] } } })}`,
  vscode: (launch) =>
    `.vscode/mcp.json:\n${json({ servers: { cocosearch: { type: "stdio", ...launch } } })}`,
  zed: (launch) => `settings.json of Zed:\n${json({ context_servers: { cocosearch: launch } })}`,
};

export const CLIENTS: readonly string[] = Object.keys(CONFIGS);

/** The folder is written only if the user passed it: most clients send their own roots. */
export function configFor(client: string, folder: string, named: string | undefined): string {
  const config = Object.hasOwn(CONFIGS, client) ? CONFIGS[client] : undefined;
  if (config === undefined) {
    throw new BadRequest(
      `--config: unknown client "${client}"; expected one of ${CLIENTS.join(", ")}`,
    );
  }
  const args = named === undefined ? ["mcp"] : ["mcp", "--root", folder];
  return config({ command: COMMAND, args });
}

function shellWord(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
