/** Our entry in JSON with comments: everything else keeps its bytes, and removing it restores the file. */

import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { jsonFormat } from "../../../server/cli/agents/json-entry.ts";
import { stateOfEntry } from "../../../server/cli/agents/server-entry.ts";

const ENTRY = { command: "cocosearch-lsp", args: ["mcp"] };
const INLINE = '{ "command": "cocosearch-lsp", "args": ["mcp"] }';
const PLACE = { keys: [["mcpServers"]], shown: ".mcp.json" };

const added = (text: string) => jsonFormat.add(text, ENTRY, PLACE);

/** Files of users: with and without the servers, comments, trailing commas, on one line, with tabs and CRLF. */
const FILES = [
  "{}",
  "{ }",
  "{}\n",
  "{\n}\n",
  '{"a": 1}',
  '{ "a": 1, }',
  '{\n  "a": 1\n}\n',
  '{\n  "a": 1,\n}\n',
  '{\n  "a": 1 // one\n}\n',
  "{\n  // nothing yet\n}\n",
  '{\n  "mcpServers": {}\n}\n',
  '{\n  "mcpServers": { }\n}\n',
  '{\n  "mcpServers": {\n  }\n}\n',
  '{\n\t"mcpServers": {\n\t\t"a": { "url": "x" }\n\t},\n\t"b": [1, 2,]\n}',
  '{\n  "mcpServers": {\n    "a": { "url": "x" }, // first\n    // last\n  },\n}\n',
  '{\r\n  "mcpServers": {\r\n    "a": {} /* } */\r\n  }\r\n}\r\n',
  '{"mcpServers": {"a": {}}}',
  '{"mcpServers": {"a": {},}, "b": "// no comment"}',
  '{"mcpServers":\n  {"a": {}\n   /* end */ }}',
  '// head\n{\n    "x": {\n        "mcpServers": {}\n    }\n}\n// tail\n',
];

describe.each(FILES)("%j", (text) => {
  it("gets the entry and keeps its other values", () => {
    const { mcpServers: before = {}, ...others } = parse(text);
    const expected = { ...others, mcpServers: { ...before, cocosearch: ENTRY } };
    expect(parse(added(text), [], { allowTrailingComma: true })).toEqual(expected);
  });
  it("keeps its bytes in their order", () => {
    let at = 0;
    for (const letter of added(text)) if (letter === text[at]) at++;
    expect(at).toBe(text.length);
  });
  it("is restored", () => expect(jsonFormat.remove(added(text), PLACE)).toBe(text));
  it("differs from a file that setup creates", () =>
    expect(added(text)).not.toBe(jsonFormat.create(ENTRY, PLACE)));
});

it.each([
  [
    '{\n  "a": 1 // one\n}\n',
    `{\n  "a": 1, // one\n  "mcpServers": { "cocosearch": ${INLINE} }\n}\n`,
  ],
  [
    '{\n  "mcpServers": {\n\t"a": {}, // last\n  },\n}\n',
    `{\n  "mcpServers": {\n\t"a": {}, // last\n\t"cocosearch": ${INLINE},\n  },\n}\n`,
  ],
  ['{"mcpServers": {}}', `{"mcpServers": {"cocosearch": ${INLINE}}}`],
  [
    '{\r\n    "mcpServers": {\r\n    }\r\n}',
    `{\r\n    "mcpServers": {\r\n        "cocosearch": ${INLINE}\r\n    }\r\n}`,
  ],
])("adds a line in the style of %j", (text, expected) => expect(added(text)).toBe(expected));

it("replaces another value in its place", () => {
  const text = '{ "mcpServers": { "cocosearch": { "command": "x" /* y */ }, "a": 1 } }';
  expect(added(text)).toBe(`{ "mcpServers": { "cocosearch": ${INLINE}, "a": 1 } }`);
});

it("removes an entry between others, and one that a formatter has rewritten", () => {
  const text = `{\n  "mcpServers": {\n    "a": 1,\n    "cocosearch": ${INLINE},\n    "b": 2\n  }\n}\n`;
  const without = '{\n  "mcpServers": {\n    "a": 1,\n    "b": 2\n  }\n}\n';
  expect(jsonFormat.remove(text, PLACE)).toBe(without);
  const inline = `{"mcpServers": {"cocosearch": ${INLINE}, "b": 2}}`;
  expect(jsonFormat.remove(inline, PLACE)).toBe('{"mcpServers": {"b": 2}}');
  const formatted = JSON.stringify({ mcpServers: { a: 1, cocosearch: ENTRY } }, null, 4);
  expect(parse(jsonFormat.remove(formatted, PLACE))).toEqual({ mcpServers: { a: 1 } });
});

it("uses the servers of OpenCode 2 where the file has them", () => {
  const place = { keys: [["mcp"], ["mcp", "servers"]], shown: "opencode.json" };
  const two = '{\n  "mcp": {\n    "servers": {}\n  }\n}\n';
  const text = jsonFormat.add(two, ENTRY, place);
  expect(parse(text)).toEqual({ mcp: { servers: { cocosearch: ENTRY } } });
  expect(jsonFormat.read(text, place)).toEqual(ENTRY);
  expect(jsonFormat.remove(text, place)).toBe(two);
  const both = '{ "mcp": { "cocosearch": { "command": "x" }, "servers": { } } }';
  const replaced = `{ "mcp": { "cocosearch": ${INLINE}, "servers": { } } }`;
  expect(jsonFormat.add(both, ENTRY, place)).toBe(replaced);
  expect(jsonFormat.remove(replaced, place)).toBe('{ "mcp": { "servers": { } } }');
  expect(parse(jsonFormat.add('{ "mcp": { "a": 1 } }', ENTRY, place))).toEqual({
    mcp: { a: 1, cocosearch: ENTRY },
  });
});

it.each([
  ["", ".mcp.json:1: invalid JSON"],
  ['{\n  "a": \n}', ".mcp.json:3: invalid JSON"],
  ["[".repeat(2_000_000), ".mcp.json has more than 100 levels"],
  [`{"mcpServers": {"cocosearch": ${"[".repeat(101)}`, ".mcp.json has more than 100 levels"],
  [`{"a": "${'\\"'.repeat(1_000_000)}\n`, ".mcp.json:1: invalid JSON"],
  [`{${"/*".repeat(1_000_000)}`, ".mcp.json:1: invalid JSON"],
  ["[]", ".mcp.json: the file is not a JSON object"],
  ['{"mcpServers": []}', ".mcp.json: mcpServers is not a JSON object"],
  ['{"mcpServers": null}', ".mcp.json: mcpServers is not a JSON object"],
  ['{"mcpServers": {}, "mcpServers": {}}', '.mcp.json: the file has "mcpServers" twice'],
])("refuses a text with: $1", (text, message) => {
  expect(() => added(text)).toThrow(message);
  expect(() => jsonFormat.read(text, PLACE)).toThrow(message);
});

it("restores any JSON, however it is indented", () => {
  const space = fc.constantFrom(undefined, "\t", 1, 2, 4);
  const value = fc.record(
    {
      a: fc.jsonValue(),
      mcpServers: fc.dictionary(fc.string(), fc.jsonValue()),
      z: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(value, space, fc.boolean(), (json, indent, isCrlf) => {
      fc.pre(!Object.hasOwn(json.mcpServers ?? {}, "cocosearch"));
      const lf = JSON.stringify(json, null, indent);
      const text = isCrlf ? lf.replaceAll("\n", "\r\n") : lf;
      expect(jsonFormat.remove(added(text), PLACE)).toBe(text);
    }),
  );
});

it("does not count brackets in strings and comments as levels", () => {
  const brackets = "[{".repeat(100);
  const text = `{"a": "\\"${brackets}", // ${brackets}\n"b": "\\\\" /* ${brackets} */}`;
  expect(jsonFormat.remove(added(text), PLACE)).toBe(text);
});

it.each([
  [undefined, "absent"],
  [ENTRY, "ours"],
  [{ ...ENTRY, env: { A: "b" } }, "adapted"],
  [{ command: "cocosearch-lsp", args: ["mcp", "--root", "/x"] }, "adapted"],
  [{ command: ["cocosearch-lsp", "mcp"], type: "local" }, "adapted"],
  [{ command: "other", args: ["mcp"] }, "foreign"],
  [{ command: "cocosearch-lsp", args: ["--stdio"] }, "foreign"],
  ["cocosearch-lsp mcp", "foreign"],
  [null, "foreign"],
])("%j is %s", (value, state) => expect(stateOfEntry(value, ENTRY)).toBe(state));
