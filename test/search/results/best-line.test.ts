/** The line of a hit that is shown first. */

import { describe, expect, it } from "vitest";
import type { CodeSymbol } from "../../../server/contracts/model.ts";
import { parseQuery } from "../../../server/search/query/query.ts";
import { symbolOf } from "../../../server/search/results/answer.ts";
import {
  chooseLine,
  displayedLine,
  lineQueryOf,
} from "../../../server/search/results/best-line.ts";
import { chunkOf, factsOf } from "../support.ts";

const COMMON: ReadonlySet<string> = new Set(["value", "return"]);
const FIRST = 100;

/** The definition of a name is where `name(` begins. */
function definitionsIn(text: string): CodeSymbol[] {
  return text.split("\n").flatMap((line, i): CodeSymbol[] => {
    const name = /^\s*(?:def|using) (\w+)/.exec(line)?.[1];
    const at = FIRST + i;
    const lines = { start: at, end: at };
    return name === undefined
      ? []
      : [{ name, type: "function", signature: name, lines, nameLine: at }];
  });
}

function best(query: string, text: string, languageId?: string) {
  const lines = text.split("\n");
  const [found] = factsOf(chunkOf("src/a.py", text)).values();
  if (found === undefined) throw new Error("no chunk");
  const span = { start: FIRST, end: FIRST + lines.length - 1 };
  const facts = {
    ...found,
    lines: span,
    symbols: languageId === "text" ? [] : definitionsIn(text),
    ...(languageId === undefined ? {} : { languageId }),
  };
  const asked = parseQuery(query, () => undefined);
  const symbol = symbolOf(facts, asked);
  const weights = lineQueryOf(asked, (term) => (COMMON.has(term) ? 0.5 : 5));
  return chooseLine(lines, { facts, symbol }, weights);
}

/** The text of the best line, with its highlights in brackets and the cursor as `|`. */
function check(query: string, text: string, expected: string, languageId?: string): void {
  const choice = best(query, text, languageId);
  if (choice === undefined) throw new Error("no line");
  const { column, lead, text: shown, highlights } = choice.best;
  let marked = lead + shown;
  const marks = [
    ...highlights.flatMap(([start, end]) => [
      { at: end, mark: "]" },
      { at: start, mark: "[" },
    ]),
    { at: column, mark: "|" },
  ].toSorted((a, b) => b.at - a.at);
  for (const { at, mark } of marks) marked = marked.slice(0, at) + mark + marked.slice(at);
  expect(marked.replace(/\[\|/g, "|[").trim()).toBe(expected);
}

const LOAD = `def load(path):
    # cookies are signed with a key
    value = sign(path)
    if (
    return value`;

it("is the line with the rarest words", () =>
  check("how are cookies signed", LOAD, "# |[cookies] are [signed] with a key"));
it("has the literal as a whole name, not as a part of a longer one", () => {
  const text = "(my-button-face 1)\n(setq my-button nil)";
  const lines = text.split("\n");
  const [facts] = factsOf(chunkOf("src/a.el", text)).values();
  if (facts === undefined) throw new Error("no chunk");
  const literal = {
    literal: { text: "my-button", role: "whole", isQuoted: false },
    line: 1,
    column: 6,
    length: 9,
    isInString: false,
    share: 1,
    run: 0,
    closeness: 1,
    files: 1,
  } as const;
  const query = lineQueryOf(
    parseQuery("my-button", () => undefined),
    () => 5,
  );
  const lineOf = (found: typeof literal | undefined) =>
    chooseLine(lines, { facts, symbol: undefined, literal: found }, query)?.best.line;
  expect(lineOf(literal)).toBe(facts.lines.start + 1);
  expect(lineOf(undefined)).toBe(facts.lines.start);
});
it("is that of the name that is asked for", () => check("load", LOAD, "def |[load](path):"));
it("is the definition where a body only repeats one word", () =>
  check("load a value", LOAD, "def |[load](path):"));
it("is the definition where no word is in it", () =>
  check("deserialize configuration", LOAD, "def |load(path):"));
it("is the definition below a comment that answers", () => {
  const text = `# keeps cookies signed\n\n@cached\n${LOAD}`;
  check("what keeps cookies signed", text, "def |load(path):");
  check('"keeps cookies"', text, "# |[keeps cookies] signed");
});
it("is the definition whose docstring answers", () => {
  const documented = `def load(
    path: str,
):
    """Loads it.

    What keeps cookies signed is here.
    """
    return keep(path)`;
  check("what keeps cookies signed", documented, "def |load(");
  check('"cookies signed is"', documented, "What keeps |[cookies signed is] here.");
});
it("is a line of the body where a text only looks like a docstring", () => {
  const text = `def load(path):
    text = read(path)
    """cookies are signed"""
    return text`;
  check("cookies signed", text, '"""|[cookies] are [signed]"""');
});
it("is a use of a word rather than its import", () => {
  const text = "import signer, cookies\n\nx = 1\n\nkeep(signer)";
  check("signer", text, "keep(|[signer])");
  check("cookies", "import cookies\n\nx = 1", "import |[cookies]");
});
it("is a definition that looks like an import, as an alias of C++", () =>
  check(
    "GeneratorPtr",
    "using GeneratorPtr = Owner<Generator>;\n\nstruct Wrapper {\n  Wrapper(GeneratorPtr generator);",
    "using |[GeneratorPtr] = Owner<[Generator]>;",
  ));
it("is the definition that a comment belongs to, also of several in a chunk", () => {
  const text = `${LOAD}\n\n# keeps visitors known\ndef keep(x):\n    """Remembers who paid."""`;
  check("which visitors are known", text, "def |keep(x):");
  check("who paid", text, "def |keep(x):");
});
it("is where a quoted phrase is, word for word", () =>
  check('"return value"', LOAD, "|[return value]"));
it("is the first line of a quoted phrase that spans two lines", () =>
  check('"if ( return"', LOAD, "|[if (]"));
it("ignores text between quotes that are far apart", () =>
  check(`"${"a ".repeat(4_900)}" load`, LOAD, "def |[load](path):"));
it("finds words with another ending, and parts of names", () =>
  check("signing keys", "x = 1\nsignedKey = 2", "|[signedKey] = 2"));
it("is never one without a letter", () => check("anything", "}\n)\ncall(", "|call("));

it("is the line that a stack trace names", () =>
  expect(best('File "src/a.py", line 103, in load', LOAD)?.best.line).toBe(102));
it.each([
  ["tb_up_counter", "// see tb_up_counter\nmodule tb_up_counter;", "module |[tb_up_counter];"],
  ["fold_left", "/// sum of fold_left\npub fn fold_left(list) {", "pub fn |[fold_left](list) {"],
  ["Verb", "# Verb is what\nsay Verb today\nenum Verb", "enum |[Verb]"],
  ["load_all", "load_all first\nreturn load_all", "|[load_all] first"],
  ["load_all", "see also load_all(x)\nfunc load_all(x)", "func |[load_all](x)"],
])("of %s in an unknown language is the line that seems to define it", (query, text, expected) =>
  check(query, text, expected, "text"),
);

it("says whether words of the query are in it", () => {
  expect(best("how are cookies signed", LOAD)?.isMatched).toBe(true);
  expect(best("deserialize configuration", LOAD)?.isMatched).toBe(false);
});

describe("the text of a line", () => {
  it("is without indentation, which is kept apart", () => {
    const { lead, text } = displayedLine(0, "\t\tx = 1", 2, []);
    expect([lead, text]).toEqual(["\t\t", "x = 1"]);
  });
  it("the text of a long line is an excerpt around the match", () => {
    const { lead, text, highlights } = displayedLine(
      0,
      `${"a ".repeat(400)}key${" b".repeat(400)}`,
      800,
      [
        [0, 1],
        [800, 803],
      ],
    );
    expect(text).toHaveLength(199);
    expect(text.slice(800 - lead.length).startsWith("key")).toBe(true);
    expect(highlights).toEqual([[800, 803]]);
  });
});

it("lists highlights from left to right", () => {
  const spans = [
    [13, 17],
    [2, 6],
  ] as const;
  const { highlights } = displayedLine(3, "  pool opens pool", 2, spans);
  expect(highlights).toEqual(spans.toReversed());
});

it("looks for places only in as much of a long line as is searched, and chooses the same", () => {
  const weights = lineQueryOf(
    parseQuery("open the pool", () => undefined),
    () => 1,
  );
  const long = `pool open ${"x ".repeat(400_000)}open pool`;
  const lines = ["begin", long, "open pool"];
  const [facts] = factsOf(chunkOf("a.py", lines.join("\n"))).values();
  if (facts === undefined) throw new Error("there is a chunk");
  const lengths: number[] = [];
  const findPlaces: typeof weights.findPlaces = (given) => {
    lengths.push(...given.map(({ length }) => length));
    return weights.findPlaces(given);
  };
  const choose = (asked: typeof weights) => chooseLine(lines, { facts, symbol: undefined }, asked);
  const chosen = choose({ ...weights, findPlaces });
  expect(lengths).toEqual([5, 2_000, 9]);
  expect(chosen).toEqual(choose({ ...weights, findPlaces: () => () => undefined }));
  expect(chosen?.best.highlights).toHaveLength(2);
});
