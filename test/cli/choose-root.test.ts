/** Whose project a command is about that names a file: the current one, or the file's own. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { workspace } from "../support/workspace.ts";
import { run, STATUS } from "./run-cli.ts";

const FILES =
  "//- shop/.git/HEAD\n//- shop/src/a.ts\none\n//- other/.git/HEAD\n//- other/b.ts\ntwo\n//- loose/c.ts\nthree\n";

/** The root that is opened, and the file that is asked about. */
async function asked(cwd: string, args: readonly string[], indexed: readonly string[] = []) {
  const folder = workspace(FILES);
  const opened: unknown[] = [];
  const record = (request: unknown) => {
    opened.push(request);
    return Promise.reject(new Error("enough"));
  };
  const { err, code } = await run(args, {
    cwd: join(folder, cwd),
    session: {
      list: async () => indexed.map((root) => ({ root: join(folder, root) })) as never,
      openFolders: async (roots) => {
        opened.push(...roots);
        return [];
      },
      status: async () => STATUS,
      explain: record,
      similar: record,
      related: record,
      impact: record,
      why: record,
    },
  });
  const shown = JSON.stringify(opened).replaceAll(folder, "");
  return { shown, err, code };
}

it.each([
  [["explain", "shop/src/a.ts:1"]],
  [["similar", "shop/src/a.ts:1"]],
  [["deps", "show", "shop/src/a.ts"]],
  [["deps", "path", "shop/src/a.ts", "shop/src/a.ts"]],
  [["impact", "shop/src/a.ts"]],
  [["status", "--why", "shop/src/a.ts"]],
])("%o chooses the project of the file if the current folder is not a project", async (args) => {
  const { shown, err } = await asked(".", args);
  expect(err).not.toContain("--root");
  expect(shown).toMatch(/"[^"]*\/shop"/);
});

it("`deps` chooses the project of the file over the current project", async () => {
  expect((await asked("other", ["explain", "../shop/src/a.ts:1"])).shown).toContain('/shop"');
  expect((await asked("other", ["explain", "b.ts:1"])).shown).toContain('/other"');
});

it("`deps` chooses the current folder if its index contains the project of the file", async () => {
  const { shown } = await asked(".", ["explain", "shop/src/a.ts:1"], ["."]);
  expect(shown).not.toContain('/shop"');
});

it("`deps` refuses a file in no project and asks for --root", async () => {
  const { err, code } = await asked("loose", ["explain", "c.ts:1"]);
  expect(err).toContain("name a folder with --root");
  expect(code).not.toBe(0);
});

it.each(["stats", "graph", "export"])(
  "`deps %s` does not index a folder without --root",
  async (name) => {
    const { shown, code, err } = await asked("loose", ["deps", name]);
    expect([shown, code]).toEqual(["[]", 2]);
    expect(err).toContain("name a folder with --root");
  },
);
