/** Commits whose vectors come from a service that speaks Ollama's protocol over HTTP. */

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

/** The subjects of commits whose texts are sent while the past of the folder is read. */
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

it("sends the text of each commit once, whatever folder it is read in", async () => {
  const root = repository();
  expect((await sentFor(root)).toSorted()).toEqual(SUBJECTS.toSorted());
  const copy = workspace();
  git(copy, "clone", "-q", root, ".");
  expect(await sentFor(copy)).toEqual([]);
  // No commit has such words: they are found by the vectors that were kept.
  const { commits } = await session.history({ query: "zzyzx quux" });
  expect(commits.map(({ subject }) => subject).toSorted()).toEqual(SUBJECTS.toSorted());
  change(copy, "Sweep the floor");
  await sentFor(copy);
  expect(server.texts.filter((text) => text.includes("Sweep the floor"))).toHaveLength(1);
});

it("finds commits by their words where the service refuses them", async () => {
  const root = repository();
  change(root, "Water the plants");
  server.fail("unauthorized");
  await sentFor(root);
  const { commits } = await session.history({ query: "water the plants" });
  expect(commits[0]?.subject).toBe("Water the plants");
});
