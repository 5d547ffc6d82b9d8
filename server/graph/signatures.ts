/** What other files can see of a file, as text: while it stays the same, what was found through the file stays too. */

import type { FileFacts } from "../contracts/facts.ts";

/** The language, the package, and the names at the top of the file. */
export function topSignature(facts: FileFacts): string {
  const { language, packageName, definitions } = facts;
  const names = definitions
    .filter(({ parent, owner }) => parent === -1 && owner === "")
    .map(({ name }) => name);
  return JSON.stringify([language, packageName, names]);
}

/** All but calls. Of lines only the order counts: they tell which of two definitions of a name comes first. */
export function wholeSignature(facts: FileFacts): string {
  const { language, packageName, imports, definitions, manifest } = facts;
  const lines = [...new Set(definitions.map(({ line }) => line))].toSorted((a, b) => a - b);
  const places = new Map(lines.map((line, place) => [line, place]));
  return JSON.stringify([
    language,
    packageName,
    imports.map(({ kind, module, names, scope }) => [
      kind,
      module,
      scope,
      ...names.map(({ name, alias }) => [name ?? null, alias]),
    ]),
    definitions.map((one) => [
      one.kind,
      one.name,
      places.get(one.line),
      one.parent,
      one.flags,
      one.type,
      one.value,
      one.bases,
      one.owner,
    ]),
    manifest,
  ]);
}
