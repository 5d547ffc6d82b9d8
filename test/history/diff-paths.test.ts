/** Which files a diff changes. */

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { locateDiffPaths, pathsOfDiff } from "../../server/history/diff-paths.ts";
import { workspace } from "../support/workspace.ts";

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
diff --git "a/bell\\a.ts" "b/bell\\a.ts"
`;

describe("the paths of a diff", () => {
  it("come from git's headers, and not from lines that only look like headers", () => {
    expect(pathsOfDiff(GIT)).toEqual([
      "src/my pool.ts",
      "old/name.ts",
      "new/other.ts",
      "gone.ts",
      "logo.png",
      "straße.ts",
      "bell\u0007.ts",
    ]);
    expect(pathsOfDiff(GIT.replaceAll("\n", "\r\n"))).toEqual(pathsOfDiff(GIT));
  });

  it("are found without git's prefixes and with other prefixes", () => {
    expect(pathsOfDiff("diff --git a/x.ts a/x.ts\n")).toEqual(["a/x.ts"]);
    expect(pathsOfDiff("diff --git i/x.ts w/x.ts\n")).toEqual(["x.ts"]);
    expect(pathsOfDiff("diff --cc src/merged.ts\n")).toEqual(["src/merged.ts"]);
  });

  it("are found in the output of diff -u, also if a removed line looks like a header", () => {
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

it("are located from the top of the repository and limited to the workspace", () => {
  const top = realpathSync(workspace("//- .git/HEAD\nref\n//- app/a.ts\n//- app/b.ts\n"));
  const paths = ["app/a.ts", "other/c.ts", "b.ts"];
  const expected = ["app/a.ts", "app/b.ts"].map((path) => join(top, path));
  expect(locateDiffPaths(join(top, "app"), paths)).toEqual(expected);
});
