/** A session that catches up finds the text that a program wrote just before, and waits no longer than asked. */

import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { engineInProcess, openedIn } from "../support/engine-in-process.ts";
import { workspace } from "../support/workspace.ts";

const made = engineInProcess();
afterAll(() => made.dispose());

it("finds each new text at the first question after it was written, and no deleted one", async () => {
  const root = workspace("//- a.py\ndef first_orange():\n    return 1\n");
  const session = await openedIn(made, root);
  const found = async (name: string) => {
    await session.catchUp(20_000);
    const { hits } = await session.search({ query: name });
    return hits.some(({ symbols = [] }) => symbols.some((symbol) => symbol.name === name));
  };
  for (let i = 0; i < 3; i++) {
    appendFileSync(join(root, "a.py"), `\ndef appended_orange_${i}():\n    return 2\n`);
    expect(await found(`appended_orange_${i}`)).toBe(true);
    writeFileSync(join(root, `b${i}.py`), `def written_lemon_${i}():\n    return 3\n`);
    expect(await found(`written_lemon_${i}`)).toBe(true);
    rmSync(join(root, `b${i}.py`));
    expect(await found(`written_lemon_${i}`)).toBe(false);
  }
});

it("ends after its time while more is read, and at once when it is cancelled", async () => {
  const root = workspace("//- a.py\ndef first_orange():\n    return 1\n");
  const session = await openedIn(made, root);
  await session.pause();
  await session.catchUp(20_000);
  await session.resume();
  const begun = new Promise<void>((resolve) => {
    session.onEvent((event) => {
      if (event.kind === "status" && event.state === "indexing") resolve();
    });
  });
  for (let i = 0; i < 300; i++)
    writeFileSync(join(root, `c${i}.py`), `def many_${i}():\n    return ${i}\n`.repeat(40));
  await begun;
  await session.catchUp(1);
  expect((await session.status()).state).toBe("indexing");
  const cancelled = session.catchUp(20_000, AbortSignal.abort(new Error("no longer needed")));
  await expect(cancelled).rejects.toThrow("no longer needed");
  await session.catchUp(60_000);
  expect((await session.status()).indexes[0]?.files).toBe(301);
});
