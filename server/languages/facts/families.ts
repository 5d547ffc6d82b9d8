/** What extraction needs to know of a language besides its query. */

import { ecmascriptImports } from "./imports/ecmascript.ts";
import { goImports } from "./imports/go.ts";
import { javaImports } from "./imports/jvm.ts";
import { pythonImports } from "./imports/python.ts";
import { rustImports } from "./imports/rust.ts";
import type { ImportStatement } from "./imports/statement.ts";
import type { ParameterStyle } from "./parameters.ts";

export interface Family {
  readonly parameters: ParameterStyle;
  imports(text: string): ImportStatement[];
  /** What a method calls the object that it belongs to, where it is assigned to: `self.x = ...`. */
  readonly self?: string;
}

const ECMASCRIPT: Family = { parameters: "colon", imports: ecmascriptImports, self: "this" };

const FAMILIES: Readonly<Record<string, Family>> = {
  javascript: ECMASCRIPT,
  typescript: ECMASCRIPT,
  tsx: ECMASCRIPT,
  python: { parameters: "colon", imports: pythonImports, self: "self" },
  go: { parameters: "go", imports: goImports },
  java: { parameters: "typeFirst", imports: javaImports, self: "this" },
  rust: { parameters: "colon", imports: rustImports },
};

/** Undefined for languages of which no facts are extracted. */
export function familyOf(languageId: string): Family | undefined {
  return FAMILIES[languageId];
}
