/** Decides which indexes of a shared database this installation owns, under which names, and adopts indexes without an owner. */

import { Unavailable } from "../common/errors.ts";
import type { IndexRecord } from "../contracts/model.ts";
import type { WriterLock } from "../contracts/store.ts";
import { adoptRecord, type CatalogEntry, findRecord, listRecords, lockIndex } from "./catalog.ts";
import { SCHEMA_VERSION } from "./compatibility.ts";
import { hasTables } from "./counts.ts";
import type { Database } from "./database.ts";
import { forgetStatFingerprints } from "./files.ts";
import { alternativeName, checkName, nameFromFolder, tablesOf } from "./names.ts";

/** The id of this installation; undefined in a database that other installations cannot open. */
export type Installation = string | undefined;

/** An index without an owner is not foreign. */
const isForeign = ({ keeper }: CatalogEntry, own: Installation) =>
  own !== undefined && keeper !== undefined && keeper !== own;

export function toRecord(entry: CatalogEntry, own: Installation): IndexRecord {
  const { keeper, publisher: _, ...record } = entry;
  if (own === undefined || keeper === own) return record;
  return { ...record, installation: keeper === undefined ? "unknown" : "another" };
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
  readonly writerOf: (name: string) => WriterLock;
}

/** The name under which the root is stored, otherwise the first free candidate. A root keeps an alternative name. */
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
 * Makes this installation the owner of an index without one, unless another engine writes it. The index may be of other
 * files with the same path, so every file is read again.
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
      // An index with other tables is rebuilt anyway.
      const isUsable = schemaVersion === SCHEMA_VERSION && (await hasTables(tx, tables));
      if (isUsable) await forgetStatFingerprints(tx, tables);
      return true;
    });
  } finally {
    await writer.release();
  }
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
