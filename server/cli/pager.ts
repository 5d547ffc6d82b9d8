/** Shows a long answer in the user's pager. */

import { spawn } from "node:child_process";
import { isErrorCode } from "../common/errors.ts";

const DEFAULT_PAGER = "less";

/** False where there is no such program, and nothing was shown. The user's variable may hold arguments, as a shell reads it. */
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
      // Ends at once where everything fits on the screen, shows colors, and leaves the text there.
      env: { ...env, LESS: env["LESS"] ?? "FRX" },
    });
    child.on("error", (error) => (isErrorCode(error, "ENOENT") ? resolve(false) : reject(error)));
    child.on("close", () => resolve(true));
    // Who has seen enough ends the pager before it has read everything.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(`${text}\n`);
  });
}
