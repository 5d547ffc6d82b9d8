/** Which indexes of a database are of this installation, under which name, and how it adopts one that is nobody's yet. */

import { Unavailable } from "../common/errors.ts";
import type { IndexRecord } from "../contracts/model.ts";
import type { WriterLock } from "../contracts/store.ts";
import { adoptRecord, type CatalogEntry, findRecord, listRecords, lockIndex } from "./catalog.ts";
import { SCHEMA_VERSION } from "./compatibility.ts";
import { hasTables } from "./counts.ts";
import type { Database } from "./database.ts";
import { forgetStatFingerprints } from "./files.ts";
import { alternativeName, checkName, nameFromFolder, tablesOf } from "./names.ts";

/** The id of this installation; undefined in a database that no other installation can open. */
export type Installation = string | undefined;

/** An index from before installations were told apart is nobody's. */
const isForeign = ({ keeper }: CatalogEntry, own: Installation) =>
  own !== undefined && keeper !== undefined && keeper !== own;

export function toRecord(entry: CatalogEntry, own: Installation): IndexRecord {
  const { keeper, ...record } = entry;
  if (own === undefined || keeper === own) return record;
  return { ...record, installation: keeper === undefined ? "unknown" : "another" };
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
  readonly writerOf: (name: string) => WriterLock;
}

/** The name under which the root is stored, else the first that is free; a root that once had to take another name keeps it. */
export async function nameFor(database: Database, request: NameRequest): Promise<string> {
  const { root, wanted, own, writerOf } = request;
  const plain = wanted === "" ? nameFromFolder(root) : checkName(wanted);
  const names = namesFor(plain, root, own);
  const found = await Promise.all(names.map((name) => findRecord(database, name)));
  const ofRoot = found.filter((each) => each?.root === root);
  const kept = ofRoot.find((each) => each?.keeper === own);
  if (kept !== undefined) return kept.name;
  for (const entry of ofRoot) {
    if (own === undefined || entry === undefined || entry.keeper !== undefined) continue;
    if (await adopt(database, entry, own, writerOf(entry.name))) return entry.name;
  }
  const free = names.find((_, i) => found[i] === undefined);
  return free ?? names.at(-1) ?? plain;
}

/**
 * Makes an index from before installations were told apart this one's, unless another engine writes it. It may have been
 * made of other files under the same path: all are read again.
 */
async function adopt(
  database: Database,
  { name, schemaVersion }: CatalogEntry,
  own: string,
  writer: WriterLock,
): Promise<boolean> {
  if (!(await writer.tryHold())) return false;
  try {
    const tables = tablesOf(name);
    return await database.transaction(async (tx) => {
      await lockIndex(tx, name);
      if (!(await adoptRecord(tx, name, own))) return false;
      // Of other tables, or without some of them, it is rebuilt.
      const isUsable = schemaVersion === SCHEMA_VERSION && (await hasTables(tx, tables));
      if (isUsable) await forgetStatFingerprints(tx, tables);
      return true;
    });
  } finally {
    await writer.release();
  }
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
