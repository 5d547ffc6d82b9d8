/** The folder of the database: empty, complete or incomplete. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { isEmpty, isIncomplete } from "../../server/store/data-folder.ts";
import { workspace } from "../support/workspace.ts";

it.each<[string, string, { empty: boolean; incomplete: boolean }]>([
  ["nothing", "", { empty: true, incomplete: false }],
  ["one file", "//- PG_VERSION\n18\n", { empty: false, incomplete: true }],
  ["the other file", "//- global/pg_control\n1\n", { empty: false, incomplete: true }],
  ["both", "//- PG_VERSION\n18\n//- global/pg_control\n1\n", { empty: false, incomplete: false }],
])("%s", (_, files, { empty, incomplete }) => {
  const root = workspace(files);
  expect([isEmpty(root), isIncomplete(root)]).toEqual([empty, incomplete]);
});

it("counts as empty if it does not exist", () => {
  const nowhere = join(workspace(""), "nowhere");
  expect([isEmpty(nowhere), isIncomplete(nowhere)]).toEqual([true, false]);
});
