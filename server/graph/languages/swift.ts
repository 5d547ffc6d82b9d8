/** Swift: a module's files see each other, and modules are imported as a whole. */

import type { ImportFact } from "../../contracts/facts.ts";
import type { Resolution, Rules } from "../resolve/rules.ts";
import { NOTHING, type Values } from "../resolve/values.ts";

/**
 * All files of a workspace count as one module: what is in which module is said by Package.swift, which is a program, or by
 * the project file of an editor.
 */
export class SwiftRules implements Rules {
  readonly reexportsImports = false;
  readonly hasVisibleReexports = false;
  readonly hasImplicitThis = true;
  readonly unboundIsExternal = true;

  resolve(_file: number, { module }: ImportFact): Resolution {
    return { files: [], bindings: [], wildcards: [], external: module, how: "external" };
  }

  submodule(): Values {
    return NOTHING;
  }
}
