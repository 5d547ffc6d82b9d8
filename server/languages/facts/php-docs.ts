/** Types that PHP writes in the comments before functions, fields and assignments. */

/** With the attributes and modifiers between it and what it is of. */
const COMMENT =
  /\/\*\*((?:[^*]|\*(?!\/)){0,6000})\*\/\s*(?:#\[[^\n]*\]\s*\n\s*)*(?:#\[[^\n]*\]\s*)?(?:(?:abstract|final|public|protected|private|static|readonly|var|const)\s+)*$/;
/** Comments that are longer, with what they are before. */
const MAX_LENGTH = 6_500;

/** The type after a tag up to a space outside of brackets, and the variable that it is of. */
const TAG =
  /@(return|param|var)\s+((?:[^\s<({]|<[^<>]*(?:<[^<>]*>[^<>]*)*>|\([^()]*\)|\{[^{}]*\})+)(?:\s+(?:&\s*)?(?:\.\.\.)?\$(\w+))?/g;
/** Types that say less than a comment does. */
const VAGUE = /^\??(?:array|iterable|mixed|object|self)?$/;

export interface DocTypes {
  /** Of a function, what it returns; of anything else, what it is. */
  readonly own: string | undefined;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Undefined where there is no such comment before a place. */
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

/** `array<int, Pool>` and `list<Pool>` are `Pool[]`. */
function plainType(type: string): string {
  return type.replaceAll(
    /(?:non-empty-)?(?:array|list|iterable)<(?:[^<>,]*,\s*)?([^<>,]+)>/g,
    (_, element: string) => `${element}[]`,
  );
}

/** The type that is written, where it says as much as a comment would. */
export function surerType(written: string, said: string | undefined): string {
  return said !== undefined && VAGUE.test(written) ? said : written;
}
