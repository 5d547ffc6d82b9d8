/** Which indexes of a database are of this installation, under which name. */

import { Unavailable } from "../common/errors.ts";
import type { IndexRecord } from "../contracts/model.ts";
import { type CatalogEntry, findRecord, listRecords } from "./catalog.ts";
import type { Database } from "./database.ts";
import { alternativeName, checkName, nameFromFolder } from "./names.ts";

/** The id of this installation; undefined in a database that no other installation can open. */
export type Installation = string | undefined;

const isForeign = ({ keeper }: CatalogEntry, own: Installation) =>
  own !== undefined && keeper !== own;

export function toRecord(entry: CatalogEntry, own: Installation): IndexRecord {
  const { keeper, ...record } = entry;
  return isForeign(entry, own) ? { ...record, installation: "another" } : record;
}

/** Two folders of one name, or two installations with one path, that were opened at the same moment: the second has to ask for a name again. */
export function checkOwner(stored: CatalogEntry, root: string, own: Installation): void {
  if (stored.root === root && !isForeign(stored, own)) return;
  const owner = stored.root === root ? `${root} of another installation` : stored.root;
  throw new Unavailable(
    `the index name "${stored.name}" belongs to ${owner}`,
    "open the workspace again, or set another indexName",
  );
}

/** The plain name comes first; the others are for roots, and for installations, that find it taken. */
function namesFor(plain: string, root: string, own: Installation): string[] {
  const byRoot = alternativeName(plain, root);
  return own === undefined
    ? [plain, byRoot]
    : [plain, byRoot, alternativeName(plain, `${own} ${root}`)];
}

interface NameRequest {
  readonly root: string;
  /** Empty where the folder's name is to be taken. */
  readonly wanted: string;
  readonly own: Installation;
}

/** The name under which the root is stored, else the first that is free; a root that once had to take another name keeps it. */
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

/** The stored name that a user's name means: an index of this installation, also where it had to take another name, before one of others. */
export async function resolveName(
  database: Database,
  asked: string,
  own: Installation,
): Promise<string | undefined> {
  const entries = await listRecords(database);
  const ours = entries.filter((entry) => !isForeign(entry, own));
  const exact = (entry: CatalogEntry) => entry.name === checkName(asked);
  // In a database of one installation, every name is that of one index.
  const isMeant = ({ name, root }: CatalogEntry) =>
    own !== undefined && namesFor(asked, root, own).includes(name);
  return (ours.find(exact) ?? ours.find(isMeant) ?? entries.find(exact))?.name;
}
