/** Commits with vectors from a remote service (Ollama's protocol). */

import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type EmbeddingServer, embeddingServer } from "../support/embedding-server.ts";
import { engineInProcess } from "../support/engine-in-process.ts";
import { commitAll, git, initRepository } from "../support/git.ts";
import { workspace, write } from "../support/workspace.ts";

const SUBJECTS = ["Open a drawer for tea", "Count the cups twice", "Close the shop at night"];

const small = engineInProcess();
const session = small.engine.session();
let server: EmbeddingServer;

beforeAll(async () => {
  server = await embeddingServer();
  await session.configure({ "embedding.provider": "ollama", "embedding.baseUrl": server.url });
});

afterAll(async () => {
  await small.dispose();
  await server.close();
});

function repository(): string {
  const root = workspace();
  initRepository(root);
  for (const subject of SUBJECTS) change(root, subject);
  return root;
}

function change(root: string, subject: string): void {
  write(root, `//- a.py\n${subject.length}\n`);
  commitAll(root, subject);
}

/** The subjects of the commits whose texts are sent during the reading of the history. */
async function sentFor(root: string): Promise<string[]> {
  server.texts.length = 0;
  await session.openFolders([root]);
  const commits = Number(git(root, "rev-list", "--count", "HEAD"));
  for (;;) {
    const { history } = (await session.status()).indexes[0] ?? {};
    if (history?.state === "ready" && history.commits === commits) break;
    await delay(20);
  }
  return server.texts.flatMap((text) => SUBJECTS.filter((subject) => text.includes(subject)));
}

it("The text of each commit is sent once, even if two folders read it", async () => {
  const root = repository();
  expect((await sentFor(root)).toSorted()).toEqual(SUBJECTS.toSorted());
  const copy = workspace();
  git(copy, "clone", "-q", root, ".");
  expect(await sentFor(copy)).toEqual([]);
  // No commit has such words: only the cached vectors can find them.
  const { commits } = await session.history({ query: "zzyzx quux" });
  expect(commits.map(({ subject }) => subject).toSorted()).toEqual(SUBJECTS.toSorted());
  change(copy, "Sweep the floor");
  await sentFor(copy);
  expect(server.texts.filter((text) => text.includes("Sweep the floor"))).toHaveLength(1);
});

it("Commits are found by keyword while the service rejects them", async () => {
  const root = repository();
  change(root, "Water the plants");
  server.fail("unauthorized");
  await sentFor(root);
  const { commits } = await session.history({ query: "water the plants" });
  expect(commits[0]?.subject).toBe("Water the plants");
});
