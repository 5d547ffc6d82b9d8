/** The text of a name node as the name that people write. */

/** A computed key or macro call of this length is not a name that anybody looks for. */
const LONGEST_NAME = 120;

/** Undefined where nothing is left that could be called a name. */
export function nameOf(text: string, separator: "." | "::"): string | undefined {
  const name = separator === "::" ? withoutTemplates(text) : withDots(text);
  return name === "" || name.length > LONGEST_NAME || name.includes("\n") ? undefined : name;
}

/** `Foo<T>::bar` -> `Foo::bar`; the `<` of an operator stays. */
function withoutTemplates(text: string): string {
  let name = text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\s*::\s*/g, "::")
    .replace(/^::/, "");
  const operator = name.search(/\boperator\b/);
  const tail =
    operator < 0
      ? ""
      : name
          .slice(operator)
          .replace(/(?<=.\w|[^(])\(.*$/, "")
          .trimEnd();
  name = operator < 0 ? name : name.slice(0, operator);
  for (let before = ""; before !== name; ) {
    before = name;
    name = name.replaceAll(/<[^<>]*>/g, "");
  }
  return (name + tail).replace(/^[^\w~]+/, "").trimEnd();
}

/** `exports.load`, `this.load` -> `load`; `Foo.prototype.bar` -> `Foo.bar`; `"key"` -> `key`; `A::B` -> `A.B`. */
function withDots(text: string): string {
  return text
    .trim()
    .replace(/^(["'])(.*)\1$/s, "$2")
    .replace(/^(?:module\.)?exports(?:\.|$)/, "")
    .replace(/^(?:this|self|window|globalThis)\./, "")
    .replace(".prototype.", ".")
    .replaceAll(/\s*::\s*/g, ".")
    .replace(/^\./, "");
}
