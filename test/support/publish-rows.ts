/** Publishes made rows without a clone, for tests of the tables of a team's database. */

import { onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import type { PublishedIndex } from "../../server/contracts/published.ts";
import type { FileCommit } from "../../server/contracts/store.ts";
import { SCHEMA_VERSION } from "../../server/store/compatibility.ts";
import { openPublisher } from "../../server/store/publisher.ts";

export const KEY = { repository: "git.example.org/acme/shop", subfolder: "", branch: "main" };
export const KEYS = {
  modelId: "m",
  dimension: 3,
  chunkerVersion: "1",
  schemaVersion: SCHEMA_VERSION,
};
export const TURN = { signal: new AbortController().signal, waiting: () => undefined };

const LINES = { start: 0, end: 0 };

export function fileCommit(path: string): FileCommit {
  return {
    file: {
      path,
      sha256: "1",
      size: 1,
      mtimeMs: 1,
      languageId: "python",
      category: "implementation",
      parse: { status: "ok" },
      secrets: 0,
    },
    chunks: [{ span: { start: 0, end: 1 }, lines: LINES, text: "a", symbols: [], context: LINES }],
    vectors: [new Float32Array([1, 0, 0])],
  };
}

export async function publisherOf(url: string) {
  const publisher = await openPublisher(url, silent);
  onTestFinished(() => publisher.close());
  return publisher;
}

/** Publishes one file of this commit. */
export async function publishOne(
  url: string,
  commit: string,
  repository = KEY.repository,
): Promise<PublishedIndex> {
  const publisher = await publisherOf(url);
  const key = { ...KEY, repository };
  return await publisher.publish({ key, keys: KEYS, ...TURN }, async ({ store }) => {
    await store.commit([fileCommit(`${commit}.py`)], []);
    const { files, chunks } = await store.counts();
    return { commit, files, chunks };
  });
}

export const messageOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: Error) => `${error.name}: ${error.message}`,
  );
