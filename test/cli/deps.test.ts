/** `deps`: the requests to the engine, page by page, and the output. */

import { expect, it } from "vitest";
import type { CallSite, ExportedEdges } from "../../server/contracts/graph-requests.ts";
import type { Session } from "../../server/contracts/session.ts";
import { callsOf } from "../support/calls.ts";
import { importEdge } from "../support/small-answers.ts";
import { workspace } from "../support/workspace.ts";
import { ANSWER, HIT, INDEX, LANGUAGES, run, STATUS } from "./run-cli.ts";

const PAGES: readonly ExportedEdges[] = [
  { files: ["a.ts", "b.ts"], edges: [importEdge("a.ts", "b.ts")], next: 2 },
  { files: ["c.ts", "alone.ts"], edges: [importEdge("c.ts", "b.ts")] },
];
const SITE: CallSite = {
  root: "/shop",
  path: "a.ts",
  line: 4,
  caller: "openShop",
  target: { path: "b.ts", line: 1, name: "openPool" },
  confidence: 1,
  how: "imported name",
};

async function deps(
  args: readonly string[],
  sites: readonly CallSite[] = [SITE],
  session: Partial<Session> = {},
  total = sites.length,
) {
  const root = workspace("//- a.ts\n");
  return await run([...args, "--root", root], {
    cwd: root,
    session: {
      status: () => Promise.resolve(STATUS),
      whenIdle: () => Promise.resolve(),
      exportGraph: (_, start) => Promise.resolve(PAGES[start === 2 ? 1 : 0] as ExportedEdges),
      callers: () => Promise.resolve(callsOf(sites, total)),
      symbols: () => Promise.resolve([]),
      search: () => Promise.resolve({ ...ANSWER, hits: [] }),
      languages: () => Promise.resolve(LANGUAGES),
      ...session,
    },
  });
}

it("`deps stats --json` has the same figures", async () => {
  const { out } = await deps(["deps", "stats", "--json"]);
  expect(JSON.parse(out)).toMatchObject({
    files: 4,
    hubs: [{ path: "b.ts", importers: 2 }],
    orphans: ["alone.ts"],
    layers: [2, 2],
  });
});

it.each([
  [["callers", "openPool"], /openShop/],
  [["callers", "openPool", "--json"], /^\[\s+\{[^]*\}\s+\]\n$/],
])("%j notes on stderr how many calls are not shown", async (args, answer) => {
  const { out, err } = await deps(args, [SITE], {}, 160);
  expect(err).toBe("note: and 159 more calls, of 160; --limit 160 shows all\n");
  expect(out).toMatch(answer);
});

it("`deps stats` notes how many files are not shown", async () => {
  const files = ["a", "b", "c"].map((name) => `${name}.ts`);
  const { out } = await deps(["deps", "stats", "--limit", "2"], [], {
    exportGraph: () => Promise.resolve({ files, edges: [] }),
  });
  expect(out).toContain("  a.ts\n  b.ts\n  and 1 more; --limit 3 shows all\n");
});

const inLanguage = (languageId: string, name: string) => [
  { ...HIT, languageId, symbol: { ...HIT.symbol, name } as NonNullable<typeof HIT.symbol> },
];

it.each([
  [
    "it has no callers",
    inLanguage("typescript", "Pool.open"),
    "Pool::open",
    'no call of "Pool::open" was found; it is defined at src/pool.ts:11',
  ],
  [
    "it is longer by a namespace",
    inLanguage("typescript", "Pool.open"),
    "Shop\\Pool::open()",
    'no call of "Shop\\Pool::open()" was found; it is defined at src/pool.ts:11',
  ],
  [
    "there is none",
    inLanguage("typescript", "Pool.reopen"),
    "open",
    'no call of "open" was found, and no definition of it',
  ],
  [
    "the language has no extracted calls",
    inLanguage("elixir", "Pool.open"),
    "open",
    'calls are not read in elixir, where "open" is defined (src/pool.ts:11); search finds where it is named',
  ],
])("`callers` explains why a definition has no callers: %s", async (_, hits, name, said) => {
  const found = await deps(["callers", name], [], { symbols: () => Promise.resolve(hits) });
  expect(found).toEqual({ out: "", err: `${said}\n`, code: 1 });
});

it("`callers` finds a definition by a name that reads as words", async () => {
  const asked: unknown[] = [];
  const found = await deps(["callers", "cookie-store"], [], {
    symbols: () => Promise.resolve(inLanguage("clojure", "CookieStore")),
    search: (request) => {
      asked.push(request);
      return Promise.resolve({ ...ANSWER, hits: inLanguage("clojure", "cookie-store") });
    },
  });
  expect(asked).toMatchObject([{ symbolName: "cookie-store" }]);
  expect(found.err).toBe(
    'calls are not read in clojure, where "cookie-store" is defined (src/pool.ts:11); search finds where it is named\n',
  );
});

it("`deps stats` cuts long cycles, and names ignored languages", async () => {
  const files = ["a", "b", "c", "d", "e", "f", "g"].map((name) => `${name}.ts`);
  const edges = files.map((file, i) => importEdge(file, files[(i + 1) % files.length] ?? ""));
  const parse = (languageId: string) => {
    return { languageId, ok: 2, partial: 1, error: 0, noGrammar: 0, worst: [] };
  };
  const { out, err } = await deps(["deps", "stats"], [], {
    exportGraph: () => Promise.resolve({ files, edges }),
    status: () =>
      Promise.resolve({
        ...STATUS,
        indexes: [{ ...INDEX, parse: ["swift", "elixir", "yaml"].map(parse) }],
      }),
  });
  expect(out).toContain("\n  7 files: a.ts, b.ts, c.ts, d.ts, e.ts and 2 others\n");
  expect(out).toMatch(/a\.ts +1 importer\n/);
  expect(err).toBe("imports are not extracted from swift: 3 files ignored\n");
});
