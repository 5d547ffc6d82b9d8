/** The chain of an initializer; empty if an operator makes another value of it. */

import { toChain, UNKNOWN } from "./chains.ts";
import { clip } from "./split-names.ts";

export function chainOfValue(text: string, isIterable: boolean, hasMarkedNames = false): string {
  const { chain, end } = toChain(text, hasMarkedNames);
  const whole = isIterable ? `${chain}[]` : chain;
  if (end === text.length) return chain === UNKNOWN ? "" : whole;
  const rest = text.slice(end).trim();
  const cast = /^(?:as|satisfies)\s+(?!const\b)([\s\S]+)$/.exec(rest)?.[1];
  if (cast !== undefined) return `:${clip(cast)};`;
  if (rest !== "" && !/^(?:\|\||\?\?|or\b|if\b|\?|;)/.test(rest)) return "";
  if (rest.startsWith("?") && !rest.startsWith("??")) return "";
  return chain === UNKNOWN ? "" : whole;
}
