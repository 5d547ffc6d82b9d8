/** Whether a stored index can be used as it is, by which recorded key differs. */

import type { IndexRecord } from "../contracts/model.ts";
import type { Compatibility } from "../contracts/store.ts";

/** Raised when the tables of an index change. */
export const SCHEMA_VERSION = 5;

type Keys = Pick<IndexRecord, "modelId" | "dimension" | "chunkerVersion" | "schemaVersion">;

/** `rebuild`: what is stored is of no use. `refresh`: words can be searched, vectors have to be made again. */
export function compatibility(stored: Keys, current: Keys): Compatibility {
  if (stored.schemaVersion !== current.schemaVersion) {
    return rebuild("tables", stored.schemaVersion, current.schemaVersion);
  }
  if (stored.chunkerVersion !== current.chunkerVersion) {
    return rebuild("chunker", stored.chunkerVersion, current.chunkerVersion);
  }
  if (stored.modelId !== current.modelId) {
    return {
      kind: "refresh",
      reason: `it was embedded with ${stored.modelId} and the settings say ${current.modelId}`,
    };
  }
  // 0 is a dimension that is not known yet.
  if (stored.dimension !== current.dimension && stored.dimension !== 0 && current.dimension !== 0) {
    return {
      kind: "refresh",
      reason: `its vectors have ${stored.dimension} dimensions and the model gives ${current.dimension}`,
    };
  }
  return { kind: "usable" };
}

function rebuild(what: string, stored: string | number, current: string | number): Compatibility {
  return {
    kind: "rebuild",
    reason: `its ${what} are of version ${stored}, this program's of ${current}`,
  };
}
