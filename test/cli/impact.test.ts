/** `impact`: requests and output. */

import { join } from "node:path";
import { expect, it } from "vitest";
import type { ImpactAnswer, ImpactRequest } from "../../server/contracts/graph-requests.ts";
import { workspace } from "../support/workspace.ts";
import { run, STATUS } from "./run-cli.ts";

const ANSWER: ImpactAnswer = {
  changed: ["a.ts"],
  files: [
    { path: "docs.md", reason: "co-change", coChange: 0.5 },
    { path: "a_test.ts", reason: "name" },
  ],
  total: 2,
  tests: ["test/pool.test.ts"],
  testsTotal: 1,
  coChanged: [{ path: "docs.md", score: 0.5 }],
  coChangedTotal: 1,
  notIndexed: ["gone.ts"],
};
const NOTHING: ImpactAnswer = {
  changed: [],
  files: [],
  total: 0,
  tests: [],
  testsTotal: 0,
  coChanged: [],
  coChangedTotal: 0,
  notIndexed: [],
};

async function impact(args: readonly string[], { input = "", answer = ANSWER, from = "." } = {}) {
  const asked: ImpactRequest[] = [];
  const root = workspace("//- a.ts\n//- src/b.ts\n");
  const outcome = await run([...args, "--root", root], {
    cwd: join(root, from),
    input,
    session: {
      status: () => Promise.resolve(STATUS),
      impact: (request) => {
        asked.push(request);
        return Promise.resolve(answer);
      },
    },
  });
  return { ...outcome, asked: asked[0] };
}

it("`impact --diff` compares with HEAD or the revision", async () => {
  const { asked, out, err, code } = await impact(["impact", "--diff"]);
  expect(asked).toEqual({ revision: "HEAD", root: asked?.root });
  expect(out).toMatch(
    /changed: 1 file\nmay have to change too:\n +docs\.md +only changed together in commits\n +a_test\.ts +only a similar name/,
  );
  expect(out).toContain("tests to run:\n  test/pool.test.ts");
  expect([err, code]).toEqual(["gone.ts is not indexed\n", 0]);
  expect((await impact(["deps", "impact", "--diff", "main~2"])).asked?.revision).toBe("main~2");
});

it("`impact` prints paths relative to the current folder", async () => {
  const { out, err } = await impact(["impact", "--diff"], { from: "src" });
  expect([out, err]).toEqual([
    expect.stringContaining("  ../test/pool.test.ts"),
    "../gone.ts is not indexed\n",
  ]);
});

it("`impact` notes how many files and tests are not shown", async () => {
  const answer = { ...ANSWER, total: 1_236, testsTotal: 31 };
  const { err } = await impact(["impact", "a.ts"], { answer });
  expect(err).toContain("note: and 1,234 more files, of 1,236; --limit 1000 shows the most\n");
  expect(err).toContain("note: and 30 more tests, of 31; --limit 31 shows all\n");
});

it("`impact` lists dependents before files that are likely to change too", async () => {
  const step = (path: string, via: string, dependent: boolean, hops: number) =>
    ({ path, via, dependent, hops, line: 0, types: ["import"], reason: "graph" }) as const;
  const files = [
    step("used.ts", "a.ts", false, 1),
    step("user.ts", "a.ts", true, 1),
    step("user_of_used.ts", "used.ts", true, 2),
    step("user_of_user.ts", "user.ts", true, 2),
    step("user_of_what_is_not_listed.ts", "b.ts", true, 2),
  ];
  const { out } = await impact(["impact", "a.ts"], {
    answer: { ...ANSWER, files, total: files.length },
  });
  expect(out.split("\n").map((line) => line.split(/ {2,}/).slice(0, 2).join(" "))).toEqual([
    "may break:",
    " user.ts",
    " user_of_user.ts",
    "may have to change too:",
    " used.ts",
    " user_of_used.ts",
    " user_of_what_is_not_listed.ts",
    "tests to run:",
    " test/pool.test.ts",
    "",
  ]);
});

it("`impact --patch -` reads a diff from standard input", async () => {
  const { asked } = await impact(["impact", "--patch", "-"], { input: "diff --git a/x b/x\n" });
  expect(asked?.diff).toBe("diff --git a/x b/x\n");
});

it("`impact` resolves files relative to the current folder", async () => {
  const { asked } = await impact(["impact", "a.ts"]);
  expect(asked?.paths?.map((path) => path.endsWith("a.ts"))).toEqual([true]);
});

it("`impact` reports an empty diff", async () => {
  const { out, err, code } = await impact(["impact", "--diff"], { answer: NOTHING });
  expect([out, err, code]).toEqual(["", "the diff changes no file of this workspace\n", 1]);
});

it("`impact` prints no blank line without affected files", async () => {
  const { out, code } = await impact(["impact", "--diff"], {
    answer: { ...NOTHING, changed: ["a.ts"] },
  });
  expect([out, code]).toEqual(["changed: 1 file\ntests to run: none found\n", 1]);
});

it("`impact` exits with 0 if only tests are found", async () => {
  const { out, code } = await impact(["impact", "--diff"], {
    answer: { ...NOTHING, changed: ["a_test.ts"], tests: ["a_test.ts"] },
  });
  expect([out, code]).toEqual(["changed: 1 file\ntests to run:\n  a_test.ts\n", 0]);
});

it("`impact` refuses both files and a diff, and neither", async () => {
  for (const args of [["impact"], ["impact", "--diff", "--patch", "-"]]) {
    const { asked, code } = await impact(args);
    expect([asked, code]).toEqual([undefined, 2]);
  }
});
