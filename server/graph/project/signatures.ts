/** What other files can see of a file, as text: while it stays the same, what was found through the file stays too. */

import type { FileFacts, ImportFact } from "../../contracts/facts.ts";

export function packageSignature({ language, packageName }: FileFacts): string {
  return JSON.stringify([language, packageName]);
}

export function statementsSignature({ imports }: FileFacts): string {
  return JSON.stringify(imports.map(statementOf));
}

function statementOf({ kind, module, names, scope }: ImportFact) {
  return [kind, module, scope, ...names.map(({ name, alias }) => [name ?? null, alias])];
}
