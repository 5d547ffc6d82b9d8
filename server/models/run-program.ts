/** Runs a program that downloads something, and collects its stderr. */

import { type SpawnOptions, spawn } from "node:child_process";

/** Resolves to the exit code, null after a signal, and the text on stderr. Rejects if the program cannot be started or is aborted. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, "cwd" | "env" | "signal" | "shell">,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
  return { code, output };
}
