/** What other files can see of a file, as text: while it stays the same, what was found through the file stays too. */

import type { FileFacts, ImportFact } from "../contracts/facts.ts";

export function packageSignature({ language, packageName }: FileFacts): string {
  return JSON.stringify([language, packageName]);
}

export function statementsSignature({ imports }: FileFacts): string {
  return JSON.stringify(imports.map(statementOf));
}

function statementOf({ kind, module, names, scope }: ImportFact) {
  return [kind, module, scope, ...names.map(({ name, alias }) => [name ?? null, alias])];
}

/** All but calls. Of lines only the order counts: they tell which of two definitions of a name comes first. */
export function wholeSignature(facts: FileFacts): string {
  const { language, packageName, imports, definitions, manifest } = facts;
  const lines = [...new Set(definitions.map(({ line }) => line))].toSorted((a, b) => a - b);
  const places = new Map(lines.map((line, place) => [line, place]));
  return JSON.stringify([
    language,
    packageName,
    imports.map(statementOf),
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
