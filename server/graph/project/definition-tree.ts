/** The scopes of one file: its definitions by parent and name, and which of them differ after a change. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { hash53, mix } from "../../common/hash.ts";
import type { DefinitionFact, FileFacts } from "../../contracts/facts.ts";

type Children = ReadonlyMap<string, readonly number[]>;

const NONE: Children = new Map();
/** The identity of the top level. */
const TOP = 0;
/** A pseudo name for "the scope has any definition". */
const ANY = "\0";

export class DefinitionTree {
  readonly #definitions: readonly DefinitionFact[];
  readonly #children: ReadonlyMap<number, Children>;
  #identities: Int32Array | undefined;

  constructor(facts: FileFacts | undefined) {
    this.#definitions = facts?.definitions ?? [];
    this.#children = childrenOf(this.#definitions);
  }

  /** The direct children of a definition, or of the top level for -1, by name; without functions that name their receiver type. */
  children(parent: number): Children {
    return this.#children.get(parent) ?? NONE;
  }

  /**
   * A hash of the qualified name of a definition. It is stable across changes of lines and of other definitions. Definitions of
   * the same name in the same scope share it.
   */
  identity(index: number): number {
    this.#identities ??= identitiesOf(this.#definitions);
    return this.#identities[index] ?? TOP;
  }

  /** The identity of a definition of this name in a scope, whether it exists or not. */
  identityInside(parent: number, name: string): number {
    return identityOf(parent < 0 ? TOP : this.identity(parent), name, "");
  }

  /** The identity of "the scope has any definition". */
  identityOfAny(parent: number): number {
    return this.identityInside(parent, ANY);
  }

  /** By identity, the facts of its definitions as text, for comparison. */
  signatures(): Map<number, string> {
    const found = new Map<number, string>();
    const ordinals = new Int32Array(this.#definitions.length);
    const counts = new Map<number, number>();
    const place = linePlaces(this.#definitions);
    this.#definitions.forEach((one, index) => {
      const identity = this.identity(index);
      const ordinal = counts.get(identity) ?? 0;
      counts.set(identity, ordinal + 1);
      ordinals[index] = ordinal;
      const { kind, flags, type, value, owner, labels, bases, parent } = one;
      const places = [ordinals[parent] ?? -1, place(index)];
      const own = [kind, flags, type, value, owner, labels, ...places, ...bases];
      found.set(identity, `${found.get(identity) ?? ""}${own.join("\0")}\n`);
      if (isChild(one, this.#definitions)) found.set(this.identityOfAny(parent), ANY);
    });
    return found;
  }
}

/** The identities whose definitions differ between two versions of a file. */
export function changedIdentities(before: DefinitionTree, after: DefinitionTree): number[] {
  const [old, now] = [before.signatures(), after.signatures()];
  const all = new Set([...old.keys(), ...now.keys()]);
  return [...all].filter((identity) => old.get(identity) !== now.get(identity));
}

function identitiesOf(definitions: readonly DefinitionFact[]): Int32Array {
  const identities = new Int32Array(definitions.length);
  definitions.forEach(({ name, owner, parent }, index) => {
    identities[index] = identityOf(parent < 0 ? TOP : (identities[parent] ?? TOP), name, owner);
  });
  return identities;
}

function identityOf(enclosing: number, name: string, owner: string): number {
  const own = hash53(owner === "" ? name : `${owner}.${name}`);
  return mix(Math.imul(enclosing, 31) + (own | 0));
}

/** The rank of a local definition by line, which decides between two values of a name; -1 outside functions. */
function linePlaces(definitions: readonly DefinitionFact[]): (index: number) => number {
  const lines = new Map<number, Set<number>>();
  const isLocal = ({ parent }: DefinitionFact) => definitions[parent]?.kind === "function";
  for (const one of definitions) {
    if (isLocal(one)) getOrCreate(lines, one.parent, () => new Set()).add(one.line);
  }
  const places = new Map(
    [...lines].map(([parent, all]) => {
      const sorted = [...all].toSorted((a, b) => a - b);
      return [parent, new Map(sorted.map((line, place) => [line, place]))] as const;
    }),
  );
  return (index) => {
    const { parent = -1, line = 0 } = definitions[index] ?? {};
    return places.get(parent)?.get(line) ?? -1;
  };
}

function childrenOf(definitions: readonly DefinitionFact[]): ReadonlyMap<number, Children> {
  const byParent = new Map<number, Map<string, number[]>>();
  definitions.forEach((one, index) => {
    const { parent, name } = one;
    if (!isChild(one, definitions)) return;
    const names = getOrCreate(byParent, parent, () => new Map<string, number[]>());
    getOrCreate(names, name, () => []).push(index);
  });
  return byParent;
}

/** A function that names its receiver type is found through the type; an extension of C# is also a member of its class. */
function isChild(
  { owner, parent }: DefinitionFact,
  definitions: readonly DefinitionFact[],
): boolean {
  const enclosing = definitions[parent]?.kind;
  return owner === "" || enclosing === "class" || enclosing === "interface";
}
