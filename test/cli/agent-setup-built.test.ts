/** The built program sets agents up, and starts as their configurations say. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { parse } from "smol-toml";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { SECTION_TEXT } from "../../server/cli/agents/instructions-text.ts";
import { MAIN, type TestEngine, testEngine } from "../support/engine.ts";
import { SHOP } from "../support/shops.ts";
import { temporaryWorkspace, write } from "../support/workspace.ts";

let engine: TestEngine;
let made: ReturnType<typeof temporaryWorkspace>;
let root = "";
let env: Record<string, string> = {};

beforeAll(() => {
  made = temporaryWorkspace("//- home/.keep\n");
  root = join(made.root, "project");
  const bin = join(made.root, "bin");
  mkdirSync(root);
  mkdirSync(bin);
  write(root, `${SHOP}//- cocosearch.yaml\n`);
  const script = `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`;
  writeFileSync(join(bin, "cocosearch-lsp"), script, { mode: 0o755 });
  const path = `${bin}${delimiter}${process.env["PATH"] ?? ""}`;
  engine = testEngine({ HOME: join(made.root, "home"), CODEX_HOME: "", PATH: path });
  env = engine.env as Record<string, string>;
});

afterAll(async () => {
  await engine.dispose();
  made.remove();
});

function cocosearch(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(join(made.root, "bin/cocosearch-lsp"), args, {
    cwd: root,
    env,
    encoding: "utf8",
    input: "",
  });
  return { status, stdout, stderr };
}

interface Launch {
  readonly command: string;
  readonly args: string[];
}

/** How each of these clients starts the server, from its configuration. */
const LAUNCHES: Readonly<Record<string, () => Launch>> = {
  "claude-code": () => json(".mcp.json").mcpServers.cocosearch,
  codex: () => {
    const config = parse(readFileSync(join(made.root, "home/.codex/config.toml"), "utf8"));
    return (config as unknown as { mcp_servers: { cocosearch: Launch } }).mcp_servers.cocosearch;
  },
  cursor: () => json(".cursor/mcp.json").mcpServers.cocosearch,
};

function json(name: string) {
  return JSON.parse(readFileSync(join(root, name), "utf8")) as {
    mcpServers: { cocosearch: Launch };
  };
}

it.each(Object.entries(LAUNCHES))(
  "%s starts the server with the five tools that the instructions name",
  async (name, launch) => {
    expect(cocosearch("agent", "setup", name)).toMatchObject({ status: 2 });
    expect(cocosearch("agent", "setup", name, "--yes").stderr).toMatch(/^wrote .*\nwrote .*\n$/);
    const again = cocosearch("agent", "setup", name, "--yes");
    expect(again).toEqual({ status: 0, stdout: "", stderr: `already set up: ${name}\n` });
    const { command, args } = launch();
    const transport = new StdioClientTransport({ command, args, env, cwd: root, stderr: "ignore" });
    const client = new Client({ name: `${name} client`, version: "1" });
    onTestFinished(() => client.close());
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(5);
    for (const tool of tools) expect(SECTION_TEXT).toContain(`\`${tool.name}\``);
    const { structuredContent } = await client.callTool({
      name: "search_code",
      arguments: { query: "where is a connection opened" },
    });
    expect(structuredContent).toMatchObject({ state: "ready" });
  },
  120_000,
);

it("`doctor` reports these agents and when they last connected", () => {
  const { stdout } = cocosearch("doctor");
  expect(stdout).toContain("agent claude-code: set up in .mcp.json\n");
  expect(stdout).toContain("agent codex: set up in ~/.codex/config.toml\n");
  expect(stdout).toMatch(
    /agents: last connected: cursor client (just now|1 minute ago), codex client /,
  );
});

it("--remove leaves no trace", () => {
  const removed = cocosearch(
    "agent",
    "setup",
    "claude-code",
    "codex",
    "cursor",
    "--remove",
    "--yes",
  );
  expect(removed.status).toBe(0);
  for (const name of [".mcp.json", "CLAUDE.md", "AGENTS.md", ".cursor"]) {
    expect(existsSync(join(root, name))).toBe(false);
  }
  expect(existsSync(join(made.root, "home/.codex"))).toBe(false);
});
