/** `deps show`, `tree`, `path` and `export`, `callees`: what golden/conversations.txt does not have. */

import { join } from "node:path";
import { expect, it } from "vitest";
import type {
  CallSite,
  CallsAnswer,
  ExportedEdges,
  RelatedAnswer,
  RelatedFile,
} from "../../server/contracts/graph-requests.ts";
import type { Session } from "../../server/contracts/session.ts";
import { callsOf } from "../support/calls.ts";
import { NEAR_FILE } from "../support/small-answers.ts";
import { workspace } from "../support/workspace.ts";
import { ANSWER, LANGUAGES, run, STATUS } from "./run-cli.ts";

const FAR: RelatedFile = { ...NEAR_FILE, path: "src/cart.ts", hops: 2, types: ["call"], line: 0 };
const NOTHING: RelatedAnswer = { files: [], packages: [], total: 0 };
const ONE: RelatedAnswer = { files: [NEAR_FILE], packages: [], total: 1 };

async function graph(args: readonly string[], session: Partial<Session>, folder = "") {
  const root = workspace("//- src/shop.ts\n//- src/cart.ts\n");
  const asked: unknown[] = [];
  const { related, callers, callees } = session;
  const here = ({ calls, total }: CallsAnswer) => ({
    calls: calls.map((site) => ({ ...site, root })),
    total,
  });
  const outcome = await run([...args, "--root", root], {
    cwd: join(root, folder),
    session: {
      status: () => Promise.resolve(STATUS),
      symbols: () => Promise.resolve([]),
      languages: () => Promise.resolve(LANGUAGES),
      ...session,
      ...(related === undefined
        ? {}
        : { related: (request) => (asked.push(request), related(request)) }),
      ...(callers && { callers: async (request) => here(await callers(request)) }),
      ...(callees && { callees: async (request) => here(await callees(request)) }),
    },
  });
  const relative: unknown = JSON.parse(JSON.stringify(asked).replaceAll(`${root}/`, ""));
  return { ...outcome, asked: relative };
}

it.each<[string, RelatedAnswer, RelatedAnswer, number]>([
  ["nothing", NOTHING, NOTHING, 1],
  ["a file that it imports", ONE, NOTHING, 0],
  ["a package", { ...NOTHING, packages: [{ name: "zod", line: 0 }] }, NOTHING, 0],
  ["a file that imports it", NOTHING, ONE, 0],
])(
  "`deps show` exits with 1 only without related files: %s",
  async (_, imports, importedBy, expected) => {
    const { code } = await graph(["deps", "show", "src/shop.ts"], {
      related: async ({ direction }) => (direction === "imports" ? imports : importedBy),
    });
    expect(code).toBe(expected);
  },
);

it.each(["show", "tree", "path"])(
  "`deps %s` reports languages without extracted imports",
  async (command) => {
    const found = await graph(
      ["deps", command, "src/Pool.swift", ...(command === "path" ? ["src/shop.ts"] : [])],
      {
        related: async () => NOTHING,
        dependencyPath: async () => [],
      },
    );
    expect(found).toMatchObject({
      out: "",
      err: "imports and calls are not extracted from swift\n",
      code: 1,
    });
  },
);

it("`deps tree` follows --depth edges of a type", async () => {
  const related = async () => ({ ...ONE, files: [NEAR_FILE, FAR], total: 2 });
  const options = ["--depth", "5", "--type", "call", "--limit", "9"];
  const chosen = await graph(["deps", "tree", "src/shop.ts", ...options], { related });
  expect(chosen.asked).toEqual([
    { path: "src/shop.ts", direction: "imports", hops: 5, types: ["call"], limit: 9 },
  ]);
});

it.each([
  [ONE, 0, ""],
  [NOTHING, 1, "src/shop.ts depends on no other file\n"],
])("`deps tree` exits with 1 without dependencies: %j", async (answer, code, err) => {
  const found = await graph(["deps", "tree", "src/shop.ts"], { related: async () => answer });
  expect(found).toMatchObject({ code, err });
});

it("`deps path` reports a missing path", async () => {
  const path = ["deps", "path", "src/shop.ts", "src/cart.ts"];
  const found = await graph(path, { dependencyPath: async () => [] });
  expect(found).toMatchObject({
    out: "",
    err: "src/shop.ts does not depend on src/cart.ts\n",
    code: 1,
  });
});

const SITE: CallSite = {
  root: "/shop",
  path: "src/shop.ts",
  line: 4,
  caller: "open",
  target: { path: "src/pool.ts", line: 1, name: "Pool.connect" },
  confidence: 0.9,
  how: "typed receiver",
};

it.each<[readonly string[], readonly string[]]>([
  [
    ["deps", "show", "src/shop.ts"],
    [
      "8 more files that it depends on, of 9; --limit 9",
      "4 more files that depend on it, of 5; --limit 5",
    ],
  ],
  [["deps", "tree", "src/shop.ts"], ["8 more files, of 9; --limit 9"]],
])("%j notes how many files are not shown", async (args, left) => {
  const { err } = await graph(args, {
    related: async ({ direction }) => ({
      files: [NEAR_FILE],
      packages: [],
      total: direction === "imports" ? 9 : 5,
    }),
  });
  expect(err).toBe(left.map((each) => `note: and ${each} shows all\n`).join(""));
});

it("`callees` reports that neither a call nor a definition was found", async () => {
  const none = await graph(["callees", "open"], {
    callees: async () => callsOf([]),
    search: async () => ({ ...ANSWER, hits: [] }),
  });
  expect(none).toMatchObject({
    out: "",
    err: 'no call in "open" was found, and no definition of it\n',
    code: 1,
  });
});

const END = { file: "src/pool.ts", line: 1, name: "connect" };
const CALL = { at: { file: "src/shop.ts", line: 4, column: 2 }, name: "connect", to: END };
const EDGES: ExportedEdges = {
  files: [],
  edges: [{ kind: "candidate", ...CALL, confidence: 0.3, how: "several" }],
};

it("`deps export` includes candidates only with --candidates", async () => {
  const exportGraph = async () => EDGES;
  const plain = await graph(["deps", "export"], { exportGraph });
  expect(plain).toMatchObject({ out: "", code: 1 });
  const all = await graph(["deps", "export", "--candidates"], { exportGraph });
  expect(JSON.parse(all.out)).toEqual(EDGES.edges[0]);
  expect(all.code).toBe(0);
});

it.each<[readonly string[], string]>([
  [["deps", "show", "shop.ts"], "  pool.ts  1 step  used by shop.ts  line 5  import, call"],
  [["deps", "path", "shop.ts", "cart.ts"], "shop.ts\n../test/cart.ts"],
  [["callers", "open"], "shop.ts:5  open  0.90  typed receiver"],
  [["callees", "open"], "shop.ts:5  Pool.connect (pool.ts:2)  0.90  typed receiver"],
  [["impact", "shop.ts"], "tests to run:\n  ../test/cart.ts"],
])("paths are relative to the current folder: %j", async (args, shown) => {
  const session: Partial<Session> = {
    related: async ({ direction }) => (direction === "imports" ? ONE : NOTHING),
    dependencyPath: async () => ["src/shop.ts", "test/cart.ts"],
    callers: async () => callsOf([SITE]),
    callees: async () => callsOf([SITE]),
    impact: async () => ({
      changed: [],
      files: [],
      total: 0,
      coChanged: [],
      coChangedTotal: 0,
      notIndexed: [],
      tests: ["test/cart.ts"],
      testsTotal: 1,
    }),
  };
  const { out } = await graph(args, session, "src");
  expect(out).toContain(shown);
});
