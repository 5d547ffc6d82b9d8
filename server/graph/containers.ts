/** What comes out of a list, a map or an optional of some library, by the names that most languages give to it. */

import { externalOf, NOTHING, type Value, type Values } from "./values.ts";

/** Of a container, methods that give what is in it. */
const ELEMENT_METHODS: ReadonlySet<string> = new Set(
  "get pop shift at find first last peek poll remove next unwrap expect unwrap_or unwrap_or_else unwrap_or_default orElse orElseThrow orElseGet getOrDefault as_ref as_mut as_deref clone cloned borrow borrow_mut lock read write iter into_iter values items take".split(
    " ",
  ),
);

export function externalMember(value: Value & { kind: "external" }, name: string): Values {
  const { args } = value;
  if (args.length > 0 && ELEMENT_METHODS.has(name)) return externalOf(ELEMENT, [elementOf(value)]);
  return externalOf(`${value.name}.${name}`);
}

const ELEMENT = "<element>";

export function externalCall(value: Value & { kind: "external" }): Values {
  if (value.name === ELEMENT) return value.args[0] ?? NOTHING;
  return externalOf(`${value.name}()`, value.args);
}

/** What is in a container: the value of a map, what a `Result` or `Optional` holds. */
export function elementOf({ name, args }: Value & { kind: "external" }): Values {
  return (/map|dict|record/i.test(name) ? args.at(-1) : args[0]) ?? NOTHING;
}
