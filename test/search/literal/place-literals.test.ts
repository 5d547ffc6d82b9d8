/** Where the ranking puts what contains the query word for word. */

import { describe, expect, it } from "vitest";
import type { Lines } from "../../../server/contracts/model.ts";
import type { SearchRequest } from "../../../server/contracts/session.ts";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { search } from "../../../server/search/search.ts";
import { contextOf, embedded, indexOf, lanesOf } from "../support.ts";

/** Chunks by `path: text`, with the names that they define behind the text. */
const chunksOf = (files: Readonly<Record<string, readonly [text: string, symbols?: string]>>) =>
  Object.entries(files).map(([path, [text, symbols = ""]]) => embedded(path, text, symbols));

async function hitsOf(
  chunks: readonly StoredChunk[],
  query: string,
  more: Partial<SearchRequest> = {},
) {
  const texts = new Map(chunks.map(({ path, text }) => [path, text]));
  const context = {
    ...contextOf(indexOf("app", lanesOf(...chunks))),
    readLines: async (_: string, path: string) => texts.get(path)?.split("\n"),
  };
  return (await search(context, { query, ...more })).hits;
}

const pathsOf = async (...parameters: Parameters<typeof hitsOf>) =>
  (await hitsOf(...parameters)).map(({ path }) => path);

const CALLS = chunksOf({
  "src/schedule.ts": ["export function callScheduled(call) {} // expect a call", "callScheduled"],
  "src/expected.ts": ["export function callExpected(expect) {}", "callExpected"],
  "test/forwarder.test.ts": ["vm.expectCall(receiver, data);"],
  "docs/calls.md": ["An expectation of calls."],
});

describe("the name of a file", () => {
  it.each(["manifest.json", "log4j2.properties", "server.conf"])(
    "%s leads to the file, then to the place that reads it",
    async (name) => {
      const chunks = chunksOf({
        [`conf/${name}`]: ["level = info"],
        "src/reader.ts": [`export const plugin = readFile("${name}");`],
        "src/names.ts": [`export class ${name.split(".").toReversed().join(" ")} {}`],
      });
      expect((await pathsOf(chunks, name)).slice(0, 2)).toEqual([`conf/${name}`, "src/reader.ts"]);
    },
  );
  it("a file name in small letters leads to the file, and not to many imports in another letter case", async () => {
    const imports = Array.from({ length: 60 }, (_, i) => [
      `src/${i}.cs`,
      ["using System.Xml; system xml of system xml"] as const,
    ]);
    const chunks = chunksOf({
      ...Object.fromEntries(imports),
      "src/z/settings.cs": ['var file = Path.Combine(configuration, folder, "system.xml");'],
    });
    expect((await pathsOf(chunks, "system.xml"))[0]).toBe("src/z/settings.cs");
  });
});

describe("a name", () => {
  it("a name that one test uses leads to the test", async () =>
    expect((await pathsOf(CALLS, "expectCall"))[0]).toBe("test/forwarder.test.ts"));
  it.each(["Rails.Paths", "Acme.Rails.Paths", "Org.Acme.Web.Rails.Paths"])(
    "a name with its scopes leads to the line of the definition %s, not to a comment with the same text",
    async (defined) => {
      const chunks = chunksOf({
        "lib/paths.rb": ["module Paths\n  # The root of the Rails::Paths system.", defined],
      });
      const [first] = await hitsOf(chunks, "Rails::Paths");
      expect(first?.bestLine?.line).toBe(0);
    },
  );
  it("is never a weak match in a chunk that contains it", async () => {
    const [first] = await hitsOf(CALLS, "expectCall");
    expect(first?.relevance).toBe("strong");
    expect(first?.score).toBeGreaterThan(0.5);
  });
  it("leads to its definition, then to product code, then to the rest", async () => {
    const chunks = chunksOf({
      "test/a.ts": ["open_pool(); open_pool();"],
      "src/use.ts": ["const pool = open_pool();"],
      "src/pool.ts": ["export function open_pool() { return 1; }", "open_pool"],
      "src/other.ts": ["export function openPools() {}", "openPools"],
    });
    expect(await pathsOf(chunks, "open_pool")).toEqual([
      "src/pool.ts",
      "src/use.ts",
      "test/a.ts",
      "src/other.ts",
    ]);
  });
  it("ranks another spelling behind the typed one", async () => {
    const chunks = chunksOf({
      "src/offset.ts": ["const logEndOffset = 1;", "logEndOffset"],
      "src/metric.ts": ['name("log-end-offset")'],
    });
    expect((await pathsOf(chunks, "log-end-offset"))[0]).toBe("src/metric.ts");
  });
});

describe("a key of product code", () => {
  it("leads there, however many tests, documents and settings use it", async () => {
    const text = "set lua-time-limit 10; lua-time-limit; lua time limit";
    const uses = Array.from({ length: 120 }, (_, i) => [
      [`tests/a${i}.tcl`, [text]] as const,
      [`docs/a${i}.md`, [text]] as const,
      [`conf/a${i}.yaml`, [text]] as const,
    ]).flat();
    const table = Array.from({ length: 60 }, (_, i) => `createConfig("key-${i}", other),`);
    const chunks = chunksOf({
      ...Object.fromEntries(uses),
      "src/config.c": [[...table, 'create("busy-reply", "lua-time-limit")', ...table].join("\n")],
    });
    const [first] = await hitsOf(chunks, "lua-time-limit");
    expect(first).toMatchObject({ path: "src/config.c", bestLine: { line: 60 } });
  });
  it("leads there, not to a test whose name resembles it", async () => {
    const chunks = chunksOf({
      "tests/run.tcl": ["proc redis_benchmark {} { exec redis-benchmark }", "redis_benchmark"],
      "src/benchmark.c": ['usage("redis-benchmark");', "usage"],
    });
    expect((await pathsOf(chunks, "redis-benchmark"))[0]).toBe("src/benchmark.c");
  });
});

describe("a flag", () => {
  const others = {
    "doc/bash-completion.sh": ['flags+=("--keep-within-hourly=") two_word_flags+=("--force")'],
    "doc/forget.md": ["`--keep-within-hourly` keeps hourly snapshots. `--force` forgets them."],
    "src/keep.ts": ["export function keepHourly(within) { force(); }", "keepHourly"],
    "force.ts": ["export function force() {}", "force"],
  } as const;
  it.each([
    ["--keep-within-hourly", 'f.VarP(&opts.WithinHourly, "keep-within-hourly", "", "hourly")'],
    [
      "--keep-within-hourly",
      "#[arg(long, value_parser)]\n    pub keep_within_hourly: Option<u32>,",
    ],
    ["--keep-within-hourly", "parser.accepts('keep-within-hourly')"],
    ["--force", 'f.BoolVar(&opts.Force, "force", false, "for all")'],
    ["-force", 'flag.Bool("force", false, "for all")'],
  ])(
    "%s leads to a document that has it, then to its definition without dashes: %s",
    async (flag, definition) => {
      const chunks = chunksOf({ ...others, "cmd/forget.go": [`x();\n${definition}`] });
      const [first, second] = await hitsOf(chunks, flag);
      expect([first?.path, second?.path]).toEqual(["doc/forget.md", "cmd/forget.go"]);
      expect(second?.bestLine?.text).toMatch(/keep.within.hourly|"force"/);
    },
  );
  it.each([
    ["--peer.wait-timeout", 'kingpin.Flag("peer.wait-timeout", "Time to wait.").Duration()'],
    ["-peer.wait", 'f.DurationVar(&cfg.Wait, "peer.wait", 0, "Time to wait.")'],
  ])("%s leads to its definition without dashes: %s", async (flag, definition) => {
    const chunks = chunksOf({
      "README.md": ["`--peer.wait-timeout` is the time to wait for a peer, `-peer.wait` as well."],
      "docs/peers.md": ["A peer has a timeout. Peers wait for each other, with a wait timeout."],
      "src/peer.ts": ["export class Peer { wait(timeout) { peer.wait(timeout); } }", "Peer wait"],
      "cmd/main.go": [`x();\n${definition}`],
    });
    const [first, second] = await hitsOf(chunks, flag);
    expect([first?.path, second?.path]).toEqual(["README.md", "cmd/main.go"]);
    expect(second?.bestLine?.text).toBe(definition);
  });
  it("a flag in no other place leads to its definition without dashes", async () => {
    const chunks = chunksOf({ ...others, "cmd/prune.go": ['f.Var(&opts.Max, "max-unused", "")'] });
    expect((await pathsOf(chunks, "--max-unused"))[0]).toBe("cmd/prune.go");
  });
  it("leads to product code that has its dashes before one that has not", async () => {
    const chunks = chunksOf({
      ...others,
      "cmd/forget.go": ['f.VarP(&opts.WithinHourly, "keep-within-hourly", "keep within hourly")'],
      "cmd/a.go": ['fail("--keep-within-hourly needs a duration")'],
    });
    const paths = await pathsOf(chunks, "--keep-within-hourly");
    expect(paths.slice(0, 2)).toEqual(["cmd/a.go", "cmd/forget.go"]);
  });
  it.each(['const mode = "force";', 'flag("x", "by `force`");'])(
    "a flag of one word is not in %s",
    async (text) => {
      const chunks = chunksOf({ ...others, "src/mode.ts": [text] });
      expect((await pathsOf(chunks, "--force"))[0]).not.toBe("src/mode.ts");
    },
  );
});

describe("text that a program prints", () => {
  const chunks = chunksOf({
    "src/files.ts": ["throw new Error(`could not open ${path} for reading: ${why}`);", "readAll"],
    "src/reading.ts": ["/** Opens files for reading, or says why it could not. */", "openFile"],
    "test/files.test.ts": ['expect("could not open main.cfg for reading: gone")'],
  });
  it("leads to the code with the placeholders, then to the test with the values", async () =>
    expect(
      (await pathsOf(chunks, "error: could not open main.cfg for reading: gone")).slice(0, 2),
    ).toEqual(["src/files.ts", "test/files.test.ts"]));
  it("is found among a hundred chunks with the same words in another order", async () => {
    const others = Array.from({ length: 100 }, (_, i): [string, readonly [string, string]] => [
      `src/a${i}.ts`,
      [`// topic partition requires argument ${i}`, "topicPartition"],
    ]);
    const all = chunksOf({
      ...Object.fromEntries(others),
      "src/z.ts": ['fail("partition argument requires topic")', "execute"],
    });
    expect((await pathsOf(all, "partition argument requires topic"))[0]).toBe("src/z.ts");
  });
  it("leads to the same text before one with a placeholder", async () => {
    const all = chunksOf({
      "src/group.ts": ["log(`Group {} is dead, skipping the rebalance`)", "skipDeadGroup"],
      "src/z.ts": ["log(`Group ${group.id} is dead, skipping the rebalance`)", "run"],
    });
    const query = "Group ${group.id} is dead, skipping the rebalance";
    expect((await pathsOf(all, query))[0]).toBe("src/z.ts");
  });
  it("is found in one clause of a line that several places print", async () => {
    const all = chunksOf({
      "src/backend/config.ts": [
        "/** Fatal is a config that open is unable to stat: directory of srv, or file of restic; no such. */",
        "openConfig",
      ],
      "src/global.ts": ["return errors.Fatalf(`unable to open config file: ${err}`, err);", "open"],
      "docs/faq.md": ["Fatal: it says it is unable to open config file: stat x, no such file."],
    });
    const query =
      "Fatal: unable to open config file: stat /srv/restic/config: no such file or directory";
    expect((await pathsOf(all, query))[0]).toBe("src/global.ts");
  });
  it("is found in a migration", async () => {
    const all = chunksOf({
      "src/item.ts": ["// An item is parsed, or it failed: JSON for an item.", "parseItem"],
      "src/Migrations/Routines/20260113_Move.ts": ["log(`Failed to parse JSON for item ${id}`)"],
    });
    expect((await pathsOf(all, "Failed to parse JSON for item 42"))[0]).toMatch(/Migrations/);
  });
  it("is found by its words in the only place that has all of them: a test, support of tests, a document", async () => {
    const product = [
      "/** Closes a method that was called and forbidden. */",
      "closeMethod",
    ] as const;
    const places = {
      "internal/backend/test/tests.go": 't.Fatal("forbidden method close was called")',
      "src/pool.test.ts": 'fail("forbidden method close was called")',
      "docs/faq.md": "If it says forbidden method close was called, then open it again.",
    };
    for (const [path, text] of Object.entries(places)) {
      const all = chunksOf({ "src/close.ts": product, [path]: [text] });
      expect((await pathsOf(all, "forbidden method close was called"))[0]).toBe(path);
    }
  });
  it("leads to product code before a test with the same words", async () => {
    const all = chunksOf({
      "test/close.test.ts": ['expect(error).toBe("the close method was called twice")'],
      "src/close.ts": ['throw new Error("the close method was called twice")', "closeMethod"],
    });
    expect((await pathsOf(all, "the close method was called twice"))[0]).toBe("src/close.ts");
  });
  it("leads to a test with all words before product code with some of them", async () => {
    const all = chunksOf({
      "src/close.ts": ['throw new Error("the close method was never called")', "closeMethod"],
      "test/close.test.ts": ['fail("the close method was called twice without a lock")'],
    });
    const query = "the close method was called twice without a lock";
    expect((await pathsOf(all, query))[0]).toBe("test/close.test.ts");
  });
  it("is a question where many files have it", async () => {
    const copies = Array.from({ length: 6 }, (_, i): [string, readonly [string]] => [
      `docs/close${i}.md`,
      ["the close method is called by the pool"],
    ]);
    const all = chunksOf({
      ...Object.fromEntries(copies),
      "src/pool.ts": ["/** The pool calls the close method. */ function close() {}", "close"],
    });
    expect((await pathsOf(all, "the close method is called by the pool"))[0]).toBe("src/pool.ts");
  });
  it("with values that are words of the code leads to the string that prints it, not to a test that has it", async () => {
    const others = Array.from({ length: 60 }, (_, i) => [
      `src/other${i}.ts`,
      [`add(integer) // cannot be a string, ${i}`] as const,
    ]);
    const all = chunksOf({
      ...Object.fromEntries(others),
      "src/ops.ts": ["fail(`cannot add ${left} and ${right}`)"],
      "test/ops.test.ts": ['expectError(run, "cannot add integer and string")'],
    });
    const [first, second] = await pathsOf(all, "error: cannot add integer and string");
    expect([first, second]).toEqual(["src/ops.ts", "test/ops.test.ts"]);
  });
  it("is found by its beginning", async () =>
    expect((await pathsOf(chunks, "could not open"))[0]).toBe("src/files.ts"));
  it("has its line in the hit", async () => {
    const long = embedded(
      "src/long.ts",
      ["function a() {}", "", '  fail("the lock is held")', "}"].join("\n"),
    );
    const lines = { start: 10, end: 13 };
    const [hit] = await hitsOf([{ ...long, lines, context: lines }, ...chunks], "the lock is held");
    expect(hit).toMatchObject({ path: "src/long.ts", bestLine: { line: 12 } });
  });
  it("is one hit in two chunks that overlap there, and two hits on two lines", async () => {
    const part = (lines: readonly string[], start: number) => {
      const range = { start, end: start + lines.length - 1 };
      const span = { start: start * 100, end: range.end * 100 };
      return { ...embedded("src/long.ts", lines.join("\n")), lines: range, context: range, span };
    };
    const fails = '  fail("the lock is held by another")';
    const lines = ["function a() {}", fails, "  return b", fails, "}"];
    const linesOf = async (...parts: readonly StoredChunk[]) => {
      const readLines = async (_: string, __: string, { start, end }: Lines) =>
        lines.slice(start, end + 1);
      const context = { ...contextOf(indexOf("app", lanesOf(...parts, ...chunks))), readLines };
      const { hits } = await search(context, { query: "the lock is held by another" });
      return hits.filter(({ path }) => path === "src/long.ts").map((hit) => hit.bestLine?.line);
    };
    expect(await linesOf(part(lines.slice(0, 2), 0), part(lines.slice(1, 3), 1))).toEqual([1]);
    expect(await linesOf(part(lines.slice(0, 2), 0), part(lines.slice(2), 2))).toEqual([1, 3]);
  });
});

it("treats a short question as a question even if a document contains it", async () => {
  const chunks = chunksOf({
    "src/pool.ts": ["export function closeIdle(pool) { connections }", "closeIdle"],
    "docs/faq.md": ["to close idle connections call it twice"],
  });
  const query = "close idle connections";
  const without = await pathsOf(chunks, query, { without: ["literal"] });
  expect(await pathsOf(chunks, query)).toEqual(without);
});

it("can be left out", async () => {
  const [first] = await pathsOf(CALLS, "expectCall", { without: ["literal"] });
  expect(first).not.toBe("test/forwarder.test.ts");
});
