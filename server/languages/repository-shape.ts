/** What the paths of a repository say of its folders: which of them are packages of their own, and what each file tests. */

import { memoize } from "../common/memoize.ts";
import { baseNameOf, folderOf } from "../common/relative-path.ts";

/** What `categories.ts` asks where a name alone does not decide. */
export interface RepositoryShape {
  /** Whether the folder holds a manifest, a `src` folder or a header of its name: it is a package, and not the tests of one. */
  isPackage(folder: string): boolean;
  /** Whether the folder is a package that has tests of its own, so that it is not tests itself. */
  isTestedPackage(folder: string): boolean;
  /** Whether a file or folder is named like this, without regard to case and separators. */
  hasName(name: string): boolean;
  /** Whether tests have a folder of their own somewhere. */
  readonly hasTestFolder: boolean;
}

const MANIFEST =
  /^(?:package\.json|Cargo\.toml|go\.mod|pyproject\.toml|setup\.(?:py|cfg)|pom\.xml|build\.gradle(?:\.kts)?|Package\.swift|CMakeLists\.txt|mix\.exs|composer\.json|meson\.build|.*\.(?:gemspec|cabal|csproj|fsproj))$/;

/** A library in C or C++ is included by its own name: `doctest/doctest.h`. */
const HEADER = /^(.+)\.(?:h|hh|hpp|hxx)$/;

/** Only tests are kept in folders of these names. */
const TEST_FOLDER_NAME = /^(?:tests?|__tests__|specs?|Tests|[A-Z]\w*Tests|.*[-_.][Tt]ests)$/;

/** A name as it is compared: `JSONReader`, `json_reader` and `json-reader` are one. */
export function nameKey(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

interface NameFacts {
  /** Without what follows the first dot. */
  readonly key: string;
  /** What a header is named. */
  readonly header: string | undefined;
  readonly isManifest: boolean;
}

/**
 * While files come and go, all are looked at again for the next question: 4,800 took 20 ms of it (rails). About 2 MB when
 * full.
 */
const factsOf = memoize((name): NameFacts => {
  const key = nameKey(name.replace(/(?<=.)\..*$/, ""));
  return { key, header: HEADER.exec(name)?.[1], isManifest: MANIFEST.test(name) };
}, 10_000);

/** Looks at each path once. */
export function shapeOf(paths: Iterable<string>): RepositoryShape {
  const packages = new Set<string>();
  const tested = new Set<string>();
  const names = new Set<string>();
  const known = new Set<string>();
  let hasTestFolder = false;
  const noteFolder = (folder: string) => {
    for (let at = folder; at !== "" && !known.has(at); at = folderOf(at)) {
      known.add(at);
      const name = baseNameOf(at);
      names.add(nameKey(name));
      if (name === "src") packages.add(folderOf(at));
      if (!TEST_FOLDER_NAME.test(name)) continue;
      hasTestFolder = true;
      tested.add(folderOf(at));
    }
  };
  for (const path of paths) {
    const folder = folderOf(path);
    const name = baseNameOf(path);
    noteFolder(folder);
    const { key, header, isManifest } = factsOf(name);
    names.add(key);
    if (isManifest || (header !== undefined && header === baseNameOf(folder))) packages.add(folder);
  }
  return {
    isPackage: (folder) => packages.has(folder),
    isTestedPackage: (folder) => packages.has(folder) && tested.has(folder),
    hasName: (name) => names.has(nameKey(name)),
    hasTestFolder,
  };
}
