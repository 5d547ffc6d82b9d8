/** Queries and bug reports made by chance, and how each is read: read the files under golden/. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { resolveLanguage } from "../../../server/languages/table.ts";
import { parseQuery } from "../../../server/search/query/query.ts";
import { prefixesOf, stem, termsOf } from "../../../server/search/query/stem.ts";
import { cutMiddle, describeParts, readReport } from "../../../server/search/report/report.ts";
import {
  headingOf,
  isSentence,
  kindOfLine,
  sectionOf,
  startsTraceback,
} from "../../../server/search/report/report-lines.ts";
import { framesIn } from "../../../server/search/report/stack-frames.ts";
import { type Random, random } from "../../support/random.ts";

const golden = (name: string) => join(import.meta.dirname, "golden", name);

const WORDS =
  "how where is the pool opened UserService get_user a.b.C Foo::bar x->y A#b src/pool.ts ./lib/ *.md pool.ts README.md lang:python lang:pyhton type:function type:thing path:src/ recent:30d recent:soon \"quoted words\" `code()` 'single' HTTPServer parseJSON2 __init__ $scope größe 数据库 ! ? , . : e.g. v1.2 -v --flag (a) [b] {c} <T> a=b C++ c# .net @user #12 0123abcd https://x.org/a/b.c:80/d test tests not without and or Error: TypeError: panic: main.go:12 line 5 don't I'm".split(
    " ",
  );
const FRAMES = [
  "    at run (src/sample.ts:20:5)",
  "    at async Object.open (file:///work/lib/pool.mjs:3:1)",
  '  File "src/app/main.py", line 12, in get_user',
  "    raise KeyError(name)",
  "\tsrc/sample.go:45 +0x1",
  "main.main()",
  "  from lib/user.rb:10:in `load'",
  "   at Shop.Users.Open(String url) in C:\\shop\\Users.cs:line 42",
  "#0 /var/www/index.php(12): load()",
  "PHP Fatal error:  boom in /var/www/a.php on line 7",
  "\tat a.b.C.open(C.java:42)",
  "  10: cup::brew\n             at src/lib.rs:8:5",
  "    (cup 0.1.0) lib/cup.ex:3: Cup.fill/1",
  "#1  0x00007f in brew (n=3) at tea.c:3",
  "src/a.ts(3,5): error TS2322: wrong",
  "src/b.c:10:3: warning: unused",
  "  --> src/main.rs:4:9",
  "goroutine 1 [running]:",
];
const LINES = [
  "# Bug report",
  "### Steps to reproduce",
  "## Environment",
  "**Expected behavior**",
  "The pool is not closed after the second request. It hangs.",
  "I call `Pool.open(url)` and then nothing happens, see src/pool.ts.",
  "- OS: Linux",
  "- [x] I have searched the issues",
  "1. Open it",
  "Version: 1.2.3",
  "```python",
  "```",
  "~~~",
  "from shop.pool import Pool",
  "pool = Pool(size=3)",
  "const store = new Store();",
  "<!-- please describe -->",
  "<!--",
  "-->",
  "Traceback (most recent call last):",
  "KeyError: 'ada'",
  "E       AssertionError: assert 1 == 2",
  "2024-01-02T03:04:05 INFO started",
  "[ERROR] cannot connect to 127.0.0.1:5432",
  "web_1  | GET /a 200",
  "$ npm test",
  ">>> pool.open()",
  "diff --git a/x b/x",
  "@@ -1 +1 @@",
  "-old",
  "+new",
  "    indented = code()",
  "> quoted by mail",
  "",
  "",
  "| a | b |",
  "https://example.com/issues/1",
  "The test suite fails when the tests are run twice.",
  ...FRAMES,
];
const several = <T>(chance: Random, from: readonly T[], most: number) =>
  Array.from({ length: 1 + chance.int(most) }, () => chance.pick(from));

/** Without empty fields. */
const brief = (value: object) =>
  JSON.stringify(value, (_, one: unknown) =>
    Array.isArray(one) && one.length === 0 ? undefined : one,
  );

it("reads questions as before", async () => {
  const chance = random(1);
  const texts = [
    ...WORDS,
    ...Array.from({ length: 80 }, () => several(chance, WORDS, 7).join(" ")),
    ...FRAMES.map((frame) => `Error: boom\n${frame}`),
    ...Array.from({ length: 20 }, () =>
      several(chance, [...FRAMES, "TypeError: x is not y"], 4).join("\n"),
    ),
    `${"long ".repeat(3000)}end`,
  ];
  const lines = texts.map((text) => {
    const { text: own, report: _, ...rest } = parseQuery(text, resolveLanguage);
    const cut = own === text ? "" : ` ${JSON.stringify(own.slice(0, 200))}`;
    return `${JSON.stringify(text.slice(0, 200))}${cut}\n  ${brief(rest).slice(0, 2000)}`;
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden("questions-by-chance.txt"));
});

it("reads bug reports as before", async () => {
  const chance = random(2);
  const lines: string[] = [];
  for (let i = 0; i < 20; i++) {
    const text = several(chance, LINES, 25).join("\n");
    const report = readReport(text);
    lines.push(`== ${JSON.stringify(text)}`);
    if (report === undefined) continue;
    const { parts, ...rest } = report;
    lines.push(`  ${brief(rest)}`, ...parts.map((part) => `  ${JSON.stringify(part)}`));
    lines.push(...describeParts(report).map((one) => `  ${one}`));
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden("reports-by-chance.txt"));
});

it("reads lines, frames and words as before", async () => {
  const lines = LINES.map((line) => {
    const heading = headingOf(line);
    const section = heading === undefined ? "" : ` ${heading} is ${sectionOf(heading)}`;
    const marks = [kindOfLine(line), isSentence(line), startsTraceback(line)].join(" ");
    return `${JSON.stringify(line)} ${marks}${section} ${JSON.stringify(framesIn(line))}`;
  });
  const words =
    "embed embedding embedded alias aliases exceed exceeded running runs ran cities city classes class bus buses is as size sized sizing matrices index indices a ab abc größe tests tested testing parser parsers parsed parsing queries query retried retries retry caching cached cache"
      .split(" ")
      .map((word) => `${word} ${stem(word)} ${prefixesOf(stem(word)).join(" ")}`);
  const terms = termsOf(words.map((line) => line.split(" ", 1)[0] ?? ""));
  const cuts = [5, 10, 17, 30].flatMap((length) =>
    [0, 3, 8].map((tail) =>
      cutMiddle("line one\nline two\nline three\n\u{1f600}four", length, tail),
    ),
  );
  const all = [...lines, ...words, terms.join(" "), ...cuts.map((cut) => JSON.stringify(cut))];
  await expect(`${all.join("\n")}\n`).toMatchFileSnapshot(golden("lines-and-words.txt"));
});
