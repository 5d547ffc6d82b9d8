/** `agent setup` refuses files that it cannot change safely, and then writes nothing. */

import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { workspace } from "../support/workspace.ts";
import { person } from "./agent-person.ts";
import { run } from "./run-cli.ts";

/** Each file is refused together with a client whose files are fine: nothing at all is written. */
const REFUSED: readonly (readonly [
  name: string,
  path: string,
  text: string | Buffer,
  message: RegExp,
])[] = [
  ["invalid JSON", "project/.mcp.json", '{\n"a": }', /^error: \.mcp\.json:2: invalid JSON\n$/],
  ["an empty configuration", "project/.mcp.json", "", /^error: \.mcp\.json:1: invalid JSON\n$/],
  [
    "invalid TOML",
    "home/.codex/config.toml",
    "a = 1\n[b",
    /^error: ~\/\.codex\/config\.toml:2: invalid TOML\n$/,
  ],
  [
    "UTF-16",
    "project/.mcp.json",
    Buffer.from("\ufeff{}", "utf16le"),
    /not encoded in UTF-8: save it in UTF-8/,
  ],
  [
    "a large file",
    "project/CLAUDE.md",
    "x".repeat(5_000_001),
    /^error: CLAUDE\.md is larger than 5 MB/,
  ],
  [
    "half a section",
    "project/CLAUDE.md",
    "<!-- cocosearch:begin -->\n",
    /CLAUDE\.md does not have one of each marker/,
  ],
];

it.each(REFUSED)("%s is refused, and nothing is written", async (_name, path, text, message) => {
  const { setup, list, at } = person();
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  const before = list();
  for (const options of ["--yes", "--dry-run", "--remove --yes"]) {
    const { code, out, err } = await setup(`gemini claude-code codex ${options}`);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
    expect(list()).toEqual(before);
  }
});

it("a read-only file is refused, and nothing is written", async () => {
  const { setup, list, at } = person("//- project/CLAUDE.md\nmine\n");
  chmodSync(at("project/CLAUDE.md"), 0o444);
  const before = list();
  for (const options of ["--yes", "--dry-run"]) {
    const { code, err } = await setup(`gemini claude-code ${options}`);
    expect(code).toBe(2);
    expect(err).toBe("error: CLAUDE.md is read-only: make it writable and try again\n");
  }
  expect(list()).toEqual(before);
});

it("a project cannot make setup write elsewhere", async () => {
  const { setup, list, at } = person(
    "//- home/.gemini/settings.json\n{}\n//- home/notes.md\nmine\n",
  );
  symlinkSync("../home/.gemini", at("project/.gemini"));
  symlinkSync("../home/notes.md", at("project/CLAUDE.md"));
  const before = list();
  for (const client of ["gemini", "claude-code"]) {
    const { code, err } = await setup(`${client} --yes`);
    expect(code).toBe(2);
    expect(err).toContain(
      "is a symbolic link, or below one, that does not lead to a place in /project",
    );
  }
  expect(list()).toEqual(before);
});

it("a link of the user inside the home folder is followed", async () => {
  const { setup, read, at } = person("//- home/dotfiles/config.toml\nmodel = 'a'\n");
  mkdirSync(at("home/.codex"));
  symlinkSync("../dotfiles/config.toml", at("home/.codex/config.toml"));
  const { err } = await setup("codex --yes");
  expect(err).toContain("wrote /home/dotfiles/config.toml\n");
  expect(read("home/.codex/config.toml")).toContain("model = 'a'\n\n[mcp_servers.cocosearch]\n");
});

it.each([
  ["nothing", /missing required argument 'clients'/],
  [
    "emacs",
    /Allowed choices are claude-code, codex, cursor, gemini, opencode, copilot, vscode, zed, windsurf/,
  ],
  ["claude-desktop", /Allowed choices are/],
])("`agent setup` with %s is wrong usage", async (clients, message) => {
  const { code, err } = await run(["agent", "setup", ...(clients === "nothing" ? [] : [clients])]);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});

it.each([homedir(), "/"])("%s is not a project", async (folder) => {
  const { code, out } = await run(["agent", "setup", "gemini", "--dry-run", "--root", folder]);
  expect([code, out]).toEqual([2, ""]);
});

it("a folder that is not a project must be named, and a user must have a home", async () => {
  const top = workspace("//- bare/a\n");
  const cwd = join(top, "bare");
  const refused = await run(["agent", "setup", "gemini", "--yes"], { cwd, env: {} });
  expect(refused.err).toContain(
    "is not a git work tree and has no cocosearch.yaml; name a folder with --root",
  );
  expect(refused.code).toBe(2);
  const named = await run(["agent", "setup", "vscode", "--yes", "--root", "."], { cwd, env: {} });
  expect(named.code).toBe(0);
  expect(existsSync(join(cwd, ".vscode/mcp.json"))).toBe(true);
  const homeless = await run(["agent", "setup", "codex", "--yes", "--root", "."], { cwd, env: {} });
  expect(homeless).toMatchObject({ code: 2, err: expect.stringContaining("HOME is not set") });
});
