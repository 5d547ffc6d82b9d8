/** Runs work over many items with a bound on how much is under way at once. */

/** Starts items in order, at most `limit` at a time. After the first failure nothing new is started; it is thrown when the rest has ended. */
export async function forEachLimited<T>(
  items: readonly T[],
  limit: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  const lane = async () => {
    while (next < items.length && failure === undefined) {
      const item = items[next++] as T;
      try {
        await run(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, limit) }, lane));
  if (failure !== undefined) throw failure.error;
}
