/** Parses Swift imports. */

import type { ImportStatement } from "./statement.ts";

/** `@testable import App`, `import struct App.Pool`. */
export function swiftImports(text: string): ImportStatement[] {
  const module =
    /\bimport\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?([\w.]+)\s*$/.exec(
      text,
    )?.[1];
  return module === undefined ? [] : [{ kind: "wildcard", module, names: [] }];
}
