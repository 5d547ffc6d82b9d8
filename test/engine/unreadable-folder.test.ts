/** A folder that cannot be listed once: its stored files are kept, as it may be readable in a moment. */

import fs from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createLog } from "../../server/common/log.ts";
import { engineInProcess, openedIn } from "../support/engine-in-process.ts";
import { replaceFunction } from "../support/replace-function.ts";
import { workspace, write } from "../support/workspace.ts";

const warnings: string[] = [];
const engine = engineInProcess(createLog((line) => warnings.push(line), "warn"));
afterAll(() => engine.dispose());

it("The stored files of an unreadable folder are kept, and the others are indexed", async () => {
  const root = workspace("//- lib/a.py\ndef paint_fence():\n    pass\n//- b.py\nx = 1\n");
  const session = await openedIn(engine, root);

  const failing = (readdir: typeof fs.readdir) =>
    (async (path: string, options: object) => {
      if (path !== join(root, "lib")) return await readdir(path, options);
      throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
    }) as typeof fs.readdir;
  replaceFunction(fs, "readdir", failing);
  write(root, "//- c.py\ndef mow_lawn():\n    pass\n");
  await session.reindex({});
  const first = async (query: string) => (await session.search({ query })).hits[0]?.path;
  expect(await first("paint_fence")).toBe("lib/a.py");
  expect(await first("mow_lawn")).toBe("c.py");
  expect(warnings.join("")).toContain("cannot read folder, keeping its stored files");
});
