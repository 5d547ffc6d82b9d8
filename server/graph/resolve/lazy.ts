/** A value that is computed on demand, for look-ups that can lead back to themselves. */

/** Memoizes; a call while the value is being computed returns `busy`. */
export function lazy<T>(find: () => T, busy: T): () => T {
  let found: { readonly value: T } | undefined;
  let isBusy = false;
  return () => {
    if (found !== undefined) return found.value;
    if (isBusy) return busy;
    isBusy = true;
    try {
      found = { value: find() };
      return found.value;
    } finally {
      isBusy = false;
    }
  };
}
