/** Draws questions from the present files of a work tree: names of definitions, messages, and sentences. */

import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { shuffled } from "../evaluation/random.ts";

const MAX_BYTES = 200_000;

export const PATTERNS = {
  names:
    /\b(?:class|def|function|func|fn|struct|interface|module)\s+([A-Za-z_]\w{5,40})|^[a-z]\w* \*?(\w{6,40})\([^;]*$/gm,
  messages: /["']([A-Za-z][^"'\\\n]{20,70} [^"'\\\n]{3,20})["']/g,
  sentences: /^[\s#/*>-]*([A-Z][a-z]+ [^`\n]{25,110})[.:]$/gm,
} as const;

/** Of twenty; fewer of a kind that the repository lacks, and then more names. */
const SHARES = { names: 8, messages: 5, sentences: 7 } as const;
const QUESTIONS = 20;

export interface Questions {
  readonly all: readonly string[];
  /** The names of definitions among them. */
  readonly names: readonly string[];
}

export function drawQuestions(root: string, random: () => number): Questions {
  const texts = workFiles(root).map((path) => readFileSync(join(root, path), "utf8"));
  const found = (kind: keyof typeof PATTERNS) => {
    const all = texts.flatMap((text) =>
      Array.from(
        text.slice(0, MAX_BYTES).matchAll(PATTERNS[kind]),
        ([, one, other]) => one ?? other ?? "",
      ),
    );
    return shuffled([...new Set(all)].toSorted(), random);
  };
  const names = found("names");
  const others = [
    ...found("messages").slice(0, SHARES.messages),
    ...found("sentences").slice(0, SHARES.sentences),
  ];
  const drawn = names.slice(0, QUESTIONS - others.length);
  return { all: [...drawn, ...others], names: drawn };
}

/** Tracked and new regular files on disk, in the order of their paths. */
export function workFiles(root: string): string[] {
  const listed = execFileSync(
    "git",
    ["-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    { encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  const paths = [...new Set(listed.split("\0"))].filter((path) => path !== "");
  return paths.filter((path) => isFile(join(root, path))).toSorted();
}

/** Neither a link nor a submodule. */
function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
