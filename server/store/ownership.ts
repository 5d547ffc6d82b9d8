/** Decides which indexes of a shared database this installation owns, and under which names. */

import { Unavailable } from "../common/errors.ts";
import type { IndexRecord } from "../contracts/model.ts";
import { type CatalogEntry, findRecord, listRecords } from "./catalog.ts";
import type { Database } from "./database.ts";
import { alternativeName, checkName, nameFromFolder } from "./names.ts";

/** The id of this installation; undefined in a database that other installations cannot open. */
export type Installation = string | undefined;

const isForeign = ({ keeper }: CatalogEntry, own: Installation) =>
  own !== undefined && keeper !== own;

export function toRecord(entry: CatalogEntry, own: Installation): IndexRecord {
  const { keeper: _, ...record } = entry;
  return isForeign(entry, own) ? { ...record, installation: "another" } : record;
}

/** Throws Unavailable if another folder or installation took the name since `nameFor` returned it. */
export function checkOwner(stored: CatalogEntry, root: string, own: Installation): void {
  if (stored.root === root && !isForeign(stored, own)) return;
  const owner = stored.root === root ? `${root} of another installation` : stored.root;
  throw new Unavailable(
    `the index name "${stored.name}" belongs to ${owner}`,
    "open the workspace again, or set another indexName",
  );
}

/** Candidate names in order: the plain name, then alternatives for when another root or installation has it. */
function namesFor(plain: string, root: string, own: Installation): string[] {
  const byRoot = alternativeName(plain, root);
  return own === undefined
    ? [plain, byRoot]
    : [plain, byRoot, alternativeName(plain, `${own} ${root}`)];
}

interface NameRequest {
  readonly root: string;
  /** Empty to use the folder's name. */
  readonly wanted: string;
  readonly own: Installation;
}

/** The name under which the root is stored, otherwise the first free candidate. A root keeps an alternative name. */
export async function nameFor(database: Database, request: NameRequest): Promise<string> {
  const { root, wanted, own } = request;
  const plain = wanted === "" ? nameFromFolder(root) : checkName(wanted);
  const names = namesFor(plain, root, own);
  const found = await Promise.all(names.map((name) => findRecord(database, name)));
  const kept = found.find((each) => each?.root === root && each.keeper === own);
  if (kept !== undefined) return kept.name;
  const free = names.find((_, i) => found[i] === undefined);
  return free ?? names.at(-1) ?? plain;
}

/** Resolves a user's name to a stored one. Indexes of this installation come first, also under their alternative names. */
export async function resolveName(
  database: Database,
  requested: string,
  own: Installation,
): Promise<string | undefined> {
  const entries = await listRecords(database);
  const owned = entries.filter((entry) => !isForeign(entry, own));
  const isExact = (entry: CatalogEntry) => entry.name === checkName(requested);
  // Alternative names count only in a database that installations share.
  const isAlternative = ({ name, root }: CatalogEntry) =>
    own !== undefined && namesFor(requested, root, own).includes(name);
  return (owned.find(isExact) ?? owned.find(isAlternative) ?? entries.find(isExact))?.name;
}
