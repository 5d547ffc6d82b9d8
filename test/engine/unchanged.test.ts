/**
 * A start where nothing, or hardly anything, has changed: what is read, and that nothing is missed.
 * @module-tag slow
 */

import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createLog } from "../../server/common/log.ts";
import type { Session } from "../../server/contracts/session.ts";
import { statFingerprint } from "../../server/indexing/watching/stat-fingerprint.ts";
import { copyEmptyDatabase, openEngine } from "../support/engine-in-process.ts";
import { workspace } from "../support/workspace.ts";

it("reads only what may have changed, and everything when asked to index again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-unchanged-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const data = join(folder, "postgres");
  copyEmptyDatabase(data);
  const names = ["a.py", "b.py", "c.py"];
  const root = workspace(names.map((name) => `//- ${name}\ndef first():\n    pass\n`).join(""));
  const a = join(root, "a.py");
  const isYoung = () => statFingerprint(statSync(a, { bigint: true }), Date.now()) === undefined;

  const passes: { files: number; read: number; changed: number }[] = [];
  const log = createLog((line) => {
    const entry = JSON.parse(line) as { message: string } & (typeof passes)[0];
    if (entry.message === "indexed") passes.push(entry);
  }, "info");
  const visit = async (look: (session: Session) => Promise<void>) => {
    const engine = openEngine(data, log);
    const session = engine.session();
    await session.openFolders([root]);
    await session.whenIdle();
    await look(session);
    await engine.close();
  };
  const nothing = async () => undefined;

  // A file that was just written could be written again without looking another.
  while (isYoung()) await delay(100);
  await visit(nothing);
  await visit(nothing);

  const { atime, mtime } = statSync(a);
  writeFileSync(a, "def other():\n    pass\n");
  utimesSync(a, atime, mtime);
  await visit(async (session) => {
    expect((await session.search({ query: "other" })).hits[0]?.path).toBe("a.py");
    await session.reindex({});
  });
  expect(passes.map(({ files, read, changed }) => [files, read, changed])).toEqual([
    [3, 3, 3],
    [3, 0, 0],
    [3, 1, 1],
    [3, 3, 0],
  ]);
});
