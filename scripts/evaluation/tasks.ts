/** Reads questions with labels: a JSON file, or a folder of tables with one repository each, as test/ranking/questions. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Target, Task } from "./metrics.ts";

const EXTENSION = ".tsv";
const HEADER = "style\tquery\trelevant\tsecondary";

/** In the order of the file names, then of the lines. */
export function readTasks(path: string): Task[] {
  if (!statSync(path).isDirectory()) return JSON.parse(readFileSync(path, "utf8")) as Task[];
  const names = readdirSync(path).filter((name) => name.endsWith(EXTENSION));
  return names
    .toSorted()
    .flatMap((name) =>
      parseTasks(name.slice(0, -EXTENSION.length), readFileSync(join(path, name), "utf8")),
    );
}

/** The table of one repository. The id of a question is the repository and the number of its line, from 1, without the header. */
export function parseTasks(repo: string, table: string): Task[] {
  const [header, ...lines] = table.trimEnd().split("\n");
  if (header !== HEADER) throw new Error(`${repo}${EXTENSION} must begin with the line ${HEADER}`);
  return lines.map((line, i) => {
    const fields = line.split("\t");
    const [style = "", query = "", relevant = "", secondary = ""] = fields;
    const id = `${repo}#${i + 1}`;
    if (fields.length > 4 || relevant === "")
      throw new Error(
        `${id} must have a style, a query, relevant places and perhaps secondary places`,
      );
    const labels = { relevant: placesIn(relevant, id), secondary: placesIn(secondary, id) };
    return {
      id,
      repo,
      language: "",
      category: style,
      style,
      query,
      benchmark_root: null,
      ...labels,
    };
  });
}

/** Places are written `path:first-last name`, separated by "; "; the name may be missing. */
function placesIn(field: string, id: string): Target[] {
  return field
    .split("; ")
    .filter((place) => place !== "")
    .map((place) => {
      const [, path = "", first, last, symbol] = /^(.+?):(\d+)-(\d+)(?: (.+))?$/.exec(place) ?? [];
      if (path === "") throw new Error(`${id}: a place is written path:first-last, not "${place}"`);
      const lines = { startLine: Number(first), endLine: Number(last) };
      return { path, ...lines, ...(symbol === undefined ? {} : { symbol }) };
    });
}
