/** `search`: requests, output and exit codes that golden/conversations.txt does not have. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { Hit } from "../../server/contracts/model.ts";
import type { SearchAnswer, SearchRequest } from "../../server/contracts/session.ts";
import { workspace } from "../support/workspace.ts";
import { ANSWER, HIT, run } from "./run-cli.ts";

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
  it.each([
    ["markdown", "heading openPool"],
    ["yaml", "section openPool"],
    ["python", "class openPool"],
  ])("names definitions in the terms of %s", async (languageId, words) => {
    const symbol = { ...HIT.symbol, name: "openPool", type: "class" } as NonNullable<Hit["symbol"]>;
    const { out } = await run(QUESTION, answering({ hits: [{ ...HIT, languageId, symbol }] }));
    expect(out.split("\n")[0]).toContain(`  ${words}  `);
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

  it("is one JSON document with --json", async () => {
    const { out } = await run([...QUESTION, "--json"], answering({ warnings: ["slow"] }));
    expect(JSON.parse(out)).toEqual({ ...ANSWER, warnings: ["slow"] });
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

  it("takes several languages", () =>
    check(["--lang", "go,c", "--lang", "ts"], { languages: ["go", "c", "ts"] }));
  it("keeps commas inside a glob", () =>
    check(["--path", "src/{a,b{c,d}}/**,x\\,y.ts,z", "--path", "{open,x"], {
      paths: ["src/{a,b{c,d}}/**", "x\\,y.ts", "z", "{open,x"],
    }));
  it("ignores an empty option", async () =>
    expect(await ask(["--index", "", "--lang", ",", "--path", ""])).toEqual(await ask([])));
  it("takes lines around a hit", () =>
    check(["--context-before", "1", "--context-after", "2"], {
      contextBefore: 1,
      contextAfter: 2,
    }));
  it("searches by words only", () => check(["--keyword"], { without: ["vector"] }));
});

describe("the exit code", () => {
  it("is 3 if no word fits and the model has not answered yet", async () => {
    const answer = { hits: [], mode: "keyword", state: "indexing" } as const;
    expect((await run(QUESTION, answering(answer))).code).toBe(3);
  });

  it("is 1 for --keyword in any state of the model", async () => {
    const answer = answering({ hits: [], mode: "keyword", state: "degraded" });
    expect((await run([...QUESTION, "--keyword"], answer)).code).toBe(1);
  });

  it.each([
    ["no question", ["search"]],
    ["an empty question", ["search", " "]],
    ["a number out of range", [...QUESTION, "--limit", "0"]],
    ["related files in a list of files", [...QUESTION, "--related", "--files"]],
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

describe("formats for programs", () => {
  const hits: Hit[] = [
    HIT,
    { ...HIT, path: "src/b.ts", score: 0.3 },
    { ...HIT, path: "src/b.ts", lines: { start: 40, end: 50 }, score: 0.2 },
    { ...HIT, path: "src/weak.ts", score: 0.05, relevance: "weak" },
  ];
  const found = async (listed: readonly Hit[], ...args: string[]) =>
    await run([...QUESTION, ...args], answering({ hits: listed }));

  it("print distinct files with --files", async () =>
    expect((await found(hits, "--files")).out).toBe("src/pool.ts\nsrc/b.ts\n"));
  it("print counts with --count, including weak hits with --all", async () => {
    expect((await found(hits, "--count")).out).toBe("3\n");
    expect((await found(hits, "--count", "--all")).out).toBe("4\n");
    expect((await found(hits, "--count", "--files")).out).toBe("2\n");
  });

  it("show chance hits under a heading with --all", async () => {
    const chance = [{ ...HIT, relevance: "chance" }] as const;
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
  it.each([
    ["--yes is said", ["--yes"], ""],
    ["it has a configuration", [], "//- cocosearch.yaml\nindexName: x\n"],
  ])("is searched where %s", async (_, args, text) => {
    const session = { ...answering({}).session, list: () => Promise.resolve([]) };
    const { code } = await run(["search", "pool", ...args], { cwd: workspace(text), session });
    expect(code).toBe(0);
  });
});

it("names the further places of a strong hit's file, and of no weak hit", async () => {
  const symbol = {
    name: "reopen",
    type: "method" as const,
    signature: "def reopen(self):",
    lines: { start: 40, end: 50 },
    nameLine: 41,
  };
  const places = [
    { lines: { start: 40, end: 50 }, symbol },
    { lines: { start: 70, end: 80 }, hierarchy: "Pool.close" },
  ];
  const answer = (relevance: Hit["relevance"]) =>
    answering({ hits: [{ ...HIT, places, relevance }] });
  const strong = await run(QUESTION, answer("strong"));
  expect(strong.out).toContain("  also in this file: 42 method reopen, 71 Pool.close");
  expect((await run(QUESTION, answer("weak"))).out).not.toContain("also in this file");
});
