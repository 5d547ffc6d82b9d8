/** The id of this installation: on a shared Postgres, it says which indexes belong to this installation. */

import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isErrorCode, messageOf, Unavailable } from "../../common/errors.ts";

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Created once and stored in the data folder: engines with the same data folder are one installation. Paths are not
 * unique: containers and machines have different files under the same path.
 */
export function readInstallation(home: string): string {
  const path = join(home, "installation");
  const known = readId(path);
  if (known !== undefined) return known;
  const id = randomUUID();
  const draft = `${path}.new-${process.pid}`;
  try {
    writeFileSync(draft, `${id}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch (cause) {
    throw new Unavailable(
      `the id of this installation cannot be written to ${path} (${messageOf(cause)})`,
      "make the folder writable, or set COCOSEARCH_HOME to another folder",
      { cause },
    );
  }
  return id;
}

/** Undefined for a missing or damaged file. */
function readId(path: string): string | undefined {
  try {
    const id = readFileSync(path, "utf8").trim();
    return ID.test(id) ? id : undefined;
  } catch (error) {
    if (isErrorCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
