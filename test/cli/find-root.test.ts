/** The folder that a command is about, and how the paths of its files are shown. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findFile, pathFromFolder } from "../../server/cli/find-root.ts";
import { findRoot } from "../../server/config/project-root.ts";

describe("the root", () => {
  let folder = "";
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-root-")));
    for (const path of ["shop/.git", "shop/src/deep", "home/.git", "home/papers", "notes/deep"]) {
      mkdirSync(join(folder, path), { recursive: true });
    }
    writeFileSync(join(folder, "notes/.cocosearch.yml"), "");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function check(cwd: string, named: string | undefined, expected: string): void {
    expect(findRoot(join(folder, cwd), named, join(folder, "home"))).toBe(join(folder, expected));
  }

  it("is the nearest project around the current folder", () =>
    check("shop/src/deep", undefined, "shop"));
  it("is a folder with a settings file of any supported name", () =>
    check("notes/deep", undefined, "notes"));
  it("is the current folder without a project", () => check("", undefined, ""));
  it("is the folder of --root", () => check("shop/src", "../src/deep", "shop/src/deep"));
  it("is never the home folder, even if that is a repository", () =>
    check("home/papers", undefined, "home/papers"));
});

describe("a named file", () => {
  it("keeps its path for a link out of the project, else gets its real path", () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-links-")));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const root = join(folder, "shop");
    for (const path of ["shop/src", "elsewhere"])
      mkdirSync(join(folder, path), { recursive: true });
    for (const path of ["shop/src/a.ts", "elsewhere/b.ts"]) writeFileSync(join(folder, path), "");
    symlinkSync("../elsewhere/b.ts", join(root, "out.ts"));
    symlinkSync("../elsewhere", join(root, "out"));
    symlinkSync("src/a.ts", join(root, "within.ts"));
    symlinkSync("shop", join(folder, "other"));
    const found = (named: string, cwd = root) => findFile(cwd, root, named);
    expect(found("out.ts")).toBe(join(root, "out.ts"));
    expect(found("out/b.ts")).toBe(join(root, "out/b.ts"));
    expect(found("out.ts", join(folder, "other"))).toBe(join(root, "out.ts"));
    expect(found("within.ts")).toBe(join(root, "src/a.ts"));
    expect(found("../elsewhere/b.ts")).toBe(join(folder, "elsewhere/b.ts"));
  });
});

describe("a path", () => {
  const shown = (cwd: string) => pathFromFolder(cwd, "/shop", "src/a.ts");
  it("is relative inside the project", () => expect(shown("/shop")).toBe("src/a.ts"));
  it("goes up inside the project", () => expect(shown("/shop/test")).toBe("../src/a.ts"));
  it("is relative above the project", () => expect(shown("/")).toBe("shop/src/a.ts"));
  it("is absolute outside the project", () => expect(shown("/other")).toBe("/shop/src/a.ts"));
});
