/** Reads types from PHP doc comments before functions, fields and assignments. */

/** The comment, with the attributes and modifiers before the definition. */
const COMMENT =
  /\/\*\*((?:[^*]|\*(?!\/)){0,6000})\*\/\s*(?:#\[[^\n]*\]\s*\n\s*)*(?:#\[[^\n]*\]\s*)?(?:(?:abstract|final|public|protected|private|static|readonly|var|const)\s+)*$/;
/** Limit of a comment and the definition's modifiers. */
const MAX_LENGTH = 6_500;

/** The type after a tag, up to a space outside brackets, and its variable. */
const TAG =
  /@(return|param|var)\s+((?:[^\s<({]|<[^<>]*(?:<[^<>]*>[^<>]*)*>|\([^()]*\)|\{[^{}]*\})+)(?:\s+(?:&\s*)?(?:\.\.\.)?\$(\w+))?/g;
/** Declared types that are less specific than a doc comment. */
const VAGUE = /^\??(?:array|iterable|mixed|object|self)?$/;

export interface DocTypes {
  /** The return type of a function; the type of anything else. */
  readonly own: string | undefined;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Undefined without a doc comment before the offset. */
export function docTypes(text: string, at: number): DocTypes | undefined {
  const comment = COMMENT.exec(text.slice(Math.max(0, at - MAX_LENGTH), at))?.[1];
  if (comment === undefined || !comment.includes("@")) return undefined;
  let own: string | undefined;
  const parameters = new Map<string, string>();
  for (const [, tag, type = "", name] of comment.matchAll(TAG)) {
    if (tag === "param" && name !== undefined) parameters.set(name, plainType(type));
    else if (tag !== "param") own ??= plainType(type);
  }
  return { own, parameters };
}

/** Converts `array<int, Pool>` and `list<Pool>` to `Pool[]`. */
function plainType(type: string): string {
  return type.replaceAll(
    /(?:non-empty-)?(?:array|list|iterable)<(?:[^<>,]*,\s*)?([^<>,]+)>/g,
    (_, element: string) => `${element}[]`,
  );
}

/** One class, and no type parameter such as `TValue`. */
const CLASS = /^\??\\?(?!T[A-Z])(?=\w*[a-z])[A-Z]\w*(?:\\\w+)*$/;

/** The declared type, unless the doc comment is more specific: it names a class that the declared type is a base of. */
export function surerType(written: string, said: string | undefined): string {
  return said !== undefined && (VAGUE.test(written) || CLASS.test(said)) ? said : written;
}
