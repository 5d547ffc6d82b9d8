/** Asks the system whether a process runs. */

import { isErrorCode } from "./errors.ts";

export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process runs as another user.
    return isErrorCode(error, "EPERM");
  }
}
