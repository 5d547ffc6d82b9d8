/** Shows a long answer in the user's pager. */

import { spawn } from "node:child_process";
import { isErrorCode } from "../common/errors.ts";

const DEFAULT_PAGER = "less";

/** Resolves to false if the pager is missing and nothing was shown. PAGER may hold arguments, in the syntax of the shell. */
export function showInPager(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const pager = env["PAGER"] ?? DEFAULT_PAGER;
  if (pager === "" || pager === "cat") return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    const child = spawn(pager, {
      shell: /\s/.test(pager),
      stdio: ["pipe", "inherit", "inherit"],
      // Quit if the text fits on the screen (F), show colors (R), keep the text on the screen (X).
      env: { ...env, LESS: env["LESS"] ?? "FRX" },
    });
    child.on("error", (error) => (isErrorCode(error, "ENOENT") ? resolve(false) : reject(error)));
    child.on("close", () => resolve(true));
    // The user may quit the pager before it has read everything.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(`${text}\n`);
  });
}
