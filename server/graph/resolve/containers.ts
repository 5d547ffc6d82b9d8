/** What comes out of a list, a map or an optional of some library, by the names that most languages give to it. */

import { externalOf, NOTHING, type Value, type Values } from "./values.ts";

/** Of a container, methods that give what is in it. */
const ELEMENT_METHODS = wordsOf(
  "get pop shift at find first last peek poll remove next unwrap expect unwrap_or unwrap_or_else unwrap_or_default orElse orElseThrow orElseGet getOrDefault as_ref as_mut as_deref clone cloned borrow borrow_mut lock read write take",
);
/** Those that give all of what is in it, one after another, or some of it. */
const LIST_METHODS = wordsOf(
  "iter iter_mut into_iter drain values values_mut rev filter slice reverse sort sorted toSorted toReversed concat toList to_vec",
);
/** Of a map. */
const KEY_METHODS = wordsOf("keys keySet");
const PAIR_METHODS = wordsOf("items entries iter iter_mut into_iter drain");

function wordsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

export function externalMember(value: Value & { kind: "external" }, name: string): Values {
  const { args } = value;
  const given = args.length > 0 ? givenBy(value, name) : undefined;
  return given === undefined ? externalOf(`${value.name}.${name}`) : externalOf(ELEMENT, [given]);
}

function givenBy(value: Value & { kind: "external" }, name: string): Values | undefined {
  const [key] = value.args;
  if (key !== undefined && value.args.length > 1 && isMap(value)) {
    if (PAIR_METHODS.has(name)) return listOf(externalOf("tuple", value.args));
    if (KEY_METHODS.has(name)) return listOf(key);
  }
  if (LIST_METHODS.has(name)) return listOf(elementOf(value));
  return ELEMENT_METHODS.has(name) ? elementOf(value) : undefined;
}

function listOf(elements: Values): Values {
  return externalOf("[]", [elements]);
}

function isMap({ name }: Value & { kind: "external" }): boolean {
  return /map|dict|record/i.test(name);
}

const ELEMENT = "<element>";

export function externalCall(value: Value & { kind: "external" }): Values {
  if (value.name === ELEMENT) return value.args[0] ?? NOTHING;
  return externalOf(`${value.name}()`, value.args);
}

/** What is in a container: the value of a map, what a `Result` or `Optional` holds. */
export function elementOf(container: Value & { kind: "external" }): Values {
  return (isMap(container) ? container.args.at(-1) : container.args[0]) ?? NOTHING;
}
