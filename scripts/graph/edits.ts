/** Random edits of a workspace, such as people make: for the check that an updated graph equals a new one. */

import { posix } from "node:path";

/** The text of each file by its path. */
export type Files = ReadonlyMap<string, string>;

interface Edit {
  readonly kind: string;
  /** New texts by path; undefined for a file that is deleted. */
  readonly changed: ReadonlyMap<string, string | undefined>;
}

/** From 0 up to, without, 1. */
type Random = () => number;

interface Editing {
  readonly files: Files;
  readonly random: Random;
  /** Paths of source files. */
  readonly sources: readonly string[];
}

const SOURCE =
  /\.(?:py|[cm]?[jt]sx?|go|java|rs|rb|php|cs|kt|scala|c|h|cc|cpp|hpp|lua|ex|dart|hs|swift|zig)$/;
const DEFINED =
  /\b(?:class|interface|struct|trait|enum|def|func|function|fn|const|let|var|type|fun|module)\s+([A-Za-z_]\w{2,})/g;

const EDITS: Readonly<Record<string, (editing: Editing) => Map<string, string | undefined>>> = {
  rename: ({ files, random, sources }) => {
    const path = pick(sources, random);
    const { name, next } = otherName(files.get(path) ?? "", random) ?? {};
    if (name === undefined || next === undefined) return new Map();
    const pattern = new RegExp(String.raw`\b${name}\b`, "g");
    // The name is replaced in its own file only, or in every file.
    const where = random() < 0.5 ? [path] : sources.filter((one) => files.get(one)?.match(pattern));
    return new Map(where.map((one) => [one, files.get(one)?.replace(pattern, next)]));
  },
  move: ({ files, random, sources }) => {
    const path = pick(sources, random);
    const folder = posix.dirname(pick(sources, random));
    const name = random() < 0.5 ? posix.basename(path) : `moved${posix.basename(path)}`;
    const target = posix.join(folder, name);
    if (target === path) return new Map();
    return new Map([
      [path, undefined],
      [target, files.get(path)],
    ]);
  },
  delete: ({ random, sources }) => new Map([[pick(sources, random), undefined]]),
  reexport: ({ files, random, sources }) => {
    const path = pick(sources, random);
    const other = pick(sources, random);
    const statement = reexport(path, other);
    return new Map([[path, `${statement}\n${files.get(path) ?? ""}`]]);
  },
  barrel: ({ random, sources }) => {
    const folder = posix.dirname(pick(sources, random));
    const inside = sources.filter((one) => posix.dirname(one) === folder);
    const suffix = posix.extname(inside[0] ?? "");
    const name = BARREL_NAMES[suffix] ?? `index${suffix}`;
    const path = posix.join(folder, name);
    return new Map([[path, inside.map((one) => reexport(path, one)).join("\n")]]);
  },
  lines: ({ files, random, sources }) => {
    const path = pick(sources, random);
    const lines = (files.get(path) ?? "").split("\n");
    const at = Math.floor(random() * lines.length);
    if (random() < 0.5) lines.splice(at, Math.ceil(random() * 12));
    else lines.splice(at, 0, "", ...lines.slice(0, Math.ceil(random() * 5)));
    return new Map([[path, lines.join("\n")]]);
  },
  // Another base, another type of a field, another value that is returned.
  retype: ({ files, random, sources }) => {
    const path = pick(sources, random);
    const text = files.get(path) ?? "";
    const types = [...text.matchAll(/\b[A-Z]\w+/g)];
    if (types.length === 0) return new Map();
    const [one, other] = [pick(types, random), pick(types, random)];
    const after = text.slice(one.index + one[0].length);
    return new Map([[path, text.slice(0, one.index) + other[0] + after]]);
  },
  exchange: ({ files, random, sources }) => {
    const [a, b] = [pick(sources, random), pick(sources, random)];
    return new Map([
      [a, files.get(b)],
      [b, files.get(a)],
    ]);
  },
};

const BARREL_NAMES: Readonly<Record<string, string>> = { ".py": "__init__.py", ".rs": "mod.rs" };

/** A workspace with fewer is nearly deleted. */
const MIN_SOURCES = 2;

/** One edit; it may change nothing. `removed` are files that may come back. */
export function randomEdit(files: Files, removed: Files, random: Random): Edit {
  if (removed.size > 0 && random() < 0.15) {
    const path = pick([...removed.keys()], random);
    return { kind: "restore", changed: new Map([[path, removed.get(path)]]) };
  }
  const sources = [...files.keys()].filter((path) => SOURCE.test(path));
  if (sources.length < MIN_SOURCES) return { kind: "restore all", changed: new Map(removed) };
  const kind = pick(Object.keys(EDITS), random);
  return { kind, changed: EDITS[kind]?.({ files, random, sources }) ?? new Map() };
}

/** One file, as a user saves it. */
interface SavedFile {
  readonly path: string;
  readonly text: string;
}

/** One file with a name that was replaced everywhere in it; undefined for a file without definitions. */
export function renameInOne(files: Files, random: Random): SavedFile | undefined {
  const path = pickSource(files, random);
  const text = files.get(path) ?? "";
  const found = otherName(text, random);
  if (found === undefined) return undefined;
  return {
    path,
    text: text.replaceAll(new RegExp(String.raw`\b${found.name}\b`, "g"), found.next),
  };
}

/** One file with another empty line: its meaning is the same, and everything after that line has moved. */
export function addLineInOne(files: Files, random: Random): SavedFile {
  const path = pickSource(files, random);
  const lines = (files.get(path) ?? "").split("\n");
  lines.splice(Math.floor(random() * lines.length), 0, "");
  return { path, text: lines.join("\n") };
}

function pickSource(files: Files, random: Random): string {
  return pick(
    [...files.keys()].filter((one) => SOURCE.test(one)),
    random,
  );
}

function otherName(text: string, random: Random) {
  const names = [...text.matchAll(DEFINED)].map(([, name]) => name ?? "");
  if (names.length === 0) return undefined;
  const name = pick(names, random);
  return { name, next: `${name}${Math.floor(random() * 90) + 10}` };
}

/** How one file gives on all names of another, in the language of the first. */
function reexport(path: string, other: string): string {
  const relative = posix.relative(posix.dirname(path), other).replace(/\.\w+$/, "");
  const stem = posix.basename(other).replace(/\.\w+$/, "");
  if (path.endsWith(".py"))
    return `from ${relative.replaceAll("../", ".").replaceAll("/", ".")} import *`;
  if (path.endsWith(".rs")) return `pub mod ${stem};\npub use ${stem}::*;`;
  if (/\.[cm]?[jt]sx?$/.test(path))
    return `export * from "${relative.startsWith(".") ? relative : `./${relative}`}";`;
  return "";
}

function pick<T>(from: readonly T[], random: Random): T {
  return from[Math.floor(random() * from.length)] as T;
}
