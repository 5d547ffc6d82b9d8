/** Remembers what a pure function gave for a string. */

/** Forgets everything when there are more than `max` strings: what is in use is soon known again. */
export function remember<T>(of: (text: string) => T, max: number): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = of(text);
    if (known.size >= max) known.clear();
    known.set(text, made);
    return made;
  };
}
