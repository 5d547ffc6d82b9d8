/** A file that another program writes slowly is read again until it is complete. */

import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { engineInProcess } from "../support/engine-in-process.ts";
import { workspace } from "../support/workspace.ts";

const WAITING = { timeout: 60_000, interval: 20 };

it("A slowly written file is found up to its last written line, and completely in the end", async () => {
  const { engine, dispose } = engineInProcess();
  onTestFinished(dispose);
  const root = workspace("//- a.py\ndef first():\n    pass\n");
  const session = engine.session();
  await session.openFolders([root]);
  await session.whenIdle();

  const text = Buffer.from(
    "def lantern():\n    return 1\n\ndef gärtner():\n    return 2\n\ndef harbour():\n    return 3\n",
  );
  // The pieces end within a name and within a two-byte letter.
  const cuts = [text.indexOf("tern"), text.indexOf("ä") + 1, text.indexOf("bour"), text.length];
  const found = ["lan", "lantern", "gärtner", "harbour"];
  const file = openSync(join(root, "slow.py"), "w");
  for (const [i, cut] of cuts.entries()) {
    writeSync(file, text, cuts[i - 1] ?? 0, cut - (cuts[i - 1] ?? 0));
    await vi.waitFor(async () => {
      const { hits } = await session.search({ query: found[i] ?? "", includeText: true });
      const hit = hits.find(({ path }) => path === "slow.py");
      expect(hit?.text).toContain(`def ${found[i]}`);
    }, WAITING);
  }
  closeSync(file);
  await vi.waitFor(async () => {
    const request = { query: "return", paths: ["slow.py"], includeText: true };
    const { hits } = await session.search(request);
    expect(hits.map((hit) => hit.text).join("\n")).toBe(text.toString().trimEnd());
  }, WAITING);
}, 120_000);
