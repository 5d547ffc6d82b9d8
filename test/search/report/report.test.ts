/** How a bug report is read: its parts, and what each says about the place. */

import { describe, expect, it } from "vitest";
import { type BugReport, readReport } from "../../../server/search/report/report.ts";

function read(text: string): BugReport {
  const report = readReport(text);
  if (report === undefined) throw new Error("the text is not a report");
  return report;
}

/** Enough of a story for a report. */
const STORY =
  "It was noticed in the last release and happens each time that something is loaded, as before.";

/** Lines may be indented by as much as the first. */
function dedent(text: string): string {
  const lines = text.replace(/^\n/, "").trimEnd().split("\n");
  const indent = /^ */.exec(lines[0] ?? "")?.[0].length ?? 0;
  return lines.map((line) => line.slice(indent)).join("\n");
}

const REPORT = dedent(`
  Beam.apply_load ignores the end point
  <!-- Thanks for submitting an issue! -->

  ### Describe the bug
  The load is applied twice, see \`remove_load\` and https://example.com/Unrelated_Name.

  - [x] I have searched the issues

  \`\`\`python
  >>> from shop.physics.beam import Beam
  >>> beam.apply_load(-3, 0) # not_a_name
  Traceback (most recent call last):
    File "<stdin>", line 1, in <module>
    File "/usr/lib/python3.8/site-packages/shop/physics/beam.py", line 40, in apply_load
      self._check(value)
    File "/usr/lib/python3.8/site-packages/shop/core/checks.py", line 7, in _check
      raise LoadError(value)
  shop.core.LoadError: load is out of range
  \`\`\`

  ### Environment
  Python: 3.8.1
  numpy     1.20.0
  shop==2.0.1
`);

describe("a bug report", () => {
  const report = read(REPORT);
  const textOf = (kind: string) =>
    report.parts
      .filter((part) => part.kind === kind)
      .map(({ text }) => text)
      .join("\n");

  it("is cut into its parts", () => {
    expect(report.title).toBe("Beam.apply_load ignores the end point");
    expect(textOf("prose")).toMatch(/^The load is applied twice/);
    expect(textOf("code").split("\n")).toHaveLength(2);
    expect(textOf("traceback").split("\n")).toHaveLength(6);
    expect(textOf("message")).toBe("shop.core.LoadError: load is out of range");
    expect(textOf("environment").split("\n")).toHaveLength(3);
    expect(textOf("template")).not.toContain("Thanks");
  });

  it("names the innermost frame first", () =>
    expect(report.places.slice(0, 2)).toEqual([
      {
        path: "/usr/lib/python3.8/site-packages/shop/core/checks.py",
        line: 6,
        function: "_check",
        weight: 1,
        trace: expect.any(String),
      },
      expect.objectContaining({ function: "apply_load" }),
    ]));

  it("collects names by how much they say", () => {
    const [first] = report.names;
    expect(first).toEqual({ name: "apply_load", scope: "Beam", weight: 1, isWord: false });
    const names = report.names.map(({ name }) => name);
    expect(names).toContain("remove_load");
    expect(names).not.toContain("Unrelated_Name");
    expect(names).not.toContain("not_a_name");
  });

  it("knows the modules that are imported", () =>
    expect(report.modules.map(({ path }) => path)).toContain("shop/physics/beam"));

  it("counts a word once for each kind of part", () => {
    const times = (word: string) => report.words.filter((each) => each === word).length;
    // The title, the prose, the code and the message.
    expect(times("load")).toBeGreaterThan(4);
    expect(times("numpy")).toBe(0);
    const again = read(`${REPORT}\n\n### More\n${"twice ".repeat(500)}`);
    expect(again.words.filter((each) => each === "twice")).toHaveLength(times("twice"));
  });
});

const KINDS: [string, string, string][] = [
  ["a log", "2024-01-05 10:00:01 worker started\n2024-01-05 10:00:02 worker stopped", "log"],
  ["levels", "INFO  starting\nERROR failed to load", "log"],
  ["pip list", "attrs      19.1.0\npluggy     0.12.0\nsix        1.12.0", "environment"],
  ["pinned requirements", "attrs==19.1.0\npluggy==0.12.0", "environment"],
  ["a diff", "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b", "diff"],
  ["plain code", "total = price * 2\nprint(total)", "code"],
];

it.each(KINDS)("reads %s in a fence", (_name, text, kind) =>
  expect(
    read(`A title of a report\n\n${STORY}\n\n\`\`\`\n${text}\n\`\`\``).parts.map(
      (part) => part.kind,
    ),
  ).toEqual(["title", "prose", kind]),
);

const SENTENCES: [string, string][] = [
  ["a version", "In version 1.6.2 symbols had no such attribute, see printing.pretty for it."],
  [
    "a version further on",
    "This claims to be version 1.5.dev; I merged it from the main branch today.",
  ],
  ["thanks", "Thanks for the update! I am trying to load a beam but ran into an issue with it."],
];

it.each(SENTENCES)("reads a sentence that begins with %s as prose", (_name, sentence) => {
  const { parts } = read(
    `A title of a report\n\n${sentence}\n\nIt fails in all of my projects since then.`,
  );
  expect(parts.map(({ kind }) => kind)).toEqual(["title", "prose"]);
  expect(parts[1]?.text).toContain(sentence);
});

const FORMULAS: [string, string, string][] = [
  [
    "a version",
    "Python version: 3.7.4 (default, Aug  9 2019, 18:34:13) [MSC v.1915 64 bit]",
    "environment",
  ],
  ["thanks", "Thanks for having a look at this!", "template"],
];

it.each(FORMULAS)("reads %s alone as what says nothing", (_name, line, kind) =>
  expect(read(`A title of a report\n\n${STORY}\n\n${line}`).parts.at(-1)?.kind).toBe(kind),
);

it("reads what a person adds below the versions", () => {
  const text =
    "A title of a report, which is long enough\n\n### Environment\nshop==2.0.1\nlibrary==1.2.4\n\nI think that it is the cache which is not cleared by the loader.";
  expect(read(text).parts.at(-1)).toEqual({
    kind: "prose",
    text: "I think that it is the cache which is not cleared by the loader.",
  });
});

it.each(["INTERNALERROR> ", "web_1  | ", "shop-api-1  | "])(
  "reads a traceback whose lines begin with %j",
  (prefix) => {
    const lines = [
      "Traceback (most recent call last):",
      '  File "/srv/shop/main.py", line 12, in run',
      "    loader.load(path)",
      '  File "/srv/shop/loader.py", line 7, in load',
      "    raise LoadError(path)",
      "shop.LoadError: load is out of range",
    ];
    const report = read(
      `It ends at once\n\n${STORY}\n\n${lines.map((line) => prefix + line).join("\n")}`,
    );
    expect(report.parts.map(({ kind }) => kind)).toEqual([
      "title",
      "prose",
      "traceback",
      "message",
    ]);
    expect(report.places[0]).toMatchObject({ path: "/srv/shop/loader.py", function: "load" });
  },
);

it("reads the frames of a notebook, innermost first", () => {
  const text = dedent(`
    It fails in a notebook

    ---------------------------------------------------------------------------
    TypeError                                 Traceback (most recent call last)
    /usr/lib/python3.8/dist-packages/shop/printing/printer.py in __call__(self, *args)
        371         return self.__wrapped__(*args)
    --> 373     def __call__(self):
        374         pass

    ~/shop/printing/latex.py in latex(expr, **settings)
    --> 2913     return doprint(expr)
    TypeError: unexpected keyword
  `);
  expect(read(`${text}\n\n${STORY}`).places.map(({ path, line }) => [path, line])).toEqual([
    ["~/shop/printing/latex.py", 2912],
    ["/usr/lib/python3.8/dist-packages/shop/printing/printer.py", 372],
  ]);
});

describe("the arrow of Rust's compiler", () => {
  const ERROR = dedent(`
    error[E0308]: mismatched types
      --> src/routing/load.rs:55:9
       |
    55 |         handler.call(request)
       |         ^^^^^^^ expected \`u32\`
    note: function defined here
      --> src/handler.rs:12:4
    ::: src/lib.rs:3:1
  `);
  const PLACES = [
    ["src/routing/load.rs", 54],
    ["src/handler.rs", 11],
    ["src/lib.rs", 2],
  ];

  it.each([
    ["in a fence", `\`\`\`\n${ERROR}\n\`\`\``],
    ["pasted as it is", ERROR],
    ["below a comment of the form", `<!-- paste the error here -->\n${ERROR}`],
  ])("names the places, the first most: %s", (_name, error) => {
    const { places } = read(`It does not build\n\n${STORY}\n\n${error}`);
    expect(places.map(({ path, line }) => [path, line])).toEqual(PLACES);
  });

  it("does not end a comment", () =>
    expect(read(`It does not build\n\n${STORY}\n\n${ERROR}`).parts.map(({ kind }) => kind)).toEqual(
      ["title", "prose", "message", "traceback"],
    ));
});

it("reads a link to a line of a file as a place", () =>
  expect(
    read(`Wrong sign\n\nsee https://github.com/a/shop/blob/main/src/load.ts#L12 there\n${STORY}`)
      .places,
  ).toEqual([{ path: "src/load.ts", line: 11, weight: 1 }]));

it("is about tests only where the title says so", () => {
  expect(read(`Tests fail on Windows\n\nsee test_load\n${STORY}`).isAboutTests).toBe(true);
  expect(read(`Wrong load\n\nthe tests fail\n${STORY}`).isAboutTests).toBe(false);
});

describe("the detection of reports", () => {
  it.each([
    ["where are auth tokens refreshed?", false],
    ["x".repeat(500), false],
    ["TypeError: x\n  at run (a.ts:1:2)", false],
    [`TypeError: cannot read the value\n${"    at run (src/a.ts:1:2)\n".repeat(20)}`, false],
    [REPORT, true],
  ])("%# is recognized by its lines and length", (text, expected) =>
    expect(readReport(text) !== undefined).toBe(expected),
  );
});

describe("bad input", () => {
  const inputs: [string, string][] = [
    ["a log of a megabyte", "2024-01-05 10:00:01 ERROR failed to load /a/b.py:12\n".repeat(20_000)],
    ["one line of a megabyte", `Title\n\n${"a.b/".repeat(250_000)}`],
    ["a megabyte of plus signs", `Title\n\n${"+".repeat(1_000_000)}`],
    ["a megabyte of backticks", `Title\n\n${"`".repeat(1_000_000)}`],
    ["a megabyte of open comments", `Title\n\n${"<!--".repeat(250_000)}`],
    ["a binary paste", String.fromCharCode(...Array.from({ length: 5000 }, (_, i) => i % 256))],
    ["half characters", `Title\n\n${"\uD800\uFFFD\u0000".repeat(300)}`],
  ];
  it.each(inputs)("is read in bounded time: %s", (_name, text) => {
    const { words, names, places, texts } = read(`${STORY}\n\n${STORY}\n\n${text}`);
    expect(words.length).toBeLessThan(60_000);
    expect(names.length).toBeLessThanOrEqual(100);
    expect(places.length).toBeLessThanOrEqual(60);
    expect(texts.every((each) => each.text.length <= 3_000)).toBe(true);
  });
});

it("is read whole up to its limit", () => {
  const ofLength = (length: number) => {
    const begin = `${REPORT}\n\n`;
    return `${begin}${"filler ".repeat(20_000).slice(0, length - begin.length)}`;
  };
  const isCut = (length: number) => read(ofLength(length)).isCut;
  expect([20_001, 99_999, 100_000, 100_001].map(isCut)).toEqual([false, false, false, true]);
});
