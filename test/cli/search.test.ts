/** `search` and `analyze`: requests, output and exit codes. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { Hit } from "../../server/contracts/model.ts";
import type { SearchAnswer, SearchRequest } from "../../server/contracts/session.ts";
import { workspace } from "../support/workspace.ts";
import { ANALYSIS, ANSWER, HIT, RECORD, run } from "./run-cli.ts";

const QUESTION = ["search", "where is the pool opened", "--root", import.meta.dirname];

const answering = (answer: Partial<SearchAnswer>) => ({
  session: { search: () => Promise.resolve({ ...ANSWER, ...answer }) },
});

describe("the query text", () => {
  const asking = async (args: readonly string[], input: string | Uint8Array = "") => {
    const asked: SearchRequest[] = [];
    const search = (request: SearchRequest) => {
      asked.push(request);
      return Promise.resolve(ANSWER);
    };
    const root = ["--root", import.meta.dirname];
    const outcome = await run(["search", ...args, ...root], { session: { search }, input });
    return { ...outcome, query: asked[0]?.query };
  };

  it("comes from standard input for -", async () =>
    expect((await asking(["-"], "a report\nof two lines")).query).toBe("a report\nof two lines"));
  it("comes from a file with --file", async () =>
    expect((await asking(["--file", import.meta.filename])).query).toContain(
      "comes from a file with --file",
    ));
  it("is decoded as UTF-16 by its mark, and lines of invalid UTF-8 as Windows-1252", async () => {
    const utf16 = Buffer.from("\uFEFFa report", "utf16le");
    expect((await asking(["-"], utf16)).query).toBe("a report");
    const mixed = Buffer.concat([Buffer.from("Größe\n"), Buffer.from("Größe\nend", "latin1")]);
    expect((await asking(["-"], mixed)).query).toBe("Größe\nGröße\nend");
  });
  it.each<[string, string[], string | Uint8Array, string]>([
    ["nothing", [], "", "the query is empty"],
    ["empty input", ["-"], " \n", "the query is empty"],
    ["a binary paste", ["-"], Buffer.from([0x7f, 0, 1, 2]), "standard input is binary"],
    ["no such file", ["--file", "nowhere.md"], "", "nowhere.md cannot be read"],
    ["words and a file", ["pool", "--file", "a.md"], "", "not both"],
  ])("refuses %s in words", async (_, args, input, sentence) => {
    const { code, err } = await asking(args, input);
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });
});

describe("the output", () => {
  it("shows place, name, score and lines", async () => {
    const { out, err, code } = await run(QUESTION, answering({}));
    expect(out).toMatchInlineSnapshot(`
      "src/pool.ts:11:1  function openPool  0.83 both
        10  /** Opens it. */
        11  function openPool(url: string): Pool {
        12      return new Pool(url);
        13  }
      "
    `);
    expect([code, err]).toEqual([0, ""]);
  });

  it.each([
    ["markdown", "heading openPool"],
    ["yaml", "section openPool"],
    ["python", "class openPool"],
  ])("names definitions in the terms of %s", async (languageId, words) => {
    const symbol = { ...HIT.symbol, name: "openPool", type: "class" } as NonNullable<Hit["symbol"]>;
    const { out } = await run(QUESTION, answering({ hits: [{ ...HIT, languageId, symbol }] }));
    expect(out.split("\n")[0]).toContain(`  ${words}  `);
  });

  it("is colored on a terminal, with query words highlighted", async () => {
    const env = { FORCE_HYPERLINK: "0" };
    const { out } = await run(QUESTION, { ...answering({}), env, terminal: true });
    expect(out.replaceAll("\u001b", "ESC")).toMatchInlineSnapshot(`
      "ESC[36msrc/pool.ts:11:1ESC[39m  ESC[1mfunction openPoolESC[22m  ESC[2m0.83 bothESC[22m
        ESC[2m10ESC[22m  /** ESC[1mOpensESC[22m it. */
        ESC[2m11ESC[22m  function ESC[1mopenPoolESC[22m(url: string): ESC[1mPoolESC[22m {
        ESC[2m12ESC[22m      return new ESC[1mPoolESC[22m(url);
        ESC[2m13ESC[22m  }
      "
    `);
  });

  it.each([
    ["NO_COLOR", { NO_COLOR: "1" }],
    ["a dumb terminal", { TERM: "dumb" }],
  ])("has no colors with %s", async (_, env) => {
    const { out } = await run(QUESTION, { ...answering({}), terminal: true, env });
    expect(out).not.toContain("\u001b");
  });

  it("contains no control characters", async () => {
    const hit = { ...HIT, path: "a\nb\u001b[2J.ts", text: "\u001b]0;title\u0007\u009b31m" };
    const { out } = await run(QUESTION, answering({ hits: [hit] }));
    expect(out).toContain("a·b·[2J.ts:11");
    // oxlint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it("names the index of each hit if there are several", async () => {
    const hits = [HIT, { ...HIT, index: "lib" }];
    const { out } = await run([...QUESTION, "--lines", "0"], answering({ hits }));
    expect(out).toMatchInlineSnapshot(`
      "src/pool.ts:11:1  function openPool  0.83 both  [shop]
      src/pool.ts:11:1  function openPool  0.83 both  [lib]
      "
    `);
  });

  it("shows related files with --related, and the number of importers", async () => {
    const edge = { root: HIT.root, hops: 1, line: 3, types: ["import"], via: HIT.path };
    const related = [
      { ...edge, path: "server.ts", dependent: true },
      { ...edge, path: "base.ts", dependent: false },
    ];
    const answer = answering({ hits: [{ ...HIT, importers: 7 }], related });
    const { out } = await run([...QUESTION, "--related", "--lines", "0"], answer);
    expect(out).toMatch(
      / {2}imported by 7\n\nrelated files:\n.*server\.ts +uses .*\n.*base\.ts +used by /,
    );
    const { out: json } = await run([...QUESTION, "--related", "--jsonl"], answer);
    expect(
      json
        .trim()
        .split("\n")
        .map((line) => Object.keys(JSON.parse(line))[0]),
    ).toEqual(["index", "related", "related"]);
    expect((await run([...QUESTION, "--related", "--files"], answer)).code).toBe(2);
  });

  it("shows reasons with --explain", async () => {
    const why = [
      { name: "keyword", contribution: 0.0082, detail: "rank 1" },
      { name: "fileCategory", contribution: -0.002 },
    ];
    const { out } = await run([...QUESTION, "--explain"], answering({ hits: [{ ...HIT, why }] }));
    expect(out.split("\n").slice(1, 3)).toEqual([
      "  +0.0082  keyword: rank 1",
      "  -0.0020  fileCategory",
    ]);
  });

  it("is one JSON document with --json", async () => {
    const { out } = await run([...QUESTION, "--json"], answering({ warnings: ["slow"] }));
    expect(JSON.parse(out)).toEqual({ ...ANSWER, warnings: ["slow"] });
  });

  it("has notes and warnings on stderr", async () => {
    const partly = { warnings: ["no lane"], state: "indexing", indexed: 3 } as const;
    const { out, err } = await run(QUESTION, answering(partly));
    expect(err).toMatchInlineSnapshot(`
      "warning: no lane
      note: indexing: searched 3 of 12 files
      "
    `);
    expect(out).not.toContain("no lane");
  });
});

describe("the request", () => {
  async function ask(options: string[]): Promise<SearchRequest | undefined> {
    let asked: SearchRequest | undefined;
    const search = (request: SearchRequest) => {
      asked = request;
      return Promise.resolve(ANSWER);
    };
    await run([...QUESTION, ...options], { session: { search } });
    return asked;
  }
  const check = async (options: string[], expected: Partial<SearchRequest>) =>
    expect(await ask(options)).toMatchObject(expected);

  it("joins the words of the question", () => check(["now"], { query: `${QUESTION[1]} now` }));
  it("includes the text", () => check([], { includeText: true }));
  it("takes several languages", () =>
    check(["--lang", "go,c", "--lang", "ts"], { languages: ["go", "c", "ts"] }));
  it("takes symbol types", () => check(["--type", "class"], { symbolTypes: ["class"] }));
  it("keeps commas inside a glob", () =>
    check(["--path", "src/{a,b{c,d}}/**,x\\,y.ts,z", "--path", "{open,x"], {
      paths: ["src/{a,b{c,d}}/**", "x\\,y.ts", "z", "{open,x"],
    }));
  it("ignores an empty option", async () =>
    expect(await ask(["--index", "", "--lang", ",", "--path", ""])).toEqual(await ask([])));
  it("takes names and paths", () =>
    check(["--name", "get*", "--path", "src/**"], { symbolName: "get*", paths: ["src/**"] }));
  it("takes numbers", () =>
    check(["--limit", "3", "--min-score", "0.5"], { limit: 3, minScore: 0.5 }));
  it("takes lines around a hit", () =>
    check(["--context-before", "1", "--context-after", "2"], {
      contextBefore: 1,
      contextAfter: 2,
    }));
  it("searches by meaning only", () => check(["--semantic"], { hybrid: false }));
  it("searches by words only", () => check(["--keyword"], { without: ["vector"] }));
  it("searches indexes by name, without a workspace", () =>
    check(["--index", "lib"], { indexes: ["lib"] }));
});

describe("the exit code", () => {
  it("is 1 when nothing was found", async () => {
    const { code, out, err } = await run(QUESTION, answering({ hits: [] }));
    expect([code, out]).toEqual([1, ""]);
    expect(err).toBe('nothing found for "where is the pool opened" in 12 files\n');
  });

  it.each([
    ["the index is unavailable", [], { state: "unavailable" } as const],
    ["only meaning was asked for and could not be", ["--semantic"], { mode: "keyword" } as const],
    [
      "no word fits and the model does not answer",
      [],
      { mode: "keyword", state: "degraded" } as const,
    ],
    [
      "no word fits and the model has not answered yet",
      [],
      { mode: "keyword", state: "indexing" } as const,
    ],
  ])("is 3 if nothing was found because %s", async (_, options, answer) => {
    const { code } = await run([...QUESTION, ...options], answering({ hits: [], ...answer }));
    expect(code).toBe(3);
  });

  it("is 1 for --keyword in any state of the model", async () => {
    const answer = answering({ hits: [], mode: "keyword", state: "degraded" });
    expect((await run([...QUESTION, "--keyword"], answer)).code).toBe(1);
  });

  it.each([
    ["no question", ["search"]],
    ["an empty question", ["search", " "]],
    ["a number that is none", [...QUESTION, "--limit", "many"]],
    ["a number out of range", [...QUESTION, "--limit", "0"]],
    ["an unknown type", [...QUESTION, "--type", "gadget"]],
    ["contradicting options", [...QUESTION, "--semantic", "--keyword"]],
    ["a missing folder", ["search", "x", "--root", "/no/such/folder"]],
    ["a file instead of a folder", ["search", "x", "--root", import.meta.filename]],
  ])("is 2 for %s, before the engine starts", async (_, args) => {
    const { code, err, out } = await run(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^error: ./);
  });

  it("does not name -- as the wrong option", async () => {
    const { err } = await run(["search", "--", " "]);
    expect(err).toBe("error: the query is empty\n");
  });
});

describe("analyze", () => {
  it("prints stages, times and the rank of each hit after each stage", async () => {
    const session = { analyze: () => Promise.resolve(ANALYSIS) };
    const args = ["analyze", "where is the pool opened", "--root", import.meta.dirname];
    const { out, code } = await run(args, { session });
    expect(out).toMatchInlineSnapshot(`
      "where is the pool opened  mode hybrid, cache miss

      stage    count        ms  notes
      query               0.25  kind sentence, words pool open
      keyword      2      1.50
      fusion       2      0.10
      sum                 1.85

      #  score  vector  keyword  fusion  definition  where
      1  0.834       4        1       2           1  src/pool.ts:11:1  openPool
      2  0.500       -        2       1           2  src/other.ts:11:1  openPool
      "
    `);
    expect(code).toBe(0);
  });
});

describe("formats for programs", () => {
  const bestLine = { line: 10, column: 9, lead: "", text: "function openPool() {", highlights: [] };
  const hits: Hit[] = [
    { ...HIT, bestLine },
    { ...HIT, path: "src/b.ts", score: 0.3 },
    { ...HIT, path: "src/b.ts", lines: { start: 40, end: 50 }, score: 0.2 },
    { ...HIT, path: "src/weak.ts", score: 0.05, relevance: "weak" },
  ];
  const found = async (listed: readonly Hit[], ...args: string[]) =>
    await run([...QUESTION, ...args], answering({ hits: listed }));

  it("print path:line:column with --vimgrep", async () => {
    const { out } = await found(hits, "--vimgrep");
    expect(out.split("\n")[0]).toBe("src/pool.ts:11:10:function openPool() {");
    expect(out).not.toContain("weak.ts");
  });
  it("print one JSON document per hit with --jsonl", async () => {
    const { out } = await found(hits, "--jsonl");
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Hit);
    expect(lines).toEqual(JSON.parse(JSON.stringify(hits)));
  });
  it("print distinct files with --files", async () =>
    expect((await found(hits, "--files")).out).toBe("src/pool.ts\nsrc/b.ts\n"));
  it("print counts with --count, including weak hits with --all", async () => {
    expect((await found(hits, "--count")).out).toBe("3\n");
    expect((await found(hits, "--count", "--all")).out).toBe("4\n");
    expect((await found(hits, "--count", "--files")).out).toBe("2\n");
  });

  it("separate weak matches by a heading in text", async () => {
    const { out } = await found(hits, "--lines", "0");
    expect(out).toMatch(/src\/b\.ts.*\nweak matches:\nsrc\/weak\.ts/);
  });
  it("exit with 1 if no hit is better than chance, and show those with --all", async () => {
    const chance = [{ ...HIT, relevance: "chance" }] as const;
    const { out, err, code } = await found(chance);
    expect([out, code]).toEqual(["", 1]);
    expect(err).toContain("nothing better than chance found");
    expect((await found(chance, "--all", "--lines", "0")).out).toMatch(/^no better than chance:\n/);
  });
  it("link places on a terminal with hyperlinks", async () => {
    const { out } = await run([...QUESTION, "--lines", "0"], {
      ...answering({}),
      env: { FORCE_HYPERLINK: "1", FORCE_COLOR: "1" },
    });
    const link = pathToFileURL(join(HIT.root, HIT.path)).href;
    expect(out).toContain(`\u001b]8;;${link}\u001b\\`);
    expect(out).toContain("\u001b]8;;\u001b\\  ");
  });
});

describe("a folder outside any project", () => {
  const elsewhere = () => ({ cwd: workspace(), session: { list: () => Promise.resolve([]) } });

  it("is not indexed by accident", async () => {
    const { code, err } = await run(["search", "pool"], elsewhere());
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("name a folder with --root, or add --yes"),
    ]);
  });
  it.each([
    ["--yes is said", ["--yes"], {}],
    ["it is indexed already", [], { indexed: true }],
    ["it has a configuration", [], { text: "//- cocosearch.yaml\nindexName: x\n" }],
  ])(
    "is searched where %s",
    async (_, args, { indexed = false, text = "" }: { indexed?: boolean; text?: string }) => {
      const cwd = workspace(text);
      const list = () => Promise.resolve(indexed ? [{ ...RECORD, root: cwd }] : []);
      const { session } = answering({});
      const { code } = await run(["search", "pool", ...args], {
        cwd,
        session: { ...session, list },
      });
      expect(code).toBe(0);
    },
  );
});
