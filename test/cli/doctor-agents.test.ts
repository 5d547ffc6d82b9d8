/** The report of `doctor` about coding agents: by their files, and by the programs on the PATH, which it does not run. */

import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { agentFindings } from "../../server/cli/doctor-agents.ts";
import { noteClient } from "../../server/common/client-times.ts";
import { workspace } from "../support/workspace.ts";
import { run } from "./run-cli.ts";

function person(literal: string) {
  const top = workspace(`//- project/cocosearch.yaml\n//- home/.keep\n${literal}`);
  const [root, bin] = [join(top, "project"), join(top, "bin")];
  const env = { HOME: join(top, "home"), PATH: `${relative(process.cwd(), root)}:${bin}` };
  return { top, root, bin, env, find: () => agentFindings({ root, env }, join(top, "clients")) };
}

const OURS = '{ "mcpServers": { "cocosearch": { "command": "cocosearch-lsp", "args": ["mcp"] } } }';
const FOREIGN = '{ "mcpServers": { "cocosearch": { "url": "x" } } }';
const SETUP = "run cocosearch-lsp agent setup";

describe("an agent", () => {
  it.each([
    [
      "project/.mcp.json",
      "{}",
      "claude-code",
      "Claude Code is not set up in this project",
      `${SETUP} claude-code`,
    ],
    [
      "project/.cursor/mcp.json",
      OURS,
      "cursor",
      "set up in .cursor/mcp.json, but .cursor/rules/cocosearch.mdc does not say when to use it",
      `${SETUP} cursor`,
    ],
    [
      "home/.codeium/windsurf/mcp_config.json",
      FOREIGN,
      "windsurf",
      '~/.codeium/windsurf/mcp_config.json has another entry with our name: {"url":"x"}',
      `${SETUP} windsurf, which asks before it replaces the entry`,
    ],
    [
      "project/.gemini/settings.json",
      "{",
      "gemini",
      ".gemini/settings.json:2: invalid JSON",
      `then ${SETUP} gemini`,
    ],
    [
      "home/.codex/config.toml",
      "[",
      "codex",
      "~/.codex/config.toml:1: invalid TOML",
      `then ${SETUP} codex`,
    ],
  ])("an agent with %s: %s", (path, text, name, detail, remedy) => {
    const { find } = person(`//- ${path}\n${text}\n`);
    expect(find()).toEqual([{ what: `agent ${name}`, ok: true, detail, remedy }]);
  });

  it("an agent that is set up has no remedy", async () => {
    const { find, root, env } = person("//- project/.mcp.json\n{}\n");
    await run(["agent", "setup", "claude-code", "--yes"], { cwd: root, env });
    expect(find()).toEqual([
      { what: "agent claude-code", ok: true, detail: "set up in .mcp.json" },
    ]);
  });

  it("is found by its program, which is not run, but not in a relative folder of the PATH", () => {
    const { find, top, root, bin } = person("//- project/gemini\n#!/bin/sh\ntouch ran\n");
    expect(find()).toEqual([]);
    mkdirSync(bin);
    const program = join(root, "gemini");
    writeFileSync(program, `#!/bin/sh\ntouch ${join(top, "ran")}\n`);
    chmodSync(program, 0o755);
    symlinkSync(program, join(bin, "gemini"));
    expect(find()).toMatchObject([
      { what: "agent gemini", detail: "Gemini CLI is not set up in this project" },
    ]);
    expect(existsSync(join(top, "ran"))).toBe(false);
  });
});

it("lists the clients that have connected, the latest first", () => {
  const { find, top } = person("");
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  noteClient(join(top, "clients"), "Zed", ago(50));
  noteClient(join(top, "clients"), "claude-code", ago(3.5));
  expect(find()).toEqual([
    { what: "agents", ok: true, detail: "last connected: claude-code 3 hours ago, Zed 2 days ago" },
  ]);
});
