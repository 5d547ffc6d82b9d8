/** What the commands of workspace/executeCommand have in common: their form, and how a file is named in their arguments. */

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

/** For a command that was called without what it needs: editors' lists of commands call them bare. */
export function explainUsage({ notices }: ServerContext, usage: string): { usage: string } {
  notices.show("info", usage);
  return { usage };
}

/** The words of a question; undefined where there are none. */
export function questionIn(given: readonly unknown[]): string | undefined {
  const text = given
    .filter((each) => typeof each === "string" || typeof each === "number")
    .join(" ");
  return text.trim() === "" ? undefined : text;
}

/** A file of an opened folder: the folder, and the file's path in it. */
export interface FileInFolder {
  readonly root: string;
  readonly path: string;
}

/** A file by its URI, its path, or its path in an opened folder: in the first that has it. */
export function fileIn(context: ServerContext, given: unknown): FileInFolder {
  const { folders } = context;
  if (typeof given !== "string" || given === "" || given.includes("\0")) {
    throw new BadRequest("arguments: the path of a file is expected");
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
    throw new BadRequest(`arguments: ${named} is in none of the opened folders`);
  }
  return { root, path: pathInside(root, real) ?? "" };
}

/** As shells and editors write what is below the home folder. */
function fromHome(given: string): string {
  return given.replace(/^~(?=[/\\])/, () => homedir());
}

function inFolder(roots: readonly string[], named: string): string | undefined {
  return roots.map((root) => join(root, named)).find((path) => existsSync(path));
}

/**
 * For a client that names its buffers from the folder in which it was started: the one that it means. Where the user has
 * gone to another folder since then, it is the last one that was opened of those that end so.
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
 * `path:10-40`, or the path and the lines as arguments of their own; undefined where no lines are given. Given from 1, and
 * returned from 0.
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
    throw new BadRequest("arguments: lines are expected as 10-40, counted from 1");
  }
  return { path: path ?? first, lines: { start: start - 1, end: end - 1 } };
}
