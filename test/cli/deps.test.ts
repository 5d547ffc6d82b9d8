/** `deps`: what the commands ask the engine page by page, and what they print. */

import { expect, it } from "vitest";
import type { CallSite, ExportedEdges } from "../../server/contracts/graph-requests.ts";
import { importEdge } from "../support/small-answers.ts";
import { workspace } from "../support/workspace.ts";
import { run, STATUS } from "./run-cli.ts";

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

async function deps(args: readonly string[], sites: readonly CallSite[] = [SITE]) {
  const root = workspace("//- a.ts\n");
  return await run([...args, "--root", root], {
    session: {
      status: () => Promise.resolve(STATUS),
      whenIdle: () => Promise.resolve(),
      exportGraph: (_, start) => Promise.resolve(PAGES[start === 2 ? 1 : 0] as ExportedEdges),
      callers: () => Promise.resolve(sites),
    },
  });
}

it("counts who imports a file, and names files without imports in either direction", async () => {
  const { out, code } = await deps(["deps", "stats"]);
  expect(out).toContain("4 files with imports or definitions");
  expect(out).toMatch(/b\.ts +2 importers/);
  expect(out).toMatch(/1 file without imports in either direction\n +alone\.ts\n/);
  expect(code).toBe(0);
});

it("gives the same as JSON", async () => {
  const { out } = await deps(["deps", "stats", "--json"]);
  expect(JSON.parse(out)).toMatchObject({
    files: 4,
    hubs: [{ path: "b.ts", importers: 2 }],
    orphans: ["alone.ts"],
    layers: [2, 2],
  });
});

it("prints where a definition is called, and says where it is not", async () => {
  const { out, code } = await deps(["callers", "openPool"]);
  expect(out).toMatch(/a\.ts:5\b.*openShop/);
  expect(code).toBe(0);
  expect(await deps(["callers", "openPool"], [])).toEqual({
    out: "",
    err: 'no call of "openPool" was found\n',
    code: 1,
  });
});
