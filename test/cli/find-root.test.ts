/** The folder that a command is about, and how the paths of its files are shown. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shownPath } from "../../server/cli/find-root.ts";
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
  it("is one with a settings file, whatever that is called", () =>
    check("notes/deep", undefined, "notes"));
  it("is the current folder where there is no project", () => check("", undefined, ""));
  it("is what was named", () => check("shop/src", "../src/deep", "shop/src/deep"));
  it("is never a home folder because that is a repository", () =>
    check("home/papers", undefined, "home/papers"));
});

describe("a path", () => {
  const shown = (cwd: string) => shownPath(cwd, "/shop", "src/a.ts");
  it("is short inside the project", () => expect(shown("/shop")).toBe("src/a.ts"));
  it("goes up inside the project", () => expect(shown("/shop/test")).toBe("../src/a.ts"));
  it("is short above the project", () => expect(shown("/")).toBe("shop/src/a.ts"));
  it("is whole elsewhere", () => expect(shown("/other")).toBe("/shop/src/a.ts"));
});
