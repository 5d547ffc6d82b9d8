/**
 * 200 publishes of a small repository: its tables stay as large as vacuum keeps them.
 * @module-tag slow
 */

import { describe, expect, it } from "vitest";
import type { FileCommit } from "../../server/contracts/store.ts";
import { administer, NO_POSTGRES } from "../support/databases.ts";
import { fileCommit, KEY, KEYS, publisherOf, TURN } from "../support/publish-rows.ts";
import { rowsOf, teamDatabase } from "../support/team.ts";

const FILES = 30;
/** Files that differ between two commits. */
const EDITED = 4;
/** Pages that a vacuum cannot return, because a later one is in use. */
const SLACK = 1.2;

/** The file in a revision, with ten chunks of about 400 bytes. */
function revised(place: number, revision: number): FileCommit {
  const { file, chunks, vectors } = fileCommit(`src/part${place}.py`);
  const [chunk] = chunks;
  const [vector] = vectors;
  if (chunk === undefined || vector === undefined) throw new Error("the file has no chunk");
  const parts = Array.from({ length: 10 }, (_, part) => ({
    ...chunk,
    span: { start: part * 400, end: part * 400 + 400 },
    text: Array.from({ length: 40 }, (_word, at) =>
      (place * 7919 + revision * 31 + at * part).toString(36),
    ).join(" "),
  }));
  return {
    file: { ...file, sha256: `${place} ${revision}` },
    chunks: parts,
    vectors: parts.map(() => new Float32Array(vector)),
  };
}

/** The size of all tables of the indexes, with their own indexes and texts. */
async function bytesOf(url: string): Promise<number> {
  const [row] = await rowsOf<{ bytes: number }>(
    url,
    "select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  return row?.bytes ?? 0;
}

describe.skipIf(NO_POSTGRES !== undefined)(`200 publishes ${NO_POSTGRES ?? ""}`, () => {
  it("take no more space than 40 if dead rows are vacuumed", async () => {
    const { url, user } = await teamDatabase();
    const publisher = await publisherOf(await user("cocosearch_publisher"));
    const publish = (revision: number) =>
      publisher.publish({ key: KEY, keys: KEYS, ...TURN }, async ({ store, before }) => {
        const edited = Array.from({ length: before === undefined ? FILES : EDITED }, (_, at) =>
          revised((revision * EDITED + at) % FILES, revision),
        );
        await store.commit(edited, []);
        return { commit: String(revision), files: FILES, chunks: FILES * 10 };
      });
    const sizes: number[] = [];
    for (let revision = 0; revision < 200; revision++) {
      await publish(revision);
      if (revision % 20 !== 19) continue;
      await administer("vacuum", url);
      sizes.push(await bytesOf(url));
    }
    const [, after40 = 0] = sizes;
    expect(Math.max(...sizes)).toBeLessThan(after40 * SLACK);
  });
});
