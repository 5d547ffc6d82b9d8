/** Finds hidden lines: text in another language or multi-line values. Heads there are ignored. */

/** Whether a line ends the hidden text. */
type IsLast = (line: string) => boolean;

/** Called for each visible line: returns the end condition of the text that it hides below, if any. */
export type Hides = (
  line: string,
  lineIndex: number,
  next: string | undefined,
) => IsLast | undefined;

/** Returns one flag per line. The opening line is visible, the closing line is hidden. */
export function hiddenLines(lines: readonly string[], hides: Hides | undefined): boolean[] {
  let isLast: IsLast | undefined;
  return lines.map((line, lineIndex) => {
    if (isLast === undefined) {
      isLast = hides?.(line, lineIndex, lines[lineIndex + 1]);
      return false;
    }
    if (isLast(line)) isLast = undefined;
    return true;
  });
}

/** Fenced code, comments and front matter. */
export const inMarkdown: Hides = (line, lineIndex, next) => {
  // A thematic break at the top of a page is followed by prose, not by a key.
  if (lineIndex === 0 && /^---[ \t]*$/.test(line) && /^[\w"'-]+[ \t]*:/.test(next ?? ""))
    return (below) => /^(?:---|\.\.\.)[ \t]*$/.test(below);
  const fence = /^\s*(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line);
  const mark = fence?.[1] ?? fence?.[2];
  if (mark !== undefined) {
    // The closing fence is at least as long, without text after it.
    return (below) => below.trim().startsWith(mark) && /^(?:`+|~+)$/.test(below.trim());
  }
  return /^ {0,3}<!--(?:(?!-->).)*$/.test(line) ? (below) => below.includes("-->") : undefined;
};

/** Multi-line strings and arrays. */
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

/** Here-documents of a Dockerfile: `RUN <<EOF`. */
export const inDockerfile: Hides = (line) => {
  const mark = /^\s*(?:RUN|COPY|ADD)\b.*<<-?\s*["']?(\w+)/i.exec(line)?.[1];
  return mark === undefined ? undefined : (below) => below.trim() === mark;
};

/** Multi-line variables of a makefile. */
export const inMakefile: Hides = (line) =>
  /^\s*(?:override\s+|export\s+)*define\b/.test(line)
    ? (below) => /^\s*endef\b/.test(below)
    : undefined;
