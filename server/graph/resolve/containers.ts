/** Elements of external containers (lists, maps, optionals), by method names that are common to most languages. */

import { externalOf, NOTHING, type Value, type Values } from "./values.ts";

/** Methods that return an element. */
const ELEMENT_METHODS = wordsOf(
  "get pop shift at find first last peek poll remove next unwrap expect unwrap_or unwrap_or_else unwrap_or_default orElse orElseThrow orElseGet getOrDefault as_ref as_mut as_deref clone cloned borrow borrow_mut lock read write take",
);
/** Methods that return elements as a list or an iterator. */
const LIST_METHODS = wordsOf(
  "iter iter_mut into_iter drain values values_mut rev filter slice reverse sort sorted toSorted toReversed concat toList to_vec",
);
/** Methods of maps that return keys. */
const KEY_METHODS = wordsOf("keys keySet");
/** Methods of maps that return pairs of key and value. */
const PAIR_METHODS = wordsOf("items entries iter iter_mut into_iter drain");

function wordsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

export function externalMember(value: Value & { kind: "external" }, name: string): Values {
  const { args } = value;
  const result = args.length > 0 ? resultOfMethod(value, name) : undefined;
  return result === undefined ? externalOf(`${value.name}.${name}`) : externalOf(ELEMENT, [result]);
}

function resultOfMethod(value: Value & { kind: "external" }, name: string): Values | undefined {
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

/** The element of a container: the value of a map, the content of a `Result` or `Optional`. */
export function elementOf(container: Value & { kind: "external" }): Values {
  return (isMap(container) ? container.args.at(-1) : container.args[0]) ?? NOTHING;
}
