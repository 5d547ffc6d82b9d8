/** Asks the user a question with the answers yes and no. */

import type { CommandContext } from "./command-context.ts";

/** Whether a question reaches the user, and the answer this program. */
export function isInteractive({ stdin, stderr }: CommandContext): boolean {
  return (stdin as { isTTY?: boolean }).isTTY === true && stderr.isTTY === true;
}

/** Any answer but yes is no, and so is the end of the input. */
export async function confirms(
  { stdin, stderr, signal }: CommandContext,
  question: string,
): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: stdin, output: stderr });
  const ended = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
  try {
    const answer = await Promise.race([reader.question(question, { signal }), ended]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    reader.close();
  }
}
