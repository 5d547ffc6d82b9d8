/** Lines of a text in another language, or of a value over several lines: what looks like a head there is none. */

/** Whether a line is the last of what is hidden. */
type IsLast = (line: string) => boolean;

/** Asked of each line that is not hidden itself: what it hides below it, if anything. */
export type Hides = (line: string, place: number, next: string | undefined) => IsLast | undefined;

/** One claim per line. The line that opens is not hidden, the one that closes is. */
export function hiddenLines(lines: readonly string[], hides: Hides | undefined): boolean[] {
  let isLast: IsLast | undefined;
  return lines.map((line, place) => {
    if (isLast === undefined) {
      isLast = hides?.(line, place, lines[place + 1]);
      return false;
    }
    if (isLast(line)) isLast = undefined;
    return true;
  });
}

/** Fenced code, comments, and the settings at the top of a page. */
export const inMarkdown: Hides = (line, place, next) => {
  // A rule at the top of a page is followed by prose, not by a key.
  if (place === 0 && /^---[ \t]*$/.test(line) && /^[\w"'-]+[ \t]*:/.test(next ?? ""))
    return (below) => /^(?:---|\.\.\.)[ \t]*$/.test(below);
  const fence = /^\s*(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line);
  const mark = fence?.[1] ?? fence?.[2];
  if (mark !== undefined) {
    // The closing fence is at least as long, and nothing follows it.
    return (below) => below.trim().startsWith(mark) && /^(?:`+|~+)$/.test(below.trim());
  }
  return /^ {0,3}<!--(?:(?!-->).)*$/.test(line) ? (below) => below.includes("-->") : undefined;
};

/** Strings and arrays over several lines. */
export const inToml: Hides = (line) => {
  const value = /^[^#[=][^=]*=\s*(.*)$/.exec(line)?.[1];
  if (value === undefined) return undefined;
  const quote = /^(?:"""|''')/.exec(value)?.[0];
  if (quote !== undefined) {
    return value.includes(quote, quote.length) ? undefined : (below) => below.includes(quote);
  }
  let depth = openBrackets(value);
  if (!value.startsWith("[") || depth <= 0) return undefined;
  return (below) => {
    depth += openBrackets(below);
    return depth <= 0;
  };
};

function openBrackets(text: string): number {
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|'[^']*'|#.*$/g, "");
  return bare.split("[").length - bare.split("]").length;
}

/** Scripts and files that a Dockerfile carries in itself: `RUN <<EOF`. */
export const inDockerfile: Hides = (line) => {
  const mark = /^\s*(?:RUN|COPY|ADD)\b.*<<-?\s*["']?(\w+)/i.exec(line)?.[1];
  return mark === undefined ? undefined : (below) => below.trim() === mark;
};

/** Variables of several lines in a makefile. */
export const inMakefile: Hides = (line) =>
  /^\s*(?:override\s+|export\s+)*define\b/.test(line)
    ? (below) => /^\s*endef\b/.test(below)
    : undefined;
