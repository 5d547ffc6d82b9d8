/** Parses the parameters of a function from the text of its list. */

import { FLAG } from "../../contracts/facts.ts";
import { splitList, toChain } from "./chains.ts";

export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly flags: number;
}

/** The parameter syntax of a language. */
export type ParameterStyle =
  /** `name: Type = value`, also `name?: Type`. */
  | "colon"
  /** `Type name`. */
  | "typeFirst"
  /** `a, b Type`. */
  | "go"
  /** `name` without a type. */
  | "plain";

export function toParameters(text: string, style: ParameterStyle): Parameter[] {
  if (text === "()") return [];
  const list = /^\s*[(|][\s\S]*[)|]\s*$/.test(text) ? text.trim().slice(1, -1) : text;
  const plain = list.includes("/*") ? list.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, " ") : list;
  const parts = splitList(plain).flatMap((part) => readable(part));
  if (style === "go") return goParameters(parts);
  return parts.flatMap((part) => (style === "typeFirst" ? typeFirst(part) : withColon(part)));
}

/** Longer parameters are not parsed. */
const MAX_LENGTH = 2_000;
/** Limit of consecutive white space; the regular expressions around it take cubic time. */
const WIDE_SPACE = /\s{100,}/g;

function readable(part: string): string[] {
  return part.length > MAX_LENGTH ? [] : [part.replaceAll(WIDE_SPACE, "\n")];
}

function withColon(part: string): Parameter[] {
  const plain = part.replace(/^(?:(?:#\[[^\]]*\]|@[\w.]+(?:\([^)]*\))?)\s*)+/, "");
  const self = /^&?\s*(?:'\w+\s+)?(?:mut\s+)?self\b\s*(?::\s*([\s\S]+))?$/.exec(plain);
  if (self !== null && !plain.includes("="))
    return [parameter("self", self[1] ?? "", "", FLAG.self)];
  const match =
    /^(?:(?:public|private|protected|readonly|override|mut|ref|val|var|vararg|crossinline|noinline|static)\s+)*(\*{0,2}|\.\.\.|&)\s*(?:[\p{L}_]\w*\s+(?=[\p{L}_]\w*\s*:))?([\p{L}_$][\p{L}\p{N}_$]*)\s*[?!]?\s*(?::\s*([\s\S]*?))?\s*(?:=(?![>=])\s*([\s\S]*))?$/u.exec(
      plain,
    );
  if (match === null) return destructured(plain);
  const [, stars = "", name = "", type = "", value = ""] = match;
  const isField = /^(?:public|private|protected|readonly|val|var)\b/.test(plain);
  const flags = (stars === "" || stars === "&" ? 0 : FLAG.rest) | (isField ? FLAG.field : 0);
  return [parameter(name, type, value, flags)];
}

/** `{ a, b: c }: Props`: names without a known type, which shadow outer names. */
function destructured(part: string): Parameter[] {
  const pattern = /^[{[(]([\s\S]*)[}\])]/.exec(part)?.[1];
  if (pattern === undefined) return [];
  return splitList(pattern).flatMap((one) => {
    const name = /(?:^|:\s*|\.\.\.)([\p{L}_$][\w$]*)\s*(?:=[\s\S]*)?$/u.exec(one)?.[1];
    return name === undefined ? [] : [parameter(name, "", "", 0)];
  });
}

/** PHP: a promoted constructor parameter is also a field. */
const PROMOTED = /^(?:(?:public|private|protected|readonly)(?:\(set\))?\s+)+/;

function typeFirst(part: string): Parameter[] {
  const promoted = PROMOTED.exec(part)?.[0];
  if (promoted !== undefined)
    return typeFirst(part.slice(promoted.length)).map((one) => ({
      ...one,
      flags: one.flags | FLAG.field,
    }));
  const plain = part
    .replaceAll(/@[\w.]+(?:\([^)]*\))?\s*/g, "")
    .replace(/^(?:(?:final|const|ref|out|in|params|this|required|readonly)\s+)+/, "");
  const match =
    /^([\s\S]*?[\w>\]*&?.])(?:(\s*\.\.\.)[\s*&]*|[\s*&]+)([\p{L}_$][\w$]*)(?:\s*=[\s\S]*)?(?:\[\])*$/u.exec(
      plain,
    );
  const bare = match === null ? /^([\w$]+)\s*(?:=[\s\S]*)?$/.exec(plain)?.[1] : undefined;
  if (match === null) return bare === undefined ? [] : [parameter(bare, "", "", 0)];
  const [, type = "", rest, name = ""] = match;
  return [parameter(name, rest === undefined ? type : `${type}[]`, "", 0)];
}

/** Assigns the type after the last name to all names that share it. */
function goParameters(parts: readonly string[]): Parameter[] {
  const parameters: Parameter[] = [];
  let type = "";
  for (const part of parts.toReversed()) {
    const [, name = "", own] = /^([\p{L}_]\w*)(?:\s+([\s\S]+))?$/u.exec(part) ?? [];
    if (own !== undefined) type = own;
    if (name !== "") parameters.push(parameter(name, type.replace(/^\.\.\./, "[]"), "", 0));
  }
  return parameters.toReversed();
}

/** The named results of a Go function, which are variables of its body. Empty in other languages. */
export function namedResults(text: string): Parameter[] {
  const list = /^\s*\(([\s\S]*)\)\s*$/.exec(text)?.[1];
  if (list === undefined) return [];
  const parts = splitList(list);
  // In named results the last one has a type; without names, all are types.
  if (!parts.every((part) => RESULT.test(part)) || !/\s/.test(parts.at(-1) ?? "")) return [];
  return goParameters(parts);
}

/** Matches `err` and `err error`; `chan int` is a type. */
const RESULT = /^(?!(?:chan|func|map|interface|struct)\b)[\p{L}_]\w*(?:\s[\s\S]*)?$/u;

function parameter(name: string, type: string, value: string, flags: number): Parameter {
  const chain = value.trim() === "" ? "" : toChain(value).chain;
  return { name, type: type.trim(), value: chain, flags: flags | FLAG.parameter };
}
