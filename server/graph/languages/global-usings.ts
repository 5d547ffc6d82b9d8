/** Global usings of C#: namespaces that a project imports for all of its files, in a source file or in the project file. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { baseNameOf, folderOf } from "../../common/relative-path.ts";
import type { ImportFact } from "../../contracts/facts.ts";
import { foldersAbove } from "../project/paths.ts";
import { CSHARP_PROJECT, type PackageManifest, type Project } from "../project/project.ts";

const NO_USINGS: readonly ImportFact[] = [];

/** The global usings that the files of one folder declare. */
interface Place {
  /** Whether the folder has a project file. */
  isProject: boolean;
  /** From source files: valid in their project. */
  readonly sources: ImportFact[];
  /** From project files: valid in all folders below. */
  readonly below: ImportFact[];
}

export class GlobalUsings {
  readonly #project: Project;
  readonly #places: () => ReadonlyMap<string, Place>;
  /** The usings by folder. */
  readonly #known = new Map<string, readonly ImportFact[]>();

  constructor(project: Project) {
    this.#project = project;
    this.#places = project.reads.shared(() => placesIn(project.manifests(CSHARP_PROJECT)));
  }

  /** The global usings that apply to a file. */
  of(file: number): readonly ImportFact[] {
    const places = this.#places();
    if (places.size === 0) return NO_USINGS;
    const folder = folderOf(this.#project.path(file));
    return getOrCreate(this.#known, folder, () => usingsIn(places, folder));
  }
}

function placesIn(manifests: readonly PackageManifest[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const { path, manifest } of manifests) {
    const folder = folderOf(path);
    const place = places.get(folder) ?? { isProject: false, sources: [], below: [] };
    places.set(folder, place);
    const isSource = path.endsWith(".cs");
    place.isProject ||= /\.csproj$/i.test(baseNameOf(path));
    (isSource ? place.sources : place.below).push(...importsIn(manifest));
  }
  return places;
}

function importsIn({ usings }: PackageManifest["manifest"]): ImportFact[] {
  const statements = Array.isArray(usings)
    ? (usings as Pick<ImportFact, "kind" | "module" | "names">[])
    : [];
  return statements.map(({ kind, module, names }) => ({ kind, module, names, line: 0, scope: -1 }));
}

/** The global usings of the project that contains a folder; a workspace without project files is one project. */
function usingsIn(places: ReadonlyMap<string, Place>, folder: string): readonly ImportFact[] {
  const projectOf = (one: string) =>
    foldersAbove(one).find((above) => places.get(above)?.isProject === true);
  const own = projectOf(folder);
  const ofSources = [...places]
    .filter(([one, { sources }]) => sources.length > 0 && projectOf(one) === own)
    .flatMap(([, { sources }]) => sources);
  const ofProjects = foldersAbove(folder).flatMap((above) => places.get(above)?.below ?? []);
  return [...ofSources, ...ofProjects];
}
