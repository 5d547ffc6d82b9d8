/** Bad input from disks and editors: each is answered, and nothing breaks. */

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { sharedEngine } from "../support/engine.ts";
import { workspace, write } from "../support/workspace.ts";

const session = sharedEngine().session();

async function indexed(root: string): Promise<void> {
  await session.openFolders([root]);
  await session.whenIdle();
}

it("hints about paths that lead out of the folder are not followed", async () => {
  const outside = workspace("//- stolen.py\ndef outside_of_the_root(): pass\n");
  const root = workspace("//- good.py\ndef find_me(): pass\n");
  symlinkSync(outside, join(root, "link"));
  await indexed(root);
  await session.filesChanged([join(root, "link/stolen.py"), join(root, "../x"), outside]);
  await session.whenIdle();
  const { hits } = await session.search({ query: "outside_of_the_root" });
  expect(hits.map(({ path }) => path)).not.toContain("link/stolen.py");
  expect((await session.status()).indexes[0]?.files).toBe(1);
});

it("a search with indexing off uses the stored index and indexes nothing", async () => {
  const root = workspace("//- good.py\ndef find_me(): pass\n");
  await indexed(root);
  await session.configure({ "indexing.enabled": false });
  try {
    write(root, "//- late.py\ndef too_late(): pass\n");
    await session.filesChanged([join(root, "late.py")]);
    await session.whenIdle();
    const status = await session.status();
    expect(status).toMatchObject({ state: "paused", indexed: 1 });
    expect(status.reason).toContain("indexing.enabled");
    const { hits } = await session.search({ query: "find_me too_late" });
    expect(hits.map(({ path }) => path)).toEqual(["good.py"]);
  } finally {
    await session.configure({});
  }
});

it("a new folder with indexing off is neither read nor stored", async () => {
  const root = workspace("//- good.py\ndef find_me(): pass\n//- .env\nKEY=1\n");
  await session.configure({ "indexing.enabled": false });
  try {
    await indexed(root);
    const { state, indexes } = await session.status();
    expect(state).toBe("paused");
    expect(indexes).toMatchObject([{ files: 0, excluded: {} }]);
    const { warnings } = await session.search({ query: "find_me" });
    expect(warnings).toEqual([
      `${root} is not indexed: indexing is off: indexing.enabled is false`,
    ]);
    expect((await session.list()).map((record) => record.root)).not.toContain(root);
    await session.resume();
    expect((await session.status()).state).toBe("paused");
  } finally {
    await session.configure({});
  }
  await session.whenIdle();
  expect((await session.search({ query: "find_me" })).hits[0]?.path).toBe("good.py");
});

describe("queries", () => {
  beforeEach(() => indexed(workspace("//- good.py\ndef find_me():\n    return 1\n")));

  it.each(["", "   ", "?!…", "the of and", "'; drop table x; --", "\0\ud800", "%_\\", "😀", "((("])(
    "%j is answered",
    async (query) => {
      const answer = await session.search({ query });
      expect(answer.state).toBe("ready");
      expect(Array.isArray(answer.hits)).toBe(true);
    },
  );

  it("a query of 100 thousand characters is cut, with a warning", async () => {
    const answer = await session.search({ query: `find_me ${"word ".repeat(20_000)}` });
    expect(answer.warnings.join()).toContain("cut");
    expect(answer.hits[0]?.path).toBe("good.py");
  });

  it("a query for an index with a hostile name is refused", async () => {
    const answer = session.search({ query: "x", indexes: ['a"; drop table y'] });
    await expect(answer).rejects.toThrow("index name");
  });
});
