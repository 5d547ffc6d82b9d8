/** Parses type annotations of any language to names with type arguments, without wrappers such as `Optional`. */

export interface TypeName {
  /** Dotted, in any language: `http.Client`, `crate.pool.Pool`. */
  readonly name: string;
  readonly args: readonly TypeName[];
}

/** Wrappers that are replaced by their first type argument. */
const TRANSPARENT: ReadonlySet<string> = new Set(
  (
    "Optional Union Annotated Final ClassVar Awaitable Coroutine Required NotRequired " +
    "Task ValueTask Promise PromiseLike Readonly Partial Required NonNullable Awaited DeepPartial " +
    "Box Rc Arc Cow Ref RefMut Pin MutexGuard RwLockReadGuard RwLockWriteGuard " +
    "shared_ptr unique_ptr weak_ptr"
  ).split(" "),
);

const MODIFIERS =
  /^(?:(?:readonly|const|mut|dyn|impl|final|unsigned|signed|struct|enum|class|typename|volatile|static|inout|borrowing|consuming|some|any|keyof|unique|asserts|in|out|ref|ptr)\b|&&?|\*+|\?|!|'[a-z_]\w*(?!')|@[\w.]+(?:\([^)]*\))?|\.\.\.)\s*/;
const CONTAINER = "[]";
const MAX_DEPTH = 6;

const parsed = new Map<string, readonly TypeName[]>();
const MAX_CACHED = 20_000;

export function clearTypeCache(): void {
  parsed.clear();
}

/** The alternatives of a type: `A | B` and `A + B` give two. Empty for literals and function types. */
export function parseType(text: string): readonly TypeName[] {
  let known = parsed.get(text);
  if (known === undefined) {
    known = alternatives(text, 0);
    if (parsed.size >= MAX_CACHED) parsed.clear();
    parsed.set(text, known);
  }
  return known;
}

function alternatives(text: string, depth: number): TypeName[] {
  if (depth > MAX_DEPTH) return [];
  return splitTop(text, "|&+").flatMap((part) => one(part, depth));
}

function one(written: string, depth: number): TypeName[] {
  let text = written.trim();
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(MODIFIERS, "").trim();
  }
  text = text
    .replace(/^(["'])(.*)\1$/s, "$2")
    .replace(/[?!*&]+$/, "")
    .trim();
  const list = /^(?:\[\d*\]|chan\b|<-\s*chan\b)\s*([\s\S]+)$/.exec(text)?.[1];
  if (list !== undefined) return container(alternatives(list, depth + 1));
  const goMap = /^map\[([^\]]*)\]([\s\S]+)$/.exec(text);
  if (goMap !== null) {
    return [{ name: "map", args: [...first(goMap[1], depth), ...first(goMap[2], depth)] }];
  }
  const suffixed = /^([\s\S]+)\[\d*\]$/.exec(text)?.[1];
  if (suffixed !== undefined) return container(alternatives(suffixed, depth + 1));
  const inner = /^\(([\s\S]*)\)$/.exec(text)?.[1];
  if (inner !== undefined) return tuple(inner, depth);
  const bracketed = /^\[([\s\S]*)\]$/.exec(text)?.[1];
  if (bracketed !== undefined) return tuple(bracketed, depth, true);
  const match =
    /^([\p{L}_$][\p{L}\p{N}_$]*(?:\s*(?:\.|::)\s*[\p{L}_$][\p{L}\p{N}_$]*)*)\s*(?:(?:::)?[<[]([\s\S]*)[>\]])?/u.exec(
      text,
    );
  if (match === null || /^(?:fn|func|function|def|typeof|new)\b/.test(text)) return [];
  const rest = text.slice(match[0].length).trim();
  if (rest.startsWith("=>") || rest.startsWith("(")) return [];
  return named((match[1] ?? "").replaceAll(/\s*(?:::|\.)\s*/g, "."), match[2], depth);
}

function named(name: string, argsText: string | undefined, depth: number): TypeName[] {
  const args = argsText === undefined ? [] : splitTop(argsText, ",");
  const last = name.slice(name.lastIndexOf(".") + 1);
  if (TRANSPARENT.has(last) && args.length > 0) {
    const counted =
      last === "Union" ? args : last === "Coroutine" ? args.slice(2) : args.slice(0, 1);
    return counted.flatMap((arg) =>
      alternatives(last === "Cow" ? (args.at(-1) ?? "") : arg, depth + 1),
    );
  }
  if (name === "None" || name === "null" || name === "undefined" || name === "nil") return [];
  const parsedArgs = args
    .filter((arg) => !arg.trim().startsWith("'"))
    .map((arg) => first(arg, depth)[0] ?? { name: "", args: [] });
  return [{ name, args: parsedArgs }];
}

function tuple(inner: string, depth: number, isBracketed = false): TypeName[] {
  const parts = splitTop(inner, ",");
  if (parts.length === 1 && !isBracketed) return alternatives(parts[0] ?? "", depth + 1);
  // `(name Type, err error)` of Go names its parts.
  return [
    {
      name: "tuple",
      args: parts.map((part) => {
        const type = /^[a-z_]\w*\s+(\*?[\p{L}[][\s\S]*)$/u.exec(part)?.[1] ?? part;
        return first(type, depth)[0] ?? { name: "", args: [] };
      }),
    },
  ];
}

function container(items: readonly TypeName[]): TypeName[] {
  return [{ name: CONTAINER, args: items.slice(0, 1) }];
}

function first(text: string | undefined, depth: number): TypeName[] {
  return alternatives(text ?? "", depth + 1).slice(0, 1);
}

const OPENS = "([{<";
const CLOSES = ")]}>";

function splitTop(text: string, separators: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    const isArrow = char === ">" && (text[at - 1] === "=" || text[at - 1] === "-");
    if (OPENS.includes(char)) depth++;
    else if (CLOSES.includes(char) && !isArrow) depth--;
    else if (depth === 0 && separators.includes(char) && !(char === "&" && from === at)) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part.trim() !== "");
}
