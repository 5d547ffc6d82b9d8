/**
 * Reads files of cases. A case begins with `==== name`; its input follows, then sections of expected lines, each after `---- what`.
 * The text before the first case says what the file is for.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Case {
  readonly name: string;
  readonly input: string;
  /** The expected lines by section. */
  readonly expected: Readonly<Record<string, readonly string[]>>;
}

/** The cases of a folder by file. */
export function readCases(folder: string): [file: string, cases: Case[]][] {
  return readdirSync(folder).map((file) => [
    file,
    readFileSync(join(folder, file), "utf8")
      .split(/^==== /m)
      .slice(1)
      .map(readCase),
  ]);
}

function readCase(text: string): Case {
  const [given = "", ...sections] = text.split(/^---- /m);
  const [name, input] = cut(given);
  const expected = sections.map(cut).map(([what, lines]) => [what, lines.match(/.+/g) ?? []]);
  return { name, input, expected: Object.fromEntries(expected) as Case["expected"] };
}

/** The first line, and the rest. */
function cut(text: string): [string, string] {
  const end = text.indexOf("\n");
  return [text.slice(0, end), text.slice(end + 1)];
}
