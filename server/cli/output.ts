/** Where a command writes: answers to stdout, everything about them to stderr. */

import picocolors from "picocolors";

export type Colors = ReturnType<typeof picocolors.createColors>;

type Environment = Readonly<Record<string, string | undefined>>;

export interface Output {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly colors: Colors;
  /** Lines of the answer. */
  readonly print: (...lines: readonly string[]) => void;
  /** The answer for programs: one document. */
  readonly json: (value: unknown) => void;
  /** A sentence about the answer, or instead of it. */
  readonly note: (sentence: string) => void;
}

export function createOutput(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  env: Environment,
): Output {
  return {
    stdout,
    stderr,
    colors: picocolors.createColors(wantsColors(stdout, env)),
    print: (...lines) => void stdout.write(lines.map((line) => `${line}\n`).join("")),
    json: (value) => void stdout.write(`${JSON.stringify(value, null, 2)}\n`),
    note: (sentence) => void stderr.write(`cocosearch-lsp: ${sentence}\n`),
  };
}

/** As no-color.org says; FORCE_COLOR is for pagers. */
function wantsColors(stdout: NodeJS.WriteStream, env: Environment): boolean {
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"]) return env["FORCE_COLOR"] !== "0";
  return stdout.isTTY && env["TERM"] !== "dumb";
}
