/**
 * A folder that cannot be listed once: its stored files are kept, as it may be readable in a moment.
 * @module-tag slow
 */

import { mkdtempSync, rmSync } from "node:fs";
import type { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createLog } from "../../server/common/log.ts";
import { workspace, write } from "../support/workspace.ts";

const failing = vi.hoisted(() => ({ folder: "" }));

/** The real `readdir`, which fails for one folder. */
vi.mock("node:fs/promises", async (original) => {
  const fs = await original<typeof import("node:fs/promises")>();
  const failingReaddir = async (...args: Parameters<typeof readdir>) => {
    if (args[0] === failing.folder)
      throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
    return await fs.readdir(...args);
  };
  return { ...fs, readdir: failingReaddir };
});

it("The stored files of an unreadable folder are kept, and the others are indexed", async () => {
  // Another test file of this process may have loaded the module with the real one.
  vi.resetModules();
  onTestFinished(() => void vi.resetModules());
  const { copyEmptyDatabase } = await import("../support/empty-database.ts");
  const { openEngine } = await import("../support/engine-in-process.ts");
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-unreadable-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const data = join(folder, "postgres");
  copyEmptyDatabase(data);
  const root = workspace("//- lib/a.py\ndef paint_fence():\n    pass\n//- b.py\nx = 1\n");
  const warnings: string[] = [];
  const log = createLog((line) => warnings.push(line), "warn");
  const engine = openEngine(data, log);
  onTestFinished(() => engine.close());
  const session = engine.session();
  await session.openFolders([root]);
  await session.whenIdle();

  failing.folder = join(root, "lib");
  write(root, "//- c.py\ndef mow_lawn():\n    pass\n");
  await session.reindex({});
  const first = async (query: string) => (await session.search({ query })).hits[0]?.path;
  expect(await first("paint_fence")).toBe("lib/a.py");
  expect(await first("mow_lawn")).toBe("c.py");
  expect(warnings.join("")).toContain("cannot read folder, keeping its stored files");
});
