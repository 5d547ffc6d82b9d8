/** Swift: files of a module see each other, and imports name whole modules. */

import type { ImportFact } from "../../contracts/facts.ts";
import type { Resolution, Rules } from "../resolve/rules.ts";
import { NOTHING, type Values } from "../resolve/values.ts";

/** All files of a workspace count as one module: the modules are defined by Package.swift, a program, or by an Xcode project. */
export class SwiftRules implements Rules {
  resolve(_file: number, { module }: ImportFact): Resolution {
    return { files: [], bindings: [], wildcards: [], external: module, how: "external" };
  }

  submodule(): Values {
    return NOTHING;
  }
}
