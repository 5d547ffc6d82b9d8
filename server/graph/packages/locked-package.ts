/** A package with the version that a lock file names. */

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
}

/** Finds the package of an imported module, for a file in a folder below that of the lock file. */
export type FindLocked = (module: string, folder: string) => LockedPackage | undefined;

/** The only version of each name: of several the file does not say which one an import means. */
export function onlyVersions(all: Iterable<LockedPackage>): Map<string, LockedPackage> {
  const found = new Map<string, LockedPackage | undefined>();
  for (const one of all) {
    const known = found.get(one.name);
    const isOther = found.has(one.name) && known?.version !== one.version;
    found.set(one.name, isOther ? undefined : one);
  }
  return new Map([...found].flatMap(([name, one]) => (one === undefined ? [] : [[name, one]])));
}
