/** The namespaces that files of C# use without saying so: their project does, in a file of its own or in its project file. */

import { baseNameOf, folderOf } from "../../common/relative-path.ts";
import type { ImportFact } from "../../contracts/facts.ts";
import { foldersAbove } from "../project/paths.ts";
import { CSHARP_PROJECT, type Manifest, type Project } from "../project/project.ts";

const NO_USINGS: readonly ImportFact[] = [];

/** What the files of one folder say of the projects that it is in. */
interface Place {
  /** Whether a project begins there. */
  isProject: boolean;
  /** Of source files: for their project. */
  readonly sources: ImportFact[];
  /** Of project files: for all below. */
  readonly below: ImportFact[];
}

export class GlobalUsings {
  readonly #project: Project;
  readonly #places: () => ReadonlyMap<string, Place>;
  /** By folder. */
  readonly #known = new Map<string, readonly ImportFact[]>();

  constructor(project: Project) {
    this.#project = project;
    this.#places = project.reads.shared(() => placesIn(project.manifests(CSHARP_PROJECT)));
  }

  /** As if they were written in the file. */
  of(file: number): readonly ImportFact[] {
    const places = this.#places();
    if (places.size === 0) return NO_USINGS;
    const folder = folderOf(this.#project.path(file));
    let usings = this.#known.get(folder);
    if (usings === undefined) {
      usings = usingsIn(places, folder);
      this.#known.set(folder, usings);
    }
    return usings;
  }
}

function placesIn(manifests: readonly Manifest[]): ReadonlyMap<string, Place> {
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

function importsIn({ usings }: Manifest["manifest"]): ImportFact[] {
  const statements = Array.isArray(usings)
    ? (usings as Pick<ImportFact, "kind" | "module" | "names">[])
    : [];
  return statements.map(({ kind, module, names }) => ({ kind, module, names, line: 0, scope: -1 }));
}

/** Those of the project around a folder; a workspace without project files is one project. */
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
