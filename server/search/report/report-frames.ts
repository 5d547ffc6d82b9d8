/** Finds the places that a bug report names: frames of its tracebacks, innermost first, compiler messages, links to lines. */

import type { PartKind, ReportPart } from "./report-parts.ts";
import { framesIn } from "./stack-frames.ts";

export interface ReportPlace {
  readonly path: string;
  /** 0-based; undefined if only the file is named. */
  readonly line?: number;
  readonly function?: string;
  readonly weight: number;
  /** The traceback that it is a frame of; its frames come innermost first. */
  readonly trace?: string;
}

/** The weight of a place in a log. */
const LOG_WEIGHT = 0.2;
/** A link to a line or a file that is named in the text is meant. */
const LINK_WEIGHT = 1;
const MENTIONED_WEIGHT = 0.8;
const MAX_PLACES = 60;

/** `/usr/lib/python3.8/site-packages/sympy/printing/latex.py in doprint(self, expr)`, with the line in one of the next lines. */
const IPYTHON = /^(?:File )?(\S+\.\w+)(?::(\d+))?,? in (\w[\w.<>]*)\(/;
const IPYTHON_LINE = /^-+> ?(\d+)/;
/** Number of lines after an IPython frame to search for the arrow at the executed line. */
const IPYTHON_CONTEXT = 12;

/** Python, pytest and IPython write the innermost frame last. */
const INNERMOST_LAST = /most recent call last|^E {3}|^-+> ?\d+/m;
const PYTHON_FRAME = /^\s*File "[^"]+", line \d+/m;

const LINK = /\/(?:blob|tree|blame|raw)\/[\w.-]+\/([^\s#)>\]?"'`]+)(?:#L(\d+))?/g;
/** A path in prose: with a folder and an extension. */
const PATH = /(?<![\w/.:+-])(?:[\w.+-]+\/)+[\w+-]+\.[a-z]\w{0,5}(?::(\d+))?(?![\w/])/gi;
const FILE =
  /(?<![\w/.:+-])[\w+-]+\.(?:py|pyx|[cm]?[jt]sx?|go|rs|rb|java|kt|cs|php|exs?|lua|cc?|cpp|hpp?|swift|scala|zig|hs)(?![\w/(])/g;

export function placesIn(parts: readonly ReportPart[]): ReportPlace[] {
  const places = parts.flatMap(({ kind, text }) => placesOfPart(kind, text));
  return mergePlaces(places).slice(0, MAX_PLACES);
}

function placesOfPart(kind: PartKind, text: string): ReportPlace[] {
  if (kind === "environment" || kind === "template") return [];
  if (kind === "traceback") return framesOf(text);
  if (kind === "log") return weigh(framesIn(text), LOG_WEIGHT);
  if (kind === "diff") return filesOfDiff(text);
  // A format that no single line gives away.
  const frames = kind === "code" ? framesIn(text) : [];
  return frames.length >= MIN_CODE_FRAMES ? inTrace(frames) : mentionedIn(text, kind);
}

/** One place in a snippet is a mention, several are a traceback. */
const MIN_CODE_FRAMES = 2;

/** The frames of one traceback, innermost first. */
function framesOf(text: string): ReportPlace[] {
  const notebook = notebookFrames(text);
  if (notebook.length > 0) return inTrace(notebook.toReversed());
  const frames = framesIn(text);
  const isTurned = INNERMOST_LAST.test(text) && !PYTHON_FRAME.test(text);
  return inTrace(isTurned ? frames.toReversed() : frames);
}

function notebookFrames(text: string): Omit<ReportPlace, "weight">[] {
  const frames: Omit<ReportPlace, "weight">[] = [];
  const lines = text.split("\n");
  lines.forEach((line, i) => {
    const [, path, written, name = ""] = IPYTHON.exec(line.slice(0, 500)) ?? [];
    if (path === undefined) return;
    const near = lines.slice(i + 1, i + 1 + IPYTHON_CONTEXT);
    const arrow = near.flatMap((each) => IPYTHON_LINE.exec(each)?.[1] ?? [])[0];
    const number = arrow ?? written;
    frames.push({
      path: path.replaceAll("\\", "/"),
      function: name.replace(/^.*<locals>\./, ""),
      ...(number === undefined ? {} : { line: Number(number) - 1 }),
    });
  });
  return frames;
}

/** A frame that repeats, as in endless recursion, keeps its first place. */
function inTrace(frames: readonly Omit<ReportPlace, "weight">[]): ReportPlace[] {
  const seen = new Set<string>();
  const [first] = frames;
  const trace = `${first?.path}:${first?.line}`;
  return frames.flatMap((frame) => {
    const key = `${frame.path}:${frame.line}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ ...frame, weight: 1, trace }];
  });
}

function weigh(frames: readonly Omit<ReportPlace, "weight">[], weight: number): ReportPlace[] {
  return frames.map((frame) => ({ ...frame, weight }));
}

function filesOfDiff(text: string): ReportPlace[] {
  const files = text.matchAll(/^(?:\+\+\+|---) (?:[ab]\/)?(\S+)/gm);
  return [...files]
    .filter(([, path]) => path !== "/dev/null")
    .map(([, path = ""]) => ({ path, weight: LINK_WEIGHT }));
}

function mentionedIn(text: string, kind: ReportPart["kind"]): ReportPlace[] {
  const links = [...text.matchAll(LINK)].map(([, path = "", line]) =>
    placeAt(path, line, LINK_WEIGHT),
  );
  const plain = text.replaceAll(/\b\w+:\/\/[^\s)>\]]+/g, " ");
  const weight = kind === "code" ? MENTIONED_WEIGHT / 2 : MENTIONED_WEIGHT;
  const paths = [...plain.matchAll(PATH)].map(([whole, line]) =>
    placeAt(whole.replace(/:\d+$/, ""), line, weight),
  );
  const files = [...plain.matchAll(FILE)].map(([path]) => placeAt(path, undefined, weight));
  return [...links, ...paths, ...files];
}

function placeAt(path: string, line: string | undefined, weight: number): ReportPlace {
  return { path, weight, ...(line === undefined ? {} : { line: Number(line) - 1 }) };
}

/** One place for each file and line, with the best weight. */
function mergePlaces(places: readonly ReportPlace[]): ReportPlace[] {
  const merged = new Map<string, ReportPlace>();
  for (const place of places) {
    const key = `${place.path}:${place.line ?? ""}`;
    if (place.weight > (merged.get(key)?.weight ?? 0)) merged.set(key, place);
  }
  return [...merged.values()].toSorted((a, b) => b.weight - a.weight);
}
