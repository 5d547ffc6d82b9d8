/** Writes the results of a benchmark as a page with a plot: test/bench/results.md and growth.svg. */

import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { basename, join, resolve } from "node:path";
import { type Numbers, namesOf } from "./statistics.ts";

const FOLDER = resolve(import.meta.dirname, "../../test/bench");

export interface Measured {
  readonly root: string;
  /** The measured program: this checkout, or the name of a revision. */
  readonly program: string;
  readonly runs: number;
  /** The medians of the runs. */
  readonly numbers: Numbers;
}

interface Curve {
  readonly title: string;
  readonly color: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export function writeResults(measured: readonly Measured[]): void {
  mkdirSync(FOLDER, { recursive: true });
  const curves = curvesOf(measured);
  const lines = [
    "# Measured",
    "",
    "Written by `npm run bench -- --results`; the numbers belong to the machine and the minute that they were taken on.",
    `Medians, interleaved where two programs are compared; Node ${process.versions.node}, ${cpus().length} cores.`,
    "",
    ...markdownTable(measured),
    "",
    ...(curves.some(({ points }) => points.length > 1)
      ? ["![Time to index and to answer, by the number of chunks](growth.svg)", ""]
      : []),
  ];
  writeFileSync(join(FOLDER, "results.md"), lines.join("\n"));
  writeFileSync(join(FOLDER, "growth.svg"), plot(curves));
}

/** A column per repository and program, a row per number. */
function markdownTable(measured: readonly Measured[]): string[] {
  const names = namesOf(measured);
  const heads = measured.map(({ root, program }) => `${basename(root)}, ${program}`);
  return [
    `| | ${heads.join(" | ")} |`,
    `|---|${heads.map(() => "---:|").join("")}`,
    `| runs | ${measured.map(({ runs }) => runs).join(" | ")} |`,
    ...names.map(
      (name) => `| ${name} | ${measured.map(({ numbers }) => numbers[name] ?? "-").join(" | ")} |`,
    ),
  ];
}

function curvesOf(measured: readonly Measured[]): Curve[] {
  const newest = measured.at(-1)?.program;
  const own = measured.filter(({ program }) => program === newest);
  const curve = (title: string, color: string, name: string): Curve => ({
    title,
    color,
    points: own
      .map(({ numbers }) => [numbers["chunks"] ?? 0, numbers[name] ?? 0] as const)
      .filter(([x, y]) => x > 0 && y > 0)
      .toSorted(([a], [b]) => a - b),
  });
  return [
    curve("first index, ms", "#2b6cb0", "settledMs"),
    curve("CPU of the first index, ms", "#b7791f", "indexCpuMs"),
    curve("question, ms (p50)", "#2f855a", "searchP50Ms"),
  ];
}

const WIDTH = 640;
const HEIGHT = 320;
const MARGIN = 50;

/** Both axes are logarithmic: a straight line of slope one grows with the size. */
function plot(curves: readonly Curve[]): string {
  const all = curves.flatMap(({ points }) => points);
  const x = scale(
    all.map(([at]) => at),
    [MARGIN, WIDTH - MARGIN],
  );
  const y = scale(
    all.map(([, at]) => at),
    [HEIGHT - MARGIN, MARGIN],
  );
  const marks = curves.flatMap(({ title, color, points }, i) => [
    `<polyline fill="none" stroke="${color}" points="${points.map(([a, b]) => `${x(a)},${y(b)}`).join(" ")}"/>`,
    ...points.map(
      ([a, b]) =>
        `<circle cx="${x(a)}" cy="${y(b)}" r="3" fill="${color}"><title>${a}: ${b}</title></circle>`,
    ),
    `<text x="${MARGIN}" y="${16 + 14 * i}" fill="${color}">${title}</text>`,
  ]);
  const ends = [...new Set(all.map(([at]) => at))].toSorted((a, b) => a - b);
  const labels = ends.map(
    (at) => `<text x="${x(at)}" y="${HEIGHT - MARGIN + 20}" text-anchor="middle">${at}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    `<text x="${WIDTH / 2}" y="${HEIGHT - 8}" text-anchor="middle">chunks</text>`,
    ...labels,
    ...marks,
    "</svg>",
    "",
  ].join("\n");
}

function scale(
  values: readonly number[],
  [from, to]: readonly [number, number],
): (value: number) => number {
  const logs = values.map((value) => Math.log(value));
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  const span = high - low || 1;
  return (value) => Math.round(from + ((Math.log(value) - low) / span) * (to - from));
}
