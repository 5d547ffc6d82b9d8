/** Hubs, cycles and layers of modules, and their pictures. */

import { describe, expect, it } from "vitest";
import { toModules } from "../../server/cli/deps-modules.ts";
import { draw } from "../../server/cli/deps-picture.ts";
import type { ExportedEdge } from "../../server/contracts/graph-requests.ts";

/** `ab` is an import from `a` to `b`. */
function modulesOf(files: string, edges: string) {
  const imports = edges.split(" ").map(
    ([from = "", to = ""]): ExportedEdge => ({
      kind: "import",
      from: `src/${from}.ts`,
      to: `src/${to}.ts`,
      line: 0,
      confidence: 1,
      how: "relative",
    }),
  );
  return toModules(
    files.split("").map((file) => `src/${file}.ts`),
    imports,
    () => true,
  );
}

const short = (path: string) => path.slice(4, -3);

describe("modules", () => {
  it("finds exactly the cycles, also overlapping ones", () => {
    const { cycles } = modulesOf("abcdefg", "ab bc ca cd de ed ef");
    expect(cycles.map((cycle) => cycle.map(short).join(""))).toEqual(["abc", "de"]);
  });
  it("sorts cycles by length, then by first path", () => {
    const { cycles } = modulesOf("abcdefghi", "hi ih ba ab fe ef cd dg gc");
    expect(cycles.map((cycle) => cycle.map(short).join(""))).toEqual(["cdg", "ab", "ef", "hi"]);
  });
  it("puts each file one layer above its imports, and a cycle into one layer", () => {
    const { layers } = modulesOf("abcde", "ab bc cb cd");
    const found = [...layers].map(([path, layer]) => `${short(path)}${layer}`).toSorted();
    expect(found).toEqual(["a2", "b1", "c1", "d0", "e0"]);
  });
  it("ignores calls and edges to files outside", () => {
    const call: ExportedEdge = {
      kind: "call",
      at: { file: "a", line: 0, column: 0 },
      name: "f",
      to: { file: "b", line: 0, name: "f" },
      confidence: 1,
      how: "",
    };
    const { imports } = toModules(["a", "b"], [call], (path) => path === "a");
    expect(imports.size).toBe(0);
  });
  it("handles a chain of thousands of files", () => {
    const files = Array.from({ length: 5_000 }, (_, i) => `f${String(i).padStart(4, "0")}`);
    const edges = files.slice(1).map(
      (to, i): ExportedEdge => ({
        kind: "import",
        from: files[i] ?? "",
        to,
        line: 0,
        confidence: 1,
        how: "",
      }),
    );
    expect(toModules(files, edges, () => true).layers.get("f0000")).toBe(4_999);
  });
});

describe("pictures", () => {
  const modules = modulesOf("abc", "ab ba bc");
  it("mark cycles in each format", () => {
    expect(draw(modules, "dot")).toContain('"src/a.ts" -> "src/b.ts" [color=red]');
    expect(draw(modules, "dot")).toContain('"src/b.ts" -> "src/c.ts"\n');
    expect(draw(modules, "mermaid")).toContain("linkStyle 0,1 stroke:red");
    expect(draw(modules, "svg").match(/class="cycle"/g)).toHaveLength(2);
  });
  it("escape file names", () => {
    const path = 'a"]<script>.ts';
    const edge: ExportedEdge = {
      kind: "import",
      from: path,
      to: "b.ts",
      line: 0,
      confidence: 1,
      how: "",
    };
    const hostile = toModules([path, "b.ts"], [edge], () => true);
    expect(draw(hostile, "dot")).toContain('"a\\"]<script>.ts" -> "b.ts"');
    expect(draw(hostile, "mermaid")).toContain('f0["a#quot;]<script>.ts"]');
    expect(draw(hostile, "svg")).not.toContain("<script>");
  });
});
