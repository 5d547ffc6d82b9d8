/**
 * Finds the strings of a JSON text with their places, without making anything of the rest: the pictures in a notebook are
 * most of it, and are skipped from one quotation mark to the next. The engine reads a notebook for each hit in it, on its
 * own thread.
 */

/** Deeper texts are no notebooks; what somebody made to be deep takes no memory. */
const MAX_DEPTH = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/** Names and indexes, from the outermost value. */
export type JsonPath = readonly (string | number)[];

/** A string value without its quotation marks, as it is written; the end is excluded. */
export interface JsonString {
  readonly start: number;
  readonly end: number;
}

/** Calls `visit` with each string that is a value, and says whether all brackets were closed. The path is only lent. */
export function eachJsonString(
  text: string,
  visit: (path: JsonPath, found: JsonString) => void,
): boolean {
  const path: (string | number)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (path.length >= MAX_DEPTH) return false;
        isKeyNext = text.charCodeAt(at) === OPEN_OBJECT;
        path.push(isKeyNext ? "" : 0);
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        if (path.length === 0) return false;
        path.pop();
        isKeyNext = false;
        break;
      case COLON:
        isKeyNext = false;
        break;
      case COMMA: {
        const last = path.at(-1);
        isKeyNext = typeof last === "string";
        if (typeof last === "number") path[path.length - 1] = last + 1;
        break;
      }
      case QUOTE: {
        const end = endOfString(text, at + 1);
        if (end < 0) return false;
        if (isKeyNext) path[path.length - 1] = text.slice(at + 1, end);
        else visit(path, { start: at + 1, end });
        at = end;
        break;
      }
    }
  }
  return path.length === 0;
}

/** The place of the quotation mark that ends a string; -1 where none does. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (before > from && text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return -1;
}

/** The characters that a part of a string stands for. */
export function unescapeJson(written: string): string {
  if (!written.includes("\\")) return written;
  return written.replaceAll(
    /\\(?:u([\da-fA-F]{4})|([\s\S]))/g,
    (_, code?: string, sign?: string) =>
      code === undefined
        ? (ESCAPES[sign ?? ""] ?? sign ?? "")
        : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
