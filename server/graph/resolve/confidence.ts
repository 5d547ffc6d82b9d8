/**
 * The confidence of a call edge: the estimated precision of the tier that resolved the call. It is measured for some tiers of
 * C, C++, Go, Java, Python and TypeScript; JavaScript and TSX take over the figures of TypeScript. All other figures are
 * assumptions.
 */

/** How a call was resolved, in order of falling confidence. */
export const TIERS = {
  /** Tier A: the same file, the same package, or a method of the same class. */
  sameFile: "same file",
  samePackage: "same package",
  ownMethod: "own method",
  /** Tier B: an import, or a known type of the receiver. */
  imported: "imported name",
  moduleMember: "member of a module",
  typeMember: "member of a type",
  typedReceiver: "typed receiver",
  /** Tier C: a base class. */
  inherited: "inherited",
  /** Tier D: the type of the receiver is unknown, but one reachable type alone has a method of this name. */
  onlyOne: "only method of that name",
} as const;
export type Tier = keyof typeof TIERS;

/**
 * For languages that were not measured (among them C#, Elixir, Kotlin, Lua, PHP, Ruby, Rust, Scala and Swift), and for tiers
 * with fewer than 20 judged calls: estimates.
 */
const ASSUMED: Readonly<Record<Tier, number>> = {
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

const TYPESCRIPT: Partial<Record<Tier, number>> = {
  sameFile: 0.97,
  imported: 0.99,
  typedReceiver: 0.99,
};

/**
 * (right + 1) / (judged + 2), judged by compilers and type checkers: flask and httpx (824 calls), redux (468), cobra (2,148),
 * gson (1,692), redis and haproxy (71,857), leveldb, Catch2 and yaml-cpp (25,739). `onlyOne` is the lower figure of a separate
 * measurement that resolved calls by names alone.
 */
const MEASURED: Readonly<Record<string, Partial<Record<Tier, number>>>> = {
  python: {
    sameFile: 0.99,
    ownMethod: 0.97,
    imported: 0.99,
    typedReceiver: 0.97,
    inherited: 0.97,
  },
  typescript: TYPESCRIPT,
  // Not measured themselves.
  javascript: TYPESCRIPT,
  tsx: TYPESCRIPT,
  go: { sameFile: 0.99, samePackage: 0.99, typedReceiver: 0.99, onlyOne: 0.88 },
  java: {
    samePackage: 0.97,
    ownMethod: 0.99,
    imported: 0.99,
    typeMember: 0.99,
    typedReceiver: 0.99,
    inherited: 0.95,
  },
  c: { sameFile: 0.99, imported: 0.99, typedReceiver: 0.99 },
  // Most wrong edges lead to another overload.
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

/** Between 0 and 1. */
export function tierConfidence(language: string, tier: Tier): number {
  return MEASURED[language]?.[tier] ?? ASSUMED[tier];
}
