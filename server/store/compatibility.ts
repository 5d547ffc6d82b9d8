/** Whether a stored index can be used as it is, by which recorded key differs. */

import type { IndexRecord } from "../contracts/model.ts";
import type { Compatibility } from "../contracts/store.ts";

/** Raised when the tables of an index change. */
export const SCHEMA_VERSION = 6;

/** How a user ends it, with the model that is set or with the one before. */
export const REFRESH_REMEDY =
  "run cocosearch-lsp index --full (in an editor cocosearch.reindex), or set the model that made it";

type Keys = Pick<IndexRecord, "modelId" | "dimension" | "chunkerVersion" | "schemaVersion">;
type Stored = Keys & Pick<IndexRecord, "name">;

/** `rebuild`: what is stored is of no use. `refresh`: words can be searched, vectors have to be made again. */
export function compatibility(stored: Stored, current: Keys): Compatibility {
  if (stored.schemaVersion !== current.schemaVersion) {
    return rebuild(stored, "tables", stored.schemaVersion, current.schemaVersion);
  }
  if (stored.chunkerVersion !== current.chunkerVersion) {
    return rebuild(stored, "chunker", stored.chunkerVersion, current.chunkerVersion);
  }
  if (stored.modelId !== current.modelId) {
    return otherModel(stored, current.modelId);
  }
  // 0 is a dimension that is not known yet.
  if (stored.dimension !== current.dimension && stored.dimension !== 0 && current.dimension !== 0) {
    return {
      kind: "refresh",
      reason: `the vectors of the index ${stored.name} have ${stored.dimension} dimensions and the model gives ${current.dimension}`,
    };
  }
  return { kind: "usable" };
}

/** The vectors of an index are not those of the model that would embed a question. */
export function otherModel(
  { name, modelId }: Pick<IndexRecord, "name" | "modelId">,
  current: string,
): Compatibility {
  const reason = `the index ${name} was embedded with ${modelId} and the settings say ${current}`;
  return { kind: "refresh", reason };
}

/** Why meaning is not searched, and what to do; undefined where it is. */
export function mismatchOf(fit: Compatibility): string | undefined {
  return fit.kind === "usable"
    ? undefined
    : `${fit.reason}, so that it is searched by words only: ${REFRESH_REMEDY}`;
}

function rebuild(
  { name }: Stored,
  what: string,
  stored: string | number,
  current: string | number,
): Compatibility {
  const reason = `the index ${name} was made with version ${stored} of the ${what}, and this program has ${current}`;
  return { kind: "rebuild", reason };
}
