/** What users have on their disks and type into their editors on a bad day: each is answered, nothing breaks. */

import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Session } from "../../server/contracts/session.ts";
import { type TestEngine, testEngine } from "../support/engine.ts";
import { workspace, write } from "../support/workspace.ts";

let engine: TestEngine;
let session: Session;

beforeAll(() => {
  engine = testEngine();
  session = engine.session();
});
afterAll(() => engine.dispose());

async function indexed(root: string): Promise<void> {
  await session.openFolders([root]);
  await session.whenIdle();
}

describe("files", () => {
  it("of every odd kind are indexed or excluded with a reason; the rest is indexed", async () => {
    const root = workspace("//- good.py\ndef find_me():\n    return 1\n");
    const file = (name: string, content: string | Buffer) =>
      writeFileSync(join(root, name), content);
    file("binary.py", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0, 0]));
    file("huge.py", "x = 1\n".repeat(9_000_000));
    file("long-line.txt", `needle_in_line ${"lorem ipsum ".repeat(80_000)}`);
    file("endless.py", `data = "${"a".repeat(5_000_000)}"\n`);
    file(
      "latin.py",
      Buffer.from([0x6c, 0x61, 0x74, 0x69, 0x6e, 0x5f, 0x6e, 0x61, 0x6d, 0x65, 0xe9, 0x0a]),
    );
    file("utf16.py", Buffer.from("\ufeffdef sixteen_bits(): pass\n", "utf16le"));
    file("empty.py", "");
    file("deep.js", `${"[".repeat(20_000)}${"]".repeat(20_000)}`);
    file('it\'s "odd"\n😀.py', "def odd_name_function(): pass\n");
    file("secret.py", "unreadable_function = 1");
    chmodSync(join(root, "secret.py"), 0o000);
    symlinkSync(root, join(root, "loop"));
    await indexed(root);

    const status = await session.status();
    expect(status.state).toBe("ready");
    const rules = Object.keys(status.indexes[0]?.excluded ?? {}).join("; ");
    expect(rules).toContain("binary");
    expect(rules).toContain("larger than maxFileBytes");
    const first = async (query: string) => (await session.search({ query })).hits[0]?.path;
    expect(await first("find_me")).toBe("good.py");
    expect(await first("sixteen_bits")).toBe("utf16.py");
    expect(await first("odd_name_function")).toBe('it\'s "odd"\n😀.py');
    expect(await first("needle_in_line")).toBe("long-line.txt");
    expect(await session.why(join(root, "huge.py"))).toContain("larger than maxFileBytes");
    expect(await session.why(join(root, "binary.py"))).toContain("binary");
    expect(await session.why(join(root, "good.py"))).toContain("is indexed");
  });
});

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

  it("of 100 thousand characters are cut, with a warning", async () => {
    const answer = await session.search({ query: `find_me ${"word ".repeat(20_000)}` });
    expect(answer.warnings.join()).toContain("cut");
    expect(answer.hits[0]?.path).toBe("good.py");
  });

  it("for an index with a hostile name are refused", async () => {
    const answer = session.search({ query: "x", indexes: ['a"; drop table y'] });
    await expect(answer).rejects.toThrow("index name");
  });
});
