/** Signatures of the parts of a file that other files read: results stay valid while the signature is equal. */

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
