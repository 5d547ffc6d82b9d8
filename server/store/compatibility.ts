/** Decides whether a stored index can be used by this program and model. */

import type { IndexRecord } from "../contracts/model.ts";
import type { Compatibility } from "../contracts/store.ts";

/** Raise it when the tables of an index change. */
export const SCHEMA_VERSION = 6;

/** The remedy for an index of another model. */
export const REFRESH_REMEDY =
  "run cocosearch-lsp index --full (in an editor cocosearch.reindex), or set the model of the index";

type Keys = Pick<IndexRecord, "modelId" | "dimension" | "chunkerVersion" | "schemaVersion">;
type Stored = Keys & Pick<IndexRecord, "name">;

/** `rebuild`: the stored rows cannot be used. `refresh`: keywords can be searched, but chunks must be embedded again. */
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
  // A dimension of 0 is not known yet.
  if (stored.dimension !== current.dimension && stored.dimension !== 0 && current.dimension !== 0) {
    return {
      kind: "refresh",
      reason: `the vectors of the index ${stored.name} have ${stored.dimension} dimensions, but the model has ${current.dimension}`,
    };
  }
  return { kind: "usable" };
}

/** For an index whose vectors come from another model than the current one. */
export function otherModel(
  { name, modelId }: Pick<IndexRecord, "name" | "modelId">,
  current: string,
): Compatibility {
  const reason = `the index ${name} was embedded with ${modelId}, but the settings name ${current}`;
  return { kind: "refresh", reason };
}

/** Why semantic search is unavailable, and what to do; undefined if it is available. */
export function mismatchOf(fit: Compatibility): string | undefined {
  return fit.kind === "usable"
    ? undefined
    : `${fit.reason}, so only keywords are searched: ${REFRESH_REMEDY}`;
}

function rebuild(
  { name }: Stored,
  what: string,
  stored: string | number,
  current: string | number,
): Compatibility {
  const reason = `the index ${name} has version ${stored} of the ${what}, this program version ${current}`;
  return { kind: "rebuild", reason };
}
