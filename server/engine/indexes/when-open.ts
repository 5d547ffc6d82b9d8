/** Waits for indexes that are stored and are being opened: an empty answer would look like a final one. */

import { setTimeout as delay } from "node:timers/promises";
import type { OpenIndex } from "./open-index.ts";

/**
 * Of a stored index of 80 thousand files the first hits come after 11 s, on two busy cores. Opening is no indexing: it
 * has an end that is near, so that it is waited for, and whoever cannot wait so long takes the request back.
 */
const OPENING_TIMEOUT_MS = 60_000;

/** Rejects with the signal's reason. */
export async function whenOpen(
  indexes: readonly Pick<OpenIndex, "isOpening" | "whenReadable">[],
  signal?: AbortSignal,
): Promise<void> {
  const opening = indexes.filter(({ isOpening }) => isOpening);
  if (opening.length === 0) return;
  const ending = new AbortController();
  const end = () => ending.abort();
  signal?.addEventListener("abort", end, { once: true });
  const timeUp = delay(OPENING_TIMEOUT_MS, undefined, { ref: false, signal: ending.signal });
  try {
    await Promise.race([Promise.all(opening.map((index) => index.whenReadable())), timeUp]);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", end);
    timeUp.catch(() => undefined);
    ending.abort();
  }
}
