/** Our table in TOML: everything else keeps its bytes, and a form that cannot be edited is refused. */

import { describe, expect, it } from "vitest";
import { tomlFormat } from "../../../server/cli/agents/toml-entry.ts";

const ENTRY = { command: "cocosearch-lsp", args: ["mcp"] };
const PLACE = { keys: [["mcp_servers"]], shown: "config.toml" };
const TABLE = '[mcp_servers.cocosearch]\ncommand = "cocosearch-lsp"\nargs = ["mcp"]';

const added = (text: string) => tomlFormat.add(text, ENTRY, PLACE);

const FILES = [
  "",
  "\n",
  "model = 'a'",
  "# mine\nmodel = 'a' # why\nwhen = 2026-01-02T03:04:05Z\n",
  'x = 1\n\n[mcp_servers.other]\ncommand = "a"\n\n[mcp_servers.other.env]\nA = "[mcp_servers.cocosearch]"\n',
  "x = 1\r\n[a]\r\nb = 2\r\n",
  "[mcp_servers]\n",
  'text = """\n[x]\n"""\n[[list]]\na = 1',
];

describe.each(FILES)("%j", (text) => {
  it("gets the table at its end", () => {
    const after = added(text);
    expect(after.startsWith(text)).toBe(true);
    expect(tomlFormat.read(after, PLACE)).toEqual(ENTRY);
  });
  it("is restored", () => expect(tomlFormat.remove(added(text), PLACE)).toBe(text));
});

it("a new file has only the table", () => {
  expect(tomlFormat.create(ENTRY, PLACE)).toBe(`${TABLE}\n`);
});

it("keeps the text after the table, with its comments", () => {
  const text = `${TABLE}\n# about b\n\n[b]\nc = 1\n`;
  expect(tomlFormat.remove(text, PLACE)).toBe("# about b\n\n[b]\nc = 1\n");
});

it("replaces another value in its place", () => {
  const text =
    'a = 1\n[mcp_servers."cocosearch"] # mine\ncommand = "x"\nargs = [\n  "y",\n]\n# b\n[b]\n';
  expect(added(text)).toBe(`a = 1\n${TABLE}\n# b\n[b]\n`);
});

it.each([
  ['mcp_servers = { other = { command = "a" } }', "cannot be edited"],
  ['[mcp_servers]\ncocosearch = { command = "x" }\n', "cannot be edited"],
  [
    '[mcp_servers.cocosearch]\ncommand = "x"\n[mcp_servers.cocosearch.env]\nA = "b"\n',
    "cannot be edited",
  ],
  ["mcp_servers = 1", "config.toml: mcp_servers is not a table"],
  ["a = \n", "config.toml:1: invalid TOML"],
])("refuses %j", (text, message) => expect(() => added(text)).toThrow(message));

it("refuses to remove a table in a form that it cannot edit", () => {
  const text = '[mcp_servers]\ncocosearch = { command = "cocosearch-lsp", args = ["mcp"] }\n';
  expect(tomlFormat.read(text, PLACE)).toEqual(ENTRY);
  expect(() => tomlFormat.remove(text, PLACE)).toThrow("change [mcp_servers.cocosearch] yourself");
});

it("does not take a line of a text for the table", () => {
  const text = `a = '''\n${TABLE}\n'''\n`;
  expect(() => tomlFormat.remove(text, PLACE)).toThrow("cannot be edited");
  expect(() => added(text)).toThrow("cannot be edited");
});
