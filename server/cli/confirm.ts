/** Asks the user a question with the answers yes and no. */

import type { CommandContext } from "./command-context.ts";

/** Whether a question reaches the user, and the answer this program. */
export function isInteractive({ stdin, stderr }: CommandContext): boolean {
  return (stdin as { isTTY?: boolean }).isTTY === true && stderr.isTTY === true;
}

/** Any answer but yes is no. */
export async function confirms(
  { stdin, stderr, signal }: CommandContext,
  question: string,
): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(?:es)?$/i.test((await reader.question(question, { signal })).trim());
  } finally {
    reader.close();
  }
}
