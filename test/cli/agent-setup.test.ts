/** `agent setup` in real folders: the files of each client, questions and removal. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SECTION_TEXT } from "../../server/cli/agents/instructions-text.ts";
import { SETUP_CLIENTS } from "../../server/config/agent-clients.ts";
import { person } from "./agent-person.ts";

const ALL = SETUP_CLIENTS.map(({ name }) => name).join(" ");
const STDIO = { command: "cocosearch-lsp", args: ["mcp"] };

const WRITTEN: readonly (readonly [
  client: string,
  config: string,
  value: unknown,
  instructions: string,
])[] = [
  ["claude-code", "project/.mcp.json", { mcpServers: { cocosearch: STDIO } }, "project/CLAUDE.md"],
  [
    "cursor",
    "project/.cursor/mcp.json",
    { mcpServers: { cocosearch: STDIO } },
    "project/.cursor/rules/cocosearch.mdc",
  ],
  [
    "gemini",
    "project/.gemini/settings.json",
    { mcpServers: { cocosearch: STDIO } },
    "project/GEMINI.md",
  ],
  [
    "opencode",
    "project/opencode.json",
    { mcp: { cocosearch: { type: "local", command: ["cocosearch-lsp", "mcp"] } } },
    "project/AGENTS.md",
  ],
  [
    "copilot",
    "project/.vscode/mcp.json",
    { servers: { cocosearch: { type: "stdio", ...STDIO } } },
    "project/.github/copilot-instructions.md",
  ],
  [
    "zed",
    "project/.zed/settings.json",
    { context_servers: { cocosearch: STDIO } },
    "project/AGENTS.md",
  ],
  [
    "windsurf",
    "home/.codeium/windsurf/mcp_config.json",
    { mcpServers: { cocosearch: STDIO } },
    "project/.windsurf/rules/cocosearch.md",
  ],
];

describe.each(WRITTEN)("%s", (client, config, value, instructions) => {
  it("gets its configuration and its instructions, and nothing else", async () => {
    const { setup, read, list } = person();
    const before = list();
    const { code, out, err } = await setup(`${client} --yes`);
    expect(JSON.parse(read(config))).toEqual(value);
    expect(read(instructions)).toContain(SECTION_TEXT);
    expect(
      Object.keys(list())
        .filter((name) => !(name in before))
        .toSorted(),
    ).toEqual([config, instructions].toSorted());
    expect(err).toBe(`wrote /${config}\nwrote /${instructions}\n`);
    expect(out).toContain("+++ ");
    expect(code).toBe(0);
  });
});

it("codex gets its table in the home folder, or in the folder that CODEX_HOME names", async () => {
  const table = '[mcp_servers.cocosearch]\ncommand = "cocosearch-lsp"\nargs = ["mcp"]\n';
  const { setup, read, at, list } = person("//- other/config.toml\nmodel = 'a'\n");
  await setup("codex --yes");
  expect(read("home/.codex/config.toml")).toBe(table);
  expect(read("project/AGENTS.md")).toContain(SECTION_TEXT);
  const env = { HOME: at("home"), CODEX_HOME: at("other") };
  await setup("codex --yes", { env });
  expect(read("other/config.toml")).toBe(`model = 'a'\n\n${table}`);
  await setup("codex --remove --yes", { env });
  await setup("codex --remove --yes");
  expect(Object.keys(list())).toEqual([
    "home/.keep",
    "other/config.toml",
    "project/cocosearch.yaml",
  ]);
  expect(read("other/config.toml")).toBe("model = 'a'\n");
});

it("the rules of Cursor and Windsurf begin with a head that makes them always active", async () => {
  const { setup, read } = person();
  await setup("cursor windsurf --yes");
  expect(read("project/.cursor/rules/cocosearch.mdc")).toMatch(
    /^---\ndescription: .*\nalwaysApply: true\n---\n<!-- coco/,
  );
  expect(read("project/.windsurf/rules/cocosearch.md")).toMatch(
    /^---\ntrigger: always_on\n---\n<!-- cocosearch:begin/,
  );
});

/** Files of a user for every client, with comments, CRLF, a byte order mark, and without a last line ending. */
const USER = `
//- project/.mcp.json
{
	"mcpServers": {
		"mine": { "command": "x" }
	}
}
//- project/CLAUDE.md
# Mine
//- project/AGENTS.md
# Ours
//- home/.codex/config.toml
# mine
model = "a"

[mcp_servers.mine]
command = "x" # why
//- project/.cursor/mcp.json
{"mcpServers":{}}
//- project/.gemini/settings.json
{
  // theme
  "theme": "dark",
}
//- project/opencode.jsonc
{
  "model": "a" // the best
}
//- project/.vscode/mcp.json
{
    "inputs": [],
    "servers": {
    }
}
//- home/.codeium/windsurf/mcp_config.json
{ "mcpServers": {} }
`;

describe("for all clients", () => {
  it.each(["", USER])(
    "a second setup changes nothing, and --remove restores the files: %j",
    async (files) => {
      const { setup, list, at } = person(files);
      if (files !== "") {
        writeFileSync(at("project/GEMINI.md"), "\ufeff# Mine\r\n\r\ntext\r\n");
        writeFileSync(at("project/AGENTS.md"), "no line ending");
        writeFileSync(at("project/.cursor/mcp.json"), '{"mcpServers":{}}');
        chmodSync(at("project/.mcp.json"), 0o600);
      }
      const before = list();
      expect((await setup(`${ALL} --yes`)).code).toBe(0);
      const after = list();
      expect(after).not.toEqual(before);
      const again = await setup(`${ALL} --yes`);
      expect(again).toEqual({
        code: 0,
        out: "",
        err: `already set up: ${ALL.replaceAll(" ", ", ")}\n`,
      });
      expect(list()).toEqual(after);
      expect((await setup(`${ALL} --remove --yes`)).code).toBe(0);
      expect(list()).toEqual(before);
      expect(await setup(`${ALL} --remove --yes`)).toMatchObject({ code: 1, out: "" });
    },
  );

  it("keeps the byte order mark and CRLF, and the comments", async () => {
    const { setup, read, at } = person(USER);
    writeFileSync(at("project/GEMINI.md"), "\ufeff# Mine\r\n");
    await setup(`${ALL} --yes`);
    expect(read("project/GEMINI.md")).toMatch(/^\ufeff# Mine\r\n\r\n<!-- cocosearch:begin -->\r\n/);
    expect(read("project/GEMINI.md")).not.toMatch(/[^\r]\n/);
    expect(read("project/opencode.jsonc")).toMatch(
      /"model": "a", \/\/ the best\n {2}"mcp": \{ "cocosearch"/,
    );
    expect(read("home/.codex/config.toml")).toContain(
      'command = "x" # why\n\n[mcp_servers.cocosearch]\n',
    );
    expect(existsSync(at("project/opencode.json"))).toBe(false);
  });

  it("--dry-run prints the differences and writes nothing", async () => {
    const { setup, list } = person(USER);
    const before = list();
    const { code, out, err } = await setup(`${ALL} --dry-run`);
    expect(code).toBe(0);
    expect(err).toBe("");
    expect(list()).toEqual(before);
    expect(out).toContain(
      [
        "--- .mcp.json",
        "+++ .mcp.json",
        "@@ -1,5 +1,6 @@",
        " {",
        ' \t"mcpServers": {',
        '-\t\t"mine": { "command": "x" }',
        '+\t\t"mine": { "command": "x" },',
        '+\t\t"cocosearch": { "command": "cocosearch-lsp", "args": ["mcp"] }',
        " \t}",
        " }",
      ].join("\n"),
    );
    expect(out).toContain("--- ~/.codex/config.toml\n");
  });
});

describe("the instructions that a client reads", () => {
  it.each([
    ["claude-code", ["AGENTS.md"], "AGENTS.md"],
    ["claude-code", [".claude/CLAUDE.md", "AGENTS.md"], ".claude/CLAUDE.md"],
    ["codex", ["AGENTS.override.md", "AGENTS.md"], "AGENTS.override.md"],
    ["opencode", ["CLAUDE.md"], "CLAUDE.md"],
    ["zed", [".rules", "AGENTS.md"], ".rules"],
    ["zed", ["CLAUDE.md"], "CLAUDE.md"],
  ])("%s beside %j uses %s, so that no new file hides another", async (client, files, used) => {
    const { setup, list, read } = person(
      files.map((name) => `//- project/${name}\nmine\n`).join(""),
    );
    const before = Object.keys(list()).filter(
      (name) => name.endsWith("md") || name.endsWith("rules"),
    );
    await setup(`${client} --yes`);
    const after = Object.keys(list()).filter(
      (name) => name.endsWith("md") || name.endsWith("rules"),
    );
    expect(after).toEqual(before);
    expect(read(`project/${used}`)).toContain(SECTION_TEXT);
    const others = files.filter((name) => name !== used);
    expect(others.map((name) => read(`project/${name}`))).toEqual(others.map(() => "mine\n"));
  });

  it("are kept while another client reads them", async () => {
    const { setup, read, at } = person();
    await setup("opencode zed --yes");
    const { err } = await setup("opencode --remove --yes");
    expect(err).toContain("left the section in AGENTS.md: Zed reads it, too\n");
    expect(read("project/AGENTS.md")).toContain(SECTION_TEXT);
    await setup("zed --remove --yes");
    expect(existsSync(at("project/AGENTS.md"))).toBe(false);
  });

  it.each([
    ["opencode claude-code", ["project/CLAUDE.md"]],
    ["zed copilot", ["project/.github/copilot-instructions.md"]],
  ])("the instructions of %s are one new file", async (clients, files) => {
    const { setup, list } = person();
    await setup(`${clients} --yes`);
    expect(Object.keys(list()).filter((name) => name.endsWith(".md"))).toEqual(files);
  });

  it("have one section if two names lead to one file", async () => {
    const { setup, read, at } = person("//- project/AGENTS.md\n# Ours\n");
    symlinkSync("AGENTS.md", at("project/CLAUDE.md"));
    await setup("claude-code codex --yes");
    expect(read("project/AGENTS.md").split("cocosearch:begin")).toHaveLength(2);
    await setup("claude-code codex --remove --yes");
    expect(read("project/CLAUDE.md")).toBe("# Ours\n");
  });
});

it("two clients can share a configuration", async () => {
  const { setup, read, at } = person("//- project/.mcp.json\n{}\n");
  mkdirSync(at("project/.vscode"));
  symlinkSync("../.mcp.json", at("project/.vscode/mcp.json"));
  await setup("claude-code copilot --yes");
  expect(JSON.parse(read("project/.mcp.json"))).toEqual({
    mcpServers: { cocosearch: STDIO },
    servers: { cocosearch: { type: "stdio", ...STDIO } },
  });
  await setup("claude-code copilot --remove --yes");
  expect(read("project/.mcp.json")).toBe("{}\n");
});

describe("the question", () => {
  const OTHER = '{ "mcpServers": { "cocosearch": { "command": "mine" } } }\n';

  it("is asked in a terminal, and any answer but yes writes nothing", async () => {
    const { setup, list, read } = person();
    const before = list();
    const no = await setup("gemini", { terminal: true, typed: () => "\n" });
    expect(no).toMatchObject({
      code: 2,
      err: expect.stringContaining("error: nothing was written\n"),
    });
    expect(list()).toEqual(before);
    const yes = await setup("gemini", { terminal: true, typed: () => "yes\n" });
    expect(yes.code).toBe(0);
    expect(read("project/GEMINI.md")).toContain(SECTION_TEXT);
  });

  it("is answered with no by the end of the input", async () => {
    const { setup, list } = person();
    const before = list();
    const { code, err } = await setup("gemini", { terminal: true, typed: () => "" });
    expect(code).toBe(2);
    expect(err).toContain("error: nothing was written\n");
    expect(list()).toEqual(before);
  });

  it("cannot be asked without a terminal", async () => {
    const { setup, list } = person();
    const before = list();
    const { code, err } = await setup("gemini");
    expect(code).toBe(2);
    expect(err).toBe(
      "error: this is not a terminal, so nothing was written; add --yes to write, or --dry-run to see the changes only\n",
    );
    expect(list()).toEqual(before);
  });

  it.each(["--yes", ""])("is needed to replace the user's own entry: %j", async (options) => {
    const { setup, list } = person(`//- project/.mcp.json\n${OTHER}`);
    const before = list();
    const { code, err } = await setup(`claude-code ${options}`.trim());
    expect(code).toBe(2);
    expect(err).toContain('.mcp.json has another entry with our name: {"command":"mine"}; rename');
    expect(list()).toEqual(before);
  });

  it("replaces the user's own entry after a yes", async () => {
    const { setup, read } = person(`//- project/.mcp.json\n${OTHER}//- project/CLAUDE.md\nmine\n`);
    const no = await setup("claude-code", { terminal: true, typed: () => "n\n" });
    expect(no.code).toBe(2);
    expect(read("project/.mcp.json")).toBe(OTHER);
    const { code, err } = await setup("claude-code", { terminal: true, typed: () => "y\n" });
    expect(err).toContain("Replace it and write all this? [y/N] ");
    expect(code).toBe(0);
    expect(JSON.parse(read("project/.mcp.json"))).toEqual({ mcpServers: { cocosearch: STDIO } });
  });

  it("does not overwrite a file that changes while the user thinks", async () => {
    const { setup, read, at, list } = person("//- project/GEMINI.md\nmine\n");
    const typed = () => {
      writeFileSync(at("project/GEMINI.md"), "newer\n");
      return "y\n";
    };
    const { code, err } = await setup("gemini", { terminal: true, typed });
    expect(code).toBe(2);
    expect(err).toContain("GEMINI.md was changed meanwhile and is left as it is: try again\n");
    expect(read("project/GEMINI.md")).toBe("newer\n");
    expect(Object.keys(list())).toEqual([
      "home/.keep",
      "project/GEMINI.md",
      "project/cocosearch.yaml",
    ]);
  });
});

it("an entry with options of the user is kept, by setup and by --remove", async () => {
  const own =
    '{ "mcpServers": { "cocosearch": { "command": "cocosearch-lsp", "args": ["mcp"], "env": { "A": "b" } } } }\n';
  const { setup, read } = person(`//- project/.mcp.json\n${own}`);
  const { code, err } = await setup("claude-code --yes");
  expect(code).toBe(0);
  expect(err).toContain('kept your own entry in .mcp.json: {"command":"cocosearch-lsp"');
  const removal = await setup("claude-code --remove --yes");
  expect(removal.err).toContain("left the entry in .mcp.json, which is yours");
  expect(read("project/.mcp.json")).toBe(own);
});

it("the page about agents names the files of each client, and the documentation that says so", () => {
  const page = readFileSync(join(import.meta.dirname, "../../server/docs/agents.md"), "utf8");
  for (const { name, config, instructions, docs } of SETUP_CLIENTS) {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\``)) ?? "";
    for (const path of config.paths) expect(row).toContain(path);
    expect(row).toContain(instructions?.created);
    for (const address of docs) expect(row).toContain(`(${address})`);
  }
});
