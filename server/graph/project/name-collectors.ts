/** Collects the definitions of a file that name indexes contain: members of packages, extensions, and methods. */

import { hash53, hash53After } from "../../common/hash.ts";
import { topNamesOf } from "../../contracts/encoded-facts.ts";
import type { FileFacts } from "../../contracts/facts.ts";
import type { Collect, Indexed } from "./name-index.ts";
import { ANY_TYPE, isTypeParameter } from "./package-key.ts";
import type { TraitsOf } from "./traits.ts";

/** The definitions in packages, namespaces and programs. */
export function packageMembers(traitsOf: TraitsOf): Collect {
  return (path, facts) => {
    const { packageKey, keysOf } = traitsOf(facts.language);
    const own = packageKey?.(path, facts.packageName);
    const found = own === undefined ? [] : topMembers(own, facts);
    if (keysOf !== undefined)
      for (const [index, one] of facts.definitions.entries())
        for (const key of keysOf(facts, one))
          found.push({ hash: hash53(`${key} ${one.name}`), index, mark: 0 });
    return found;
  };
}

/** The top-level names of a file, which are read without decoding the definitions. */
function topMembers(ownPackage: string, facts: FileFacts): Indexed[] {
  const hashOf = hash53After(`${ownPackage} `);
  return topNamesOf(facts).map(({ name, index }) => ({ hash: hashOf(name), index, mark: 0 }));
}

export const extensions: Collect = (_, { definitions }) => {
  const found: Indexed[] = [];
  for (const [index, { kind, name, owner }] of definitions.entries()) {
    if (kind === "extension") found.push({ hash: hash53(name), index, mark: 0 });
    else if (owner !== "") {
      const last = owner.slice(Math.max(owner.lastIndexOf("."), owner.lastIndexOf(":")) + 1);
      found.push({ hash: hash53(last), index, mark: 0 });
      if (isTypeParameter(last)) found.push({ hash: hash53(ANY_TYPE), index, mark: 0 });
    }
  }
  return found;
};

export const methods: Collect = (path, { language, definitions }) => {
  const found: Indexed[] = [];
  const hashOf = hash53After(`${language} `);
  const markOf = hash53After(`${path}:`);
  for (const [index, { kind, name, owner, parent }] of definitions.entries()) {
    if (kind !== "function" || name === "") continue;
    const enclosing = definitions[parent];
    const isMember =
      enclosing?.kind === "class" ||
      enclosing?.kind === "interface" ||
      enclosing?.kind === "extension";
    if (owner === "" && !isMember) continue;
    found.push({ hash: hashOf(name), index, mark: markOf(`${owner}:${enclosing?.name ?? ""}`) });
  }
  return found;
};
