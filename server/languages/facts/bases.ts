/** Parses the base types of a class from the text of its heritage clause. */

/** `extends A<B> implements C, D`, `(A, metaclass=M)`, `: A + B`. */
export function basesOf(text: string): string[] {
  const plain = text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/^\(|\)$/g, "")
    .replace(/^:/, "");
  return plain
    .split(/\b(?:extends|implements|with|permits)\b/)
    .flatMap((part) => splitBases(part))
    .filter((base) => base !== "" && !/^\w+\s*=/.test(base));
}

/** `: public virtual Base` */
const CPP_ACCESS = /^(?:(?:public|protected|private|virtual)\s+)+/;

function splitBases(part: string): string[] {
  const bases: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= part.length; at++) {
    const char = part[at] ?? ",";
    if ("<([{".includes(char)) depth++;
    else if (">)]}".includes(char)) depth--;
    else if (at === part.length || (depth <= 0 && (char === "," || char === "+"))) {
      bases.push(part.slice(from, at).trim().replace(CPP_ACCESS, ""));
      from = at + 1;
    }
  }
  return bases;
}
