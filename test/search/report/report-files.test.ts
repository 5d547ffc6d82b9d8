/** Which files of an index a bug report names, and how much each naming says. */

import { describe, expect, it } from "vitest";
import { filesOfReport } from "../../../server/search/report/report-files.ts";
import type { ReportPlace } from "../../../server/search/report/report-frames.ts";
import { chunkOf, lanesOf } from "../support.ts";

/** Each file that is named, with its weight in hundredths. */
function named(
  files: string,
  places: readonly ReportPlace[],
  modules: readonly { path: string; weight: number }[] = [],
): Record<string, number> {
  const lanes = lanesOf(...files.split(" ").map((path) => chunkOf(path, "")));
  const found = filesOfReport(places, modules, lanes);
  return Object.fromEntries(
    [...found].map(([path, { weight }]) => [path, Math.round(weight * 100)]),
  );
}

const at = (path: string, weight = 1): ReportPlace => ({ path, weight });

describe("a path of another machine", () => {
  it.each([
    ["an installed package", "/usr/lib/python3.8/site-packages/shop/load.py", "shop/load.py"],
    ["Windows", "C:\\src\\shop\\load.py", "shop/load.py"],
    ["a checkout with another layout", "/home/me/app/shop/load.py", "src/shop/load.py"],
    ["a path from the root", "src/shop/load.py", "src/shop/load.py"],
  ])("names the file that shares its end: %s", (_name, written, file) =>
    expect(named(`${file} other/load.py`, [at(written)])).toEqual({ [file]: 100 }),
  );

  it("names none by the file's name alone where several have it", () =>
    expect(named("a/load.py b/load.py", [at("/x/y/load.py")])).toEqual({}));
  it("names the only file of that name", () =>
    expect(named("a/load.py b/store.py", [at("/x/y/load.py")])).toEqual({ "a/load.py": 100 }));
  it.each([
    "/usr/lib/python3.8/load.py",
    "/x/node_modules/other/load.py",
    "/x/site-packages/other/load.py",
    "/home/me/.cargo/registry/src/load.py",
  ])("does not take a library's file for one of the same name: %s", (path) =>
    expect(named("a/load.py b/store.py", [at(path)])).toEqual({}),
  );

  it("is shared by files that match as well", () =>
    expect(named("a/x/load.py b/x/load.py", [at("x/load.py")])).toEqual({
      "a/x/load.py": 50,
      "b/x/load.py": 50,
    }));
  it("is none where too many do", () => {
    const many = ["a", "b", "c", "d", "e", "f"].map((name) => `${name}/x/load.py`).join(" ");
    expect(named(many, [at("x/load.py")])).toEqual({});
  });
  it("distinguishes extensions", () =>
    expect(named("a/load.ts a/load.py", [at("a/load.py")])).toEqual({ "a/load.py": 100 }));
});

describe("the frames of a traceback", () => {
  const frame = (path: string, line: number): ReportPlace => ({
    path,
    line,
    weight: 1,
    trace: "x:1",
  });
  const FILES = "a.py b.py c.py d.py e.py f.py";

  it("say less the further out they are", () =>
    expect(named(FILES, ["a.py", "b.py", "c.py"].map(frame))).toEqual({
      "a.py": 100,
      "b.py": 65,
      "c.py": 42,
    }));
  it("count from the first frame outside of libraries", () =>
    expect(named(FILES, [frame("/usr/lib/x/json.py", 1), frame("b.py", 2)])).toEqual({
      "b.py": 100,
    }));
  it("a frame always has some weight", () =>
    expect(named(FILES, FILES.split(" ").map(frame))["f.py"]).toBe(20));
  it("are kept with the file, innermost first", () => {
    const lanes = lanesOf(chunkOf("a.py", ""));
    const found = filesOfReport([frame("a.py", 7), frame("a.py", 9)], [], lanes);
    expect(found.get("a.py")?.places.map(({ line, weight }) => [line, weight])).toEqual([
      [7, 1],
      [9, 0.65],
    ]);
  });
  it("frames of another traceback begin again", () =>
    expect(
      named(FILES, [frame("a.py", 1), { path: "b.py", line: 1, weight: 1, trace: "y:1" }]),
    ).toEqual({ "a.py": 100, "b.py": 100 }));
});

describe("a module", () => {
  it("is a file, or the file of a folder that is named like it", () => {
    const modules = [{ path: "shop/parsing/load", weight: 0.6 }];
    expect(named("shop/parsing/load.py other/load.py", [], modules)).toEqual({
      "shop/parsing/load.py": 30,
    });
    expect(named("src/shop/parsing/load/load.py", [], modules)).toEqual({
      "src/shop/parsing/load/load.py": 30,
    });
  });
  it("says less than a place", () =>
    expect(
      named("shop/load.py", [at("shop/load.py", 0.8)], [{ path: "shop/load", weight: 1 }]),
    ).toEqual({ "shop/load.py": 80 }));
});
