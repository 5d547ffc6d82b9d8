/** The sources of the model: each has a permissive license by the text of its files, or is refused. */

import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { workspace } from "../support/workspace.ts";

const TRAIN = resolve(import.meta.dirname, "../../scripts/train");
const hasPython =
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]).status === 0;

const MIT = "MIT License\n\nPermission is hereby granted, free of charge, to any person";
const APACHE = "Apache License\n   Version 2.0, January 2004";
const BSD = `Redistribution and use in source and binary forms, with or without
# modification. Neither the name of the author`;
const GPL = "GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007";

const SOURCES: readonly (readonly [
  what: string,
  files: Readonly<Record<string, string>>,
  stated: string,
  verdict: string,
])[] = [
  ["MIT", { LICENSE: MIT }, "", "MIT"],
  ["Apache", { "LICENSE.txt": APACHE }, "Apache-2.0", "Apache-2.0"],
  ["BSD in comments", { COPYING: BSD }, "", "BSD-3-Clause"],
  ["packages with licenses of their own", { "a/LICENSE": MIT, "a/x.py": "x" }, "", "MIT"],
  ["GPL", { LICENSE: GPL }, "", "no license file that is known to be permissive"],
  ["no license", { "README.md": MIT }, "", "no license file that is known to be permissive"],
  ["MIT beside GPL", { LICENSE: MIT, COPYING: GPL }, "", "a license file that is not permissive"],
  ["a choice of two", { LICENSE: MIT, COPYING: GPL }, "MIT OR GPL-3.0", "MIT"],
  ["another than the list says", { LICENSE: MIT }, "ISC", "the list says ISC, the files MIT"],
];

/** Input of `git fast-import`: a branch for each source, all in one repository. */
function branchOf(files: Readonly<Record<string, string>>, name: string): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const written = Object.entries(files).map(
    ([path, text]) => `M 644 inline ${path}\n${data(text)}`,
  );
  const head = `commit refs/heads/${name}\ncommitter t <t@localhost> 0 +0000\n${data("x")}`;
  return `${head}${written.join("")}\n`;
}

/** The output of the program for each source: the license, or the problem. One process, because each takes a moment to start. */
function verdicts(): string[] {
  const root = workspace();
  execFileSync("git", ["init", "-q"], { cwd: root });
  const input = SOURCES.map(([, files], i) => branchOf(files, `source${i}`)).join("");
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, input });
  const program = `import sys, licenses
for i, stated in enumerate(sys.argv[2:]):
    verdict = licenses.judge(sys.argv[1], f"source{i}", stated)
    print(verdict.problem or verdict.license)`;
  const args = ["-c", program, join(root, ".git"), ...SOURCES.map(([, , stated]) => stated)];
  return execFileSync("python3", args, { cwd: TRAIN, encoding: "utf8" }).trim().split("\n");
}

it.skipIf(!hasPython)("judges a source by its files and by its entry in the list", () => {
  expect(verdicts().map((verdict, i) => [SOURCES[i]?.[0], verdict])).toEqual(
    SOURCES.map(([what, , , verdict]) => [what, verdict]),
  );
});

describe("the list of sources", () => {
  const rows = (file: string) =>
    readFileSync(join(TRAIN, file), "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
  const sources = rows("sources.tsv").map((line) => line.split("\t"));

  it("names kind, name, revision and license of each, once", () => {
    for (const [kind, name, revision, license] of sources) {
      expect(["git", "pypi"]).toContain(kind);
      expect(name).toMatch(kind === "git" ? /^[\w.-]+\/[\w.-]+$/ : /^[a-z\d-]+$/);
      expect(revision).toMatch(kind === "git" ? /^[\da-f]{40}$/ : /^[\d.]+/);
      expect(license).toMatch(
        /^(Apache-2.0|MIT|BSD-[23]-Clause|ISC|Zlib|PostgreSQL|PSF-2.0|Unlicense)( OR |$)/,
      );
    }
    expect(new Set(sources.map(([, name]) => name)).size).toBe(sources.length);
  });

  it("has no repository that judges the model", () => {
    const judged = new Set(rows("excluded.txt").map((line) => line.split(" ")[0]?.toLowerCase()));
    expect(judged.size).toBeGreaterThan(60);
    expect(sources.filter(([, name]) => judged.has(name?.toLowerCase()))).toEqual([]);
  });
});
