/** Waits for stored indexes that are still loading: an empty answer would look final. */

import { waitAtMost } from "../../common/wait-at-most.ts";
import type { OpenIndex } from "./open-index.ts";

/**
 * Loading is short, unlike indexing: an index of 80 thousand files takes 11 s on two busy cores. A client that cannot
 * wait cancels the request.
 */
const OPENING_TIMEOUT_MS = 60_000;

/** Rejects with the signal's reason. */
export async function whenOpen(
  indexes: readonly Pick<OpenIndex, "isOpening" | "whenReadable">[],
  signal?: AbortSignal,
): Promise<void> {
  const opening = indexes.filter(({ isOpening }) => isOpening);
  if (opening.length === 0) return;
  const readable = Promise.all(opening.map((index) => index.whenReadable()));
  await waitAtMost(OPENING_TIMEOUT_MS, readable, signal);
}
