/** The options of a script: `--help`, and a mistake, print how it is used. */

import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { messageOf } from "../server/common/errors.ts";

type Options<T extends ParseArgsConfig> = ReturnType<typeof parseArgs<T>>;

/** Ends the script with 0 after `--help`, and with 2 after options that it does not have. */
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

/** What a script says of its use in its first comment, from the word "usage" on. */
export function usageIn(file: string): string {
  const [, comment = ""] = /\/\*\*(.*?)\*\//s.exec(readFileSync(file, "utf8")) ?? [];
  const lines = comment.split("\n").map((line) => line.replace(/^ \* ?/, "").trimEnd());
  const from = lines.findIndex((line) => line.startsWith("usage:"));
  return lines.slice(Math.max(0, from)).join("\n").trim();
}
