/** How sure an edge is: the precision that its tier was measured to have in its language. */

/** How a call was resolved, from the surest down. */
export const TIERS = {
  /** A: the same file, package or own method. */
  sameFile: "same file",
  samePackage: "same package",
  ownMethod: "own method",
  /** B: through what is imported, or a type that is known. */
  imported: "imported name",
  moduleMember: "member of a module",
  typeMember: "member of a type",
  typedReceiver: "typed receiver",
  /** C. */
  inherited: "inherited",
  /** D: no type is known, but the workspace has one method of the name that can be reached. */
  onlyOne: "only method of that name",
} as const;
export type Tier = keyof typeof TIERS;

/** What is known of a language that was not measured, and of tiers with fewer than 20 judged calls. */
const ELSEWHERE: Readonly<Record<Tier, number>> = {
  sameFile: 0.95,
  samePackage: 0.95,
  ownMethod: 0.95,
  imported: 0.95,
  moduleMember: 0.95,
  typeMember: 0.95,
  typedReceiver: 0.92,
  inherited: 0.92,
  onlyOne: 0.7,
};

const ECMASCRIPT: Partial<Record<Tier, number>> = {
  sameFile: 0.97,
  imported: 0.99,
  typedReceiver: 0.99,
};

/**
 * (right + 1) / (judged + 2) against what compilers say, on flask and httpx (824 calls), redux (468), cobra (2,148) and
 * gson (1,692). Of the last tier, the lower figure of an independent measurement by names alone.
 */
const MEASURED: Readonly<Record<string, Partial<Record<Tier, number>>>> = {
  python: {
    sameFile: 0.99,
    ownMethod: 0.97,
    imported: 0.99,
    typedReceiver: 0.97,
    inherited: 0.97,
  },
  javascript: ECMASCRIPT,
  typescript: ECMASCRIPT,
  tsx: ECMASCRIPT,
  go: { sameFile: 0.99, samePackage: 0.99, typedReceiver: 0.99, onlyOne: 0.88 },
  java: {
    samePackage: 0.97,
    ownMethod: 0.99,
    imported: 0.99,
    typeMember: 0.99,
    typedReceiver: 0.99,
    inherited: 0.95,
  },
  // redis and haproxy (71,857).
  c: { sameFile: 0.99, imported: 0.99, typedReceiver: 0.99 },
  // leveldb, Catch2 and yaml-cpp (25,739): what is wrong is most often another overload.
  cpp: {
    sameFile: 0.97,
    ownMethod: 0.99,
    imported: 0.99,
    typeMember: 0.97,
    typedReceiver: 0.99,
    inherited: 0.8,
    onlyOne: 0.7,
  },
};

export function confidenceOf(language: string, tier: Tier): number {
  return MEASURED[language]?.[tier] ?? ELSEWHERE[tier];
}
