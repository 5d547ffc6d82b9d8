/** Which files a diff changes, and `deps impact --diff`. */

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pathsOfDiff } from "../../server/cli/diff-paths.ts";
import type { ImpactAnswer, ImpactRequest } from "../../server/contracts/graph-requests.ts";
import { workspace } from "../support/workspace.ts";
import { run, STATUS } from "./run-cli.ts";

const GIT = `rename from a message to nowhere
diff --git a/src/my pool.ts b/src/my pool.ts
index 1..2 100644
--- a/src/my pool.ts
+++ b/src/my pool.ts
@@ -1,2 +1,2 @@
--- a/removed.sql
+++ b/added.sql
diff --git a/old/name.ts b/new/other.ts
similarity index 90%
rename from old/name.ts
rename to new/other.ts
diff --git a/gone.ts b/gone.ts
deleted file mode 100644
--- a/gone.ts
+++ /dev/null
diff --git a/logo.png b/logo.png
Binary files a/logo.png and b/logo.png differ
diff --git "a/stra\\303\\237e.ts" "b/stra\\303\\237e.ts"
`;

describe("the paths of a diff", () => {
  it("are those of git's headers, of lines that only look like them none", () => {
    expect(pathsOfDiff(GIT)).toEqual([
      "src/my pool.ts",
      "old/name.ts",
      "new/other.ts",
      "gone.ts",
      "logo.png",
      "straße.ts",
    ]);
    expect(pathsOfDiff(GIT.replaceAll("\n", "\r\n"))).toEqual(pathsOfDiff(GIT));
  });

  it("are found without git's prefixes, and with others", () => {
    expect(pathsOfDiff("diff --git a/x.ts a/x.ts\n")).toEqual(["a/x.ts"]);
    expect(pathsOfDiff("diff --git i/x.ts w/x.ts\n")).toEqual(["x.ts"]);
    expect(pathsOfDiff("diff --cc src/merged.ts\n")).toEqual(["src/merged.ts"]);
  });

  it("are found in what diff -u writes, also where a removed line looks like a header", () => {
    const diff = `--- a/x.ts\t2026-01-01 10:00:00
+++ b/x.ts\t2026-01-02 10:00:00
@@ -1,2 +1,2 @@
 same
--- removed.sql
+++ added.sql
--- /dev/null
+++ b/new.ts
@@ -0,0 +1 @@
+one
`;
    expect(pathsOfDiff(diff)).toEqual(["x.ts", "new.ts"]);
    expect(pathsOfDiff("no diff at all\n")).toEqual([]);
  });
});

describe("deps impact --diff -", () => {
  const ANSWER: ImpactAnswer = {
    files: [{ path: "docs.md", reason: "co-change", coChange: 0.5 }],
    total: 1,
    tests: ["test/pool.test.ts"],
    coChanged: [{ path: "docs.md", score: 0.5 }],
    notIndexed: ["gone.ts"],
  };

  async function impact(args: readonly string[], root: string, input: string) {
    const asked: ImpactRequest[] = [];
    const outcome = await run(["deps", "impact", "--root", root, ...args], {
      input,
      session: {
        status: () => Promise.resolve(STATUS),
        impact: (request) => {
          asked.push(request);
          return Promise.resolve(ANSWER);
        },
      },
    });
    return { ...outcome, asked };
  }

  it("asks about the files of the workspace, from the top of the repository", async () => {
    const top = realpathSync(workspace("//- .git/HEAD\nref\n//- app/a.ts\n//- app/b.ts\n"));
    const diff = ["app/a.ts", "other/c.ts", "b.ts"].map((path) => `diff --git a/${path} b/${path}`);
    const { asked, out, err, code } = await impact(
      ["--diff", "-"],
      join(top, "app"),
      diff.join("\n"),
    );
    expect(asked).toEqual([{ paths: [join(top, "app/a.ts"), join(top, "app/b.ts")] }]);
    expect(out).toMatch(/docs\.md +only changed together/);
    expect(err).toBe("gone.ts is not indexed\n");
    expect(code).toBe(0);
  });

  it("has nothing to say of an empty diff, and refuses files with one", async () => {
    const root = workspace("//- a.ts\n");
    const { asked, code } = await impact(["--diff", "-"], root, "");
    expect([asked, code]).toEqual([[], 1]);
    const refused = await impact(["a.ts", "--diff", "-"], root, "");
    expect([refused.asked, refused.code]).toEqual([[], 2]);
  });
});
