/** Parses the options of a script; `--help` and errors print its usage. */

import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { messageOf } from "../server/common/errors.ts";

type Options<T extends ParseArgsConfig> = ReturnType<typeof parseArgs<T>>;

/** Exits with 0 after `--help`, and with 2 after an unknown option. */
export function scriptOptions<T extends ParseArgsConfig>(usage: string, config: T): Options<T> {
  if (process.argv.slice(2).includes("--help")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${usage}`);
    process.exit(2);
  }
}

/** The usage text in the first comment of a script, beginning with "usage:". */
export function usageIn(file: string): string {
  const [, comment = ""] = /\/\*\*(.*?)\*\//s.exec(readFileSync(file, "utf8")) ?? [];
  const lines = comment.split("\n").map((line) => line.replace(/^ \* ?/, "").trimEnd());
  const from = lines.findIndex((line) => line.startsWith("usage:"));
  return lines.slice(Math.max(0, from)).join("\n").trim();
}
