/**
 * A streaming reader for the strings of a JSON text, with their offsets. It skips everything else: most of a notebook is
 * images, and the engine reads a notebook on its own thread for each hit.
 */

/** Limits the memory for nested input; notebooks are not deeper. */
const MAX_DEPTH = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/** Keys and indexes, outermost first. */
export type JsonPath = readonly (string | number)[];

/** The range of a string value without its quotation marks; `end` is exclusive. */
export interface JsonString {
  readonly start: number;
  readonly end: number;
}

/** Calls `visit` for each string value. Returns whether all brackets were closed. The path is reused: do not keep it. */
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

/** The offset of the closing quotation mark, or -1. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (before > from && text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return -1;
}

/** Unescapes a part of a JSON string. */
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
