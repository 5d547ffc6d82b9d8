/** The database is put in order after many commits were stored, and a failure of that takes nothing away. */

import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { initRepository } from "../support/git.ts";
import { workspace } from "../support/workspace.ts";
import { historyOf } from "./support.ts";

function repositoryOf(commits: number): string {
  const root = workspace();
  initRepository(root);
  const input = Array.from({ length: commits }, (_, i) => {
    const message = `Commit ${i}`;
    return `commit refs/heads/main\ncommitter Ann <a@b> ${1_700_000_000 + i} +0000\ndata ${message.length}\n${message}\n`;
  });
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, input: input.join("") });
  return root;
}

it.each([
  [999, 0],
  [1000, 1],
])("%i new commits: %i times", async (commits, times) => {
  let calls = 0;
  const tidy = async () => {
    calls++;
  };
  const { read } = historyOf(repositoryOf(commits), { limit: 2000, tidy });
  expect(await read()).toMatchObject({ state: "ready", commits });
  await read();
  expect(calls).toBe(times);
});

it("keeps the stored commits if the vacuum fails", async () => {
  const { read } = historyOf(repositoryOf(1000), {
    tidy: async () => {
      throw new Error("no space left on device");
    },
  });
  expect(await read()).toMatchObject({ state: "ready", commits: 1000 });
});
