/** Keys of the scopes that contain a definition and that several files share: namespaces, and the whole program. */

import type { DefinitionFact, FileFacts } from "../../contracts/facts.ts";
import { openNamespaceKey, programKey, splitQualifiedName } from "../project/package-key.ts";

interface Scopes {
  /** The family of a language with one global scope per program. */
  readonly program?: string;
  /** A language with namespaces that any file can reopen. */
  readonly namespaces?: string;
  /** Whether any file can also reopen a class. */
  readonly hasOpenClasses?: true;
}

/** Empty for a definition in a function. */
export function scopeKeys(
  { program, namespaces, hasOpenClasses }: Scopes,
  { definitions }: FileFacts,
  { name, parent, owner }: DefinitionFact,
): string[] {
  if (name === "") return [];
  const enclosing: string[] = [];
  let isMember = false;
  for (let at = parent; at >= 0; at = definitions[at]?.parent ?? -1) {
    const one = definitions[at];
    if (one?.kind === "class" && hasOpenClasses) enclosing.unshift(one.name);
    else if (one?.kind === "namespace")
      enclosing.unshift(...splitQualifiedName(one.owner), one.name);
    else if (one?.kind === "class" || one?.kind === "interface") isMember = true;
    else return [];
  }
  if (isMember) return [];
  const keys = program !== undefined && owner === "" ? [programKey(program)] : [];
  if (namespaces !== undefined)
    keys.push(openNamespaceKey(namespaces, [...enclosing, ...splitQualifiedName(owner)]));
  return keys;
}
