/** The names that a file uses, with their members, to find the files of a package that an import refers to. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { usedTextsOf } from "../../contracts/encoded-facts.ts";
import type { FileFacts } from "../../contracts/facts.ts";

interface UsedNames {
  /** All names in the facts of the file. */
  readonly all: readonly string[];
  /** The members that are accessed on a name: `Open` and `Pool` for `pool.Open` and `*pool.Pool`. */
  membersOf(name: string): ReadonlySet<string>;
}

const NAME = /([\p{L}_$][\p{L}\p{N}_$]*)(?:\s*(?:\.|::)\s*([\p{L}_$][\p{L}\p{N}_$]*))?/gu;
/** The fast path for most texts: `name`, `name.member` or a call of either. */
const SIMPLE = /^([A-Za-z_$][\w$]*)(?:\.([A-Za-z_$][\w$]*))?(?:\(\))?$/;
const NONE: ReadonlySet<string> = new Set();

const known = new WeakMap<FileFacts, UsedNames>();

export function usedNames(facts: FileFacts): UsedNames {
  return getOrCreate(known, facts, collect);
}

function collect(facts: FileFacts): UsedNames {
  const names = new Map<string, Set<string> | undefined>();
  for (const text of usedTextsOf(facts)) {
    const simple = SIMPLE.exec(text);
    if (simple !== null) add(names, simple[1] ?? "", simple[2]);
    else for (const [, name = "", member] of text.matchAll(NAME)) add(names, name, member);
  }
  return {
    all: [...names.keys()],
    membersOf: (name) => names.get(name) ?? NONE,
  };
}

function add(
  names: Map<string, Set<string> | undefined>,
  name: string,
  member: string | undefined,
): void {
  const members = names.get(name);
  if (member === undefined) {
    if (members === undefined) names.set(name, undefined);
  } else if (members === undefined) names.set(name, new Set([member]));
  else members.add(member);
}
