/** The type of the commands of workspace/executeCommand, and the parsing of their arguments: queries, files and lines. */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve, sep } from "node:path";
import { BadRequest } from "../common/errors.ts";
import { isInside, pathInside } from "../common/path-inside.ts";
import type { Lines } from "../contracts/model.ts";
import { toPath } from "./convert.ts";
import type { ServerContext } from "./server-context.ts";

export type Command = (
  context: ServerContext,
  given: readonly unknown[],
  signal: AbortSignal,
) => Promise<unknown>;

/**
 * A command whose arguments `parse` understands. Shows its usage if it was called without them, as editors' command lists do.
 */
export function commandFor<Given>(
  usage: string,
  parse: (given: readonly unknown[]) => Given | undefined | Promise<Given | undefined>,
  run: (context: ServerContext, given: Given, signal: AbortSignal) => Promise<unknown>,
): Command {
  return async (context, given, signal) => {
    const parsed = await parse(given);
    if (parsed !== undefined) return await run(context, parsed, signal);
    context.notices.show("info", usage);
    return { usage };
  };
}

/** The arguments as one query; undefined if they contain no text. */
export function questionIn(given: readonly unknown[]): string | undefined {
  const text = given
    .filter((each) => typeof each === "string" || typeof each === "number")
    .join(" ");
  return text.trim() === "" ? undefined : text;
}

/** At least this many arguments, or undefined. */
export const atLeast = (count: number) => (given: readonly unknown[]) =>
  given.length < count ? undefined : given;

/** A file of an opened folder; `path` is relative to `root`. */
export interface FileInFolder {
  readonly root: string;
  readonly path: string;
}

/** A file given by URI, by absolute path, or by a path relative to the first opened folder that has it. */
export function fileIn(context: ServerContext, given: unknown): FileInFolder {
  const { folders } = context;
  if (typeof given !== "string" || given === "" || given.includes("\0")) {
    throw new BadRequest("arguments: expected the path of a file");
  }
  const [first] = folders.roots;
  if (first === undefined) throw new BadRequest("arguments: no folder is open");
  const named = toPath(given) ?? fromHome(given);
  const path = isAbsolute(named)
    ? resolve(named)
    : (openFile(context, named) ?? inFolder(folders.roots, named) ?? join(first, named));
  const real = folders.toIndex(path);
  const root = folders.roots.find((each) => isInside(each, real));
  if (root === undefined) {
    throw new BadRequest(`arguments: ${named} is outside the opened folders`);
  }
  return { root, path: pathInside(root, real) ?? "" };
}

/** Expands a leading `~`. */
function fromHome(given: string): string {
  return given.replace(/^~(?=[/\\])/, () => homedir());
}

function inFolder(roots: readonly string[], named: string): string | undefined {
  return roots.map((root) => join(root, named)).find((path) => existsSync(path));
}

/**
 * The open buffer for a name relative to the folder where the client was started. If the user has changed that folder, the
 * most recently opened buffer whose path ends with the name.
 */
function openFile({ client, documents, env }: ServerContext, named: string): string | undefined {
  if (!client().namesBuffersFromItsFolder) return undefined;
  const here = resolve(env["PWD"] ?? "", named);
  const ending = join(sep, named);
  const open = documents.paths();
  return open.includes(here) ? here : open.findLast((path) => path.endsWith(ending));
}

const PLACE = /^(?<path>.+?):(?<from>\d+)(?:-(?<to>\d+))?$/;

/**
 * Parses `path:10-40`, or the path and the lines as separate arguments; undefined without lines. Lines count from 1 in
 * the arguments, from 0 in the result.
 */
export function linesIn(
  given: readonly unknown[],
): { readonly path: unknown; readonly lines: Lines } | undefined {
  const [first, ...rest] = given;
  const { path, from, to } =
    (typeof first === "string" ? PLACE.exec(first)?.groups : undefined) ?? {};
  const numbers = (path === undefined ? rest : [from, to ?? from]).filter(
    (each) => each !== undefined,
  );
  if (first === undefined || numbers.length === 0) return undefined;
  const [start = Number.NaN, end = start] = numbers.map(Number);
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 1 || end < start) {
    throw new BadRequest("arguments: expected lines from 1, such as 10-40");
  }
  return { path: path ?? first, lines: { start: start - 1, end: end - 1 } };
}
