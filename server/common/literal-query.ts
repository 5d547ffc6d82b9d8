/** Recognizes a query that is one name or one quoted text. */

/** Shorter words are everywhere. */
const MIN_LENGTH = 3;

/** The name or the quoted text; undefined for other queries. */
export function literalOf(query: string): string | undefined {
  const [, quoted, name] =
    /^\s*(?:"([^"\n]+)"|([^\s"'`:]+(?:::[^\s"'`:]+)*))\s*$/.exec(query) ?? [];
  const literal = quoted ?? name;
  return literal !== undefined && literal.length >= MIN_LENGTH ? literal : undefined;
}
