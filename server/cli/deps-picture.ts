/** Draws the import graph: as DOT for Graphviz, as Mermaid, and as SVG. */

import { baseNameOf, folderOf } from "../common/relative-path.ts";
import type { Modules } from "./deps-modules.ts";

export const PICTURE_FORMATS = ["dot", "mermaid", "svg"] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

interface Edge {
  readonly from: string;
  readonly to: string;
  /** Whether it is part of a cycle. */
  readonly isCyclic: boolean;
}

export function draw(modules: Modules, format: PictureFormat): string {
  const edges = edgesOf(modules);
  if (format === "dot") return toDot(modules, edges);
  return format === "mermaid" ? toMermaid(modules, edges) : toSvg(modules, edges);
}

function edgesOf({ imports, cycles }: Modules): Edge[] {
  const groups = new Map(cycles.flatMap((cycle, i) => cycle.map((file) => [file, i] as const)));
  return [...imports].flatMap(([from, targets]) =>
    [...targets].map((to) => {
      const group = groups.get(from);
      return { from, to, isCyclic: group !== undefined && group === groups.get(to) };
    }),
  );
}

/** The files, grouped by folder. */
function foldersOf({ files }: Modules): [folder: string, files: readonly string[]][] {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = folderOf(file);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return [...folders];
}

function toDot(modules: Modules, edges: readonly Edge[]): string {
  const clusters = foldersOf(modules).flatMap(([folder, files], i) => [
    `  subgraph ${quoteForDot(`cluster_${i}`)} {`,
    `    label=${quoteForDot(folder === "" ? "." : folder)}`,
    ...files.map((file) => `    ${quoteForDot(file)} [label=${quoteForDot(baseNameOf(file))}]`),
    "  }",
  ]);
  const arrows = edges.map(
    ({ from, to, isCyclic }) =>
      `  ${quoteForDot(from)} -> ${quoteForDot(to)}${isCyclic ? " [color=red]" : ""}`,
  );
  const head = ["digraph imports {", "  rankdir=LR", "  node [shape=box]"];
  return [...head, ...clusters, ...arrows, "}"].join("\n");
}

function quoteForDot(text: string): string {
  return `"${text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll(/[\r\n]/g, " ")}"`;
}

function toMermaid(modules: Modules, edges: readonly Edge[]): string {
  const ids = new Map(modules.files.map((file, i) => [file, `f${i}`]));
  const label = (text: string) => `"${text.replaceAll('"', "#quot;").replaceAll(/[\r\n]/g, " ")}"`;
  const clusters = foldersOf(modules).flatMap(([folder, files], i) => [
    `  subgraph d${i} [${label(folder === "" ? "." : folder)}]`,
    ...files.map((file) => `    ${ids.get(file)}[${label(baseNameOf(file))}]`),
    "  end",
  ]);
  const arrows = edges.map(({ from, to }) => `  ${ids.get(from)} --> ${ids.get(to)}`);
  const cyclic = edges.flatMap(({ isCyclic }, i) => (isCyclic ? [i] : []));
  const marks = cyclic.length === 0 ? [] : [`  linkStyle ${cyclic.join(",")} stroke:red`];
  return ["flowchart LR", ...clusters, ...arrows, ...marks].join("\n");
}

const COLUMN = 260;
const ROW = 34;
const BOX = { width: 200, height: 22 };

/** One column per layer, files without imports on the right. */
function toSvg(modules: Modules, edges: readonly Edge[]): string {
  const highest = Math.max(0, ...modules.layers.values());
  const rows = new Map<number, number>();
  const places = new Map(
    foldersOf(modules)
      .flatMap(([, files]) => files)
      .map((file) => {
        const column = highest - (modules.layers.get(file) ?? 0);
        const row = rows.get(column) ?? 0;
        rows.set(column, row + 1);
        return [file, { x: 20 + column * COLUMN, y: 20 + row * ROW }] as const;
      }),
  );
  const height = 40 + Math.max(1, ...rows.values()) * ROW;
  const width = 40 + (highest + 1) * COLUMN;
  const boxes = [...places].map(([file, { x, y }]) => {
    const box = `<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="4"/>`;
    const text = `<text x="${x + 8}" y="${y + 15}">${escaped(baseNameOf(file))}</text>`;
    return `<g><title>${escaped(file)}</title>${box}${text}</g>`;
  });
  const arrows = edges.flatMap(({ from, to, isCyclic }) => {
    const [a, b] = [places.get(from), places.get(to)];
    if (a === undefined || b === undefined) return [];
    const [x1, y1] = [a.x + BOX.width, a.y + BOX.height / 2];
    const [x2, y2] = [b.x, b.y + BOX.height / 2];
    const bend = Math.max(30, Math.abs(x2 - x1) / 2);
    const curve = `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
    return [`<path class="${isCyclic ? "cycle" : "edge"}" d="${curve}"/>`];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`,
    "<style>rect{fill:#f4f6f8;stroke:#8896a5}.edge{fill:none;stroke:#b0bac5}.cycle{fill:none;stroke:#d33}</style>",
    ...arrows,
    ...boxes,
    "</svg>",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
