/**
 * The clients of the MCP server: the files that each one reads for a project, and the form of its configuration. `docs` has the
 * addresses of the client's documentation, which was read in November 2026, in part as others quote it; server/docs/agents.md
 * lists the same addresses.
 */

/** The key of our server in every configuration. */
export const SERVER_NAME = "cocosearch";

/** How a client starts the server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

export const LAUNCH: Launch = { command: "cocosearch-lsp", args: ["mcp"] };

export interface AgentClient {
  readonly name: string;
  /** Another name that commands accept. */
  readonly alias?: string;
  readonly title: string;
  /** Programs whose presence shows that the client is installed. */
  readonly programs: readonly string[];
  readonly config: ClientConfig;
  /** Missing if the client reads none. */
  readonly instructions?: ClientInstructions;
  readonly docs: readonly string[];
}

export interface ClientConfig {
  /** The folder of a file elsewhere depends on the system, so that it is printed but not written. */
  readonly base: "project" | "home" | "elsewhere";
  /** Relative to the base. The first that exists is used, otherwise the first is created. */
  readonly paths: readonly string[];
  /** A variable with the folder that replaces the folder of the path. */
  readonly folderVariable?: string;
  readonly format: "json" | "toml";
  /** The keys above the servers. The last alternative that the file has is used, otherwise the first. */
  readonly keys: readonly (readonly string[])[];
  readonly entry: (launch: Launch) => ServerEntry;
}

/** The configuration of one server. The arguments may be part of the command. */
export type ServerEntry = Readonly<Record<string, string | readonly string[]>>;

/** A value of an entry in TOML: its strings are written as in JSON. */
export function tomlValue(value: string | readonly string[]): string {
  if (typeof value === "string") return JSON.stringify(value);
  return `[${value.map((each) => JSON.stringify(each)).join(", ")}]`;
}

interface ClientInstructions {
  /**
   * Relative to the project, in the order of the client's search: it reads only the first that exists, so a new file before
   * that one would hide it.
   */
  readonly paths: readonly string[];
  /** The path that is created if none exists. */
  readonly created: string;
  /** The beginning of a file that holds only our section. */
  readonly head?: string;
}

const launch = ({ command, args }: Launch): ServerEntry => ({ command, args });

const MCP_SERVERS = [["mcpServers"]];

export const AGENT_CLIENTS: readonly AgentClient[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    programs: ["claude"],
    config: {
      base: "project",
      paths: [".mcp.json"],
      format: "json",
      keys: MCP_SERVERS,
      entry: launch,
    },
    // AGENTS.md is read only in a project without a CLAUDE.md.
    instructions: {
      paths: ["CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md"],
      created: "CLAUDE.md",
    },
    docs: [
      "https://code.claude.com/docs/en/mcp",
      "https://code.claude.com/docs/en/memory",
      "https://github.com/anthropics/claude-code/blob/main/mods/agents-md/.claude-plugin/plugin.json",
    ],
  },
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    programs: [],
    config: {
      base: "elsewhere",
      paths: ["claude_desktop_config.json"],
      format: "json",
      keys: MCP_SERVERS,
      entry: launch,
    },
    docs: ["https://modelcontextprotocol.io/quickstart/user"],
  },
  {
    name: "codex",
    title: "Codex",
    programs: ["codex"],
    // Codex reads .codex/config.toml of a project, too, but only after the user has trusted the project.
    config: {
      base: "home",
      paths: [".codex/config.toml"],
      folderVariable: "CODEX_HOME",
      format: "toml",
      keys: [["mcp_servers"]],
      entry: launch,
    },
    instructions: { paths: ["AGENTS.override.md", "AGENTS.md"], created: "AGENTS.md" },
    docs: [
      "https://developers.openai.com/codex/mcp",
      "https://developers.openai.com/codex/config-basic",
      "https://developers.openai.com/codex/guides/agents-md",
    ],
  },
  {
    name: "cursor",
    title: "Cursor",
    programs: ["cursor", "cursor-agent"],
    config: {
      base: "project",
      paths: [".cursor/mcp.json"],
      format: "json",
      keys: MCP_SERVERS,
      entry: launch,
    },
    instructions: {
      paths: [".cursor/rules/cocosearch.mdc"],
      created: ".cursor/rules/cocosearch.mdc",
      head: "---\ndescription: When to use the code search of cocosearch\nalwaysApply: true\n---\n",
    },
    docs: ["https://cursor.com/docs/mcp", "https://cursor.com/docs/rules"],
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    programs: ["gemini"],
    config: {
      base: "project",
      paths: [".gemini/settings.json"],
      format: "json",
      keys: MCP_SERVERS,
      entry: launch,
    },
    instructions: { paths: ["GEMINI.md"], created: "GEMINI.md" },
    docs: [
      "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md",
      "https://github.com/google-gemini/gemini-cli/blob/main/docs/cli/gemini-md.md",
    ],
  },
  {
    name: "opencode",
    title: "OpenCode",
    programs: ["opencode"],
    // OpenCode 2 has the servers below mcp.servers and also reads the form of OpenCode 1, which reads only its own.
    config: {
      base: "project",
      paths: ["opencode.json", "opencode.jsonc"],
      format: "json",
      keys: [["mcp"], ["mcp", "servers"]],
      entry: ({ command, args }) => ({ type: "local", command: [command, ...args] }),
    },
    instructions: { paths: ["AGENTS.md", "CLAUDE.md"], created: "AGENTS.md" },
    docs: [
      "https://opencode.ai/docs/mcp-servers",
      "https://opencode.ai/docs/migrate-v1",
      "https://opencode.ai/v1/docs/rules",
    ],
  },
  {
    name: "copilot",
    alias: "vscode",
    title: "Copilot in VS Code",
    programs: ["code"],
    config: {
      base: "project",
      paths: [".vscode/mcp.json"],
      format: "json",
      keys: [["servers"]],
      entry: ({ command, args }) => ({ type: "stdio", command, args }),
    },
    instructions: {
      paths: [".github/copilot-instructions.md"],
      created: ".github/copilot-instructions.md",
    },
    docs: [
      "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
      "https://code.visualstudio.com/docs/copilot/customization/custom-instructions",
    ],
  },
  {
    name: "zed",
    title: "Zed",
    programs: ["zed", "zeditor"],
    config: {
      base: "project",
      paths: [".zed/settings.json"],
      format: "json",
      keys: [["context_servers"]],
      entry: launch,
    },
    instructions: {
      paths: [
        ".rules",
        ".cursorrules",
        ".windsurfrules",
        ".clinerules",
        ".github/copilot-instructions.md",
        "AGENT.md",
        "AGENTS.md",
        "CLAUDE.md",
        "GEMINI.md",
      ],
      created: "AGENTS.md",
    },
    docs: ["https://zed.dev/docs/ai/mcp", "https://zed.dev/docs/ai/instructions"],
  },
  {
    name: "windsurf",
    title: "Windsurf (Devin Desktop)",
    programs: ["windsurf"],
    config: {
      base: "home",
      paths: [".codeium/windsurf/mcp_config.json"],
      format: "json",
      keys: MCP_SERVERS,
      entry: launch,
    },
    // Later versions prefer .devin/rules and still read this folder; earlier ones read only this one.
    instructions: {
      paths: [".windsurf/rules/cocosearch.md"],
      created: ".windsurf/rules/cocosearch.md",
      head: "---\ntrigger: always_on\n---\n",
    },
    docs: [
      "https://docs.devin.ai/desktop/cascade/mcp",
      "https://docs.devin.ai/desktop/cascade/memories",
    ],
  },
];

/** The clients whose files `agent setup` writes. */
export const SETUP_CLIENTS = AGENT_CLIENTS.filter(({ config }) => config.base !== "elsewhere");

/** The client with this name or alias. */
export function clientNamed(name: string): AgentClient | undefined {
  return AGENT_CLIENTS.find((client) => client.name === name || client.alias === name);
}
