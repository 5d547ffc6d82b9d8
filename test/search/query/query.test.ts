/** Reading a query: its form, its words, its names, its filters. */

import { describe, expect, it } from "vitest";
import { parseQuery, type Query } from "../../../server/search/query/query.ts";

const LANGUAGES: Record<string, string> = { python: "python", py: "python", shell: "bash" };
const parse = (text: string) => parseQuery(text, (alias) => LANGUAGES[alias]);

const KINDS: [string, Query["kind"]][] = [
  ["getUserById", "symbol"],
  ["get_user", "symbol"],
  ["Session", "symbol"],
  ["HTTPServer", "symbol"],
  ["_private", "symbol"],
  ["Rails::Engine", "symbol"],
  ["client.fetch", "symbol"],
  ["this->next", "symbol"],
  ["Menu:onSelect", "symbol"],
  ["cowboy_req:reply/4", "symbol"],
  ["`Enum.map/2`", "symbol"],
  ["lang:klingon", "sentence"],
  ["localhost:8080", "sentence"],
  ["10/2", "path"],
  ["`UserService.get_user()`", "symbol"],
  ["retry", "word"],
  ["src/app/main.ts", "path"],
  ["main.ts", "path"],
  ["src/app/", "path"],
  ["src/app.ts:10:5", "path"],
  ["where are auth tokens refreshed?", "sentence"],
  ["parse JSON", "sentence"],
  ["cómo se abre la conexión", "sentence"],
  ["接続を開く場所", "sentence"],
  ["how are errors handled: by exceptions?", "sentence"],
  ["TypeError: x is not a function", "error"],
  ["error[E0382]: borrow of moved value: `config`", "error"],
  ["java.io.IOException: Stream closed", "error"],
  ["  panic: runtime error: index out of range", "error"],
  ["it stops with this\n  at run (src/engine/serve.ts:10:5)", "error"],
  ["", "empty"],
  ["   ", "empty"],
  ["?!.,()", "empty"],
  ["what is it", "empty"],
  ["lang:python", "empty"],
];
it.each(KINDS)("reads %j as a %s query", (text, kind) => expect(parse(text).kind).toBe(kind));

describe("words", () => {
  const check = (text: string, expected: string) =>
    expect(parse(text).words.join(" ")).toBe(expected);

  it("drops what only makes it a question", () =>
    check("where is the pool opened?", "pool opened"));
  it("keeps the parts of a name, even stop words", () => check("isEmpty", "is empty isempty"));
  it("leaves out the arity of a name", () =>
    check("cowboy_req:reply/4", "cowboy req cowboy_req reply"));
  it("counts a quoted phrase twice", () => check('open "the pool"', "open pool the pool"));
  it("has none for stop words alone", () => check("what is this", ""));
});

describe("names", () => {
  const check = (text: string, expected: string[]) =>
    expect(parse(text).identifiers).toEqual(expected);

  it("finds them in a sentence", () =>
    check("how does parseQuery call Router::add and read_file?", [
      "parseQuery",
      "Router::add",
      "read_file",
    ]));
  it.each([
    ["Menu:onSelect", "Menu::onSelect"],
    ["ReaderTypeset:makeDef", "ReaderTypeset::makeDef"],
    ["cowboy_req:reply/4", "cowboy_req::reply"],
    ["Enum.map/2", "Enum.map"],
    ["valid?/1", "valid?"],
    ["session:task:", "session:task:"],
  ])("reads the name %s as %s", (text, name) => check(text, [name]));
  it("takes no capital at the start of a sentence for one", () =>
    check("Where tokens are kept", []));
  it("takes no file for one", () => check("what does session.ts open", []));
  it("takes a plain word as the name that is asked for", () => check("retry", ["retry"]));
  it("names each once", () => check("getUser and getUser", ["getUser"]));
});

describe("filters in the query", () => {
  it("takes them out of the text", () => {
    const { text, filters } = parse("open the pool lang:py type:function path:src/store");
    expect(text).toBe("open the pool");
    expect(filters).toEqual({
      languages: ["python"],
      symbolTypes: ["function"],
      paths: ["src/store"],
      unknown: [],
    });
  });
  it("leaves what names nothing known in the text", () => {
    const { text, filters } = parse("lang:klingon type:error Foo::path:x");
    expect(text).toBe("lang:klingon type:error Foo::path:x");
    const unknown = ["lang:klingon", "type:error"];
    expect(filters).toEqual({ languages: [], symbolTypes: [], paths: [], unknown });
  });
});

describe("the subject", () => {
  it.each([
    ["open the pool", "open pool"],
    ["RTF reader: support lists. Every paragraph was a new item.", "rtf reader"],
    ["Fix crash on download. It happens with file URLs", "fix crash download"],
    ["App: enable identifiers", "app enable identifiers"],
    ["parse v1.2 headers, e.g. dates", "parse v1 headers dates"],
    ["std::vector in query.ts", "std vector query ts"],
  ])("the subject of %j is %j", (text, words) => expect(parse(text).subject.join(" ")).toBe(words));
});

it("finds the files of a stack trace", () => {
  const { paths } = parse(
    'TypeError: x is not a function\n  at run (src/engine/serve.ts:10:5)\n  File "app/main.py", line 3',
  );
  expect(paths).toEqual(["src/engine/serve.ts", "app/main.py"]);
});

it("finds the frames of a trace, and their files among the paths", () => {
  const { frames, paths, kind } = parse(
    "Unhandled: no\n   at A.Load() in C:\\app\\Users.cs:line 42",
  );
  expect(frames).toEqual([{ path: "C:/app/Users.cs", line: 41, function: "Load" }]);
  expect(paths).toContain("C:/app/Users.cs");
  expect(kind).toBe("error");
});

it.each([
  ["user.rb:120:in `load'", "error"],
  ["where is src/a.ts:10 called from", "sentence"],
  ["src/a.ts:10", "path"],
])("reads %j as %s", (text, kind) => expect(parse(text).kind).toBe(kind));

it("reads letters that are written in two ways as one", () =>
  expect(parse("cafe\u0301 re\u0301sume\u0301")).toEqual(parse("caf\u00e9 r\u00e9sum\u00e9")));

it("distinguishes quoted phrases from code and from quotes in messages", () => {
  expect(parse('where is "connection refused" raised by `connect`').quoted).toEqual([
    "connection refused",
  ]);
  expect(parse('KeyError: "user name"').quoted).toEqual([]);
});

it("reads the start and the end of a text that is too long, and says so", () => {
  const { warnings, text } = parse(`first ${"word ".repeat(20_000)} last`);
  expect(warnings).toEqual([expect.stringContaining("longer than 10,000 characters and was cut")]);
  expect(text.length).toBeLessThanOrEqual(10_000);
  expect(text).toMatch(/^first .* last$/s);
  expect(parse("word ".repeat(100)).warnings).toEqual([]);
});
