/** The names that a file uses, with what it asks of them: which files of a package it means shows only by these. */

import type { FileFacts } from "../contracts/facts.ts";

export interface UsedNames {
  /** Every name that is written anywhere. */
  readonly all: readonly string[];
  /** What is asked of a name: `pool.Open` and `*pool.Pool` give Open and Pool. */
  membersOf(name: string): ReadonlySet<string>;
}

const NAME = /([\p{L}_$][\p{L}\p{N}_$]*)(?:\s*(?:\.|::)\s*([\p{L}_$][\p{L}\p{N}_$]*))?/gu;
const NONE: ReadonlySet<string> = new Set();

const known = new WeakMap<FileFacts, UsedNames>();

export function usedNames(facts: FileFacts): UsedNames {
  let used = known.get(facts);
  if (used === undefined) {
    used = collect(facts);
    known.set(facts, used);
  }
  return used;
}

function collect({ definitions, calls }: FileFacts): UsedNames {
  const names = new Map<string, Set<string>>();
  const read = (text: string) => {
    for (const [, name = "", member] of text.matchAll(NAME)) {
      const members = names.get(name) ?? new Set<string>();
      if (member !== undefined) members.add(member);
      names.set(name, members);
    }
  };
  for (const { type, value, bases, owner } of definitions) {
    for (const text of [type, value, owner, ...bases]) if (text !== "") read(text);
  }
  for (const { chain } of calls) read(chain);
  return {
    all: [...names.keys()],
    membersOf: (name) => names.get(name) ?? NONE,
  };
}
