/**
 * The dependency graph of a workspace: import and call edges, resolved from the facts of its files. Start reading here.
 *
 * `project/` stores facts and indexes definitions, `resolve/` evaluates names, types and calls, `languages/` holds the rules of
 * each language, and `answers/` serves requests.
 */

import { type PackedArrays, packParts, partOf } from "../common/packed/packed-arrays.ts";
import type { CallFact, FileFacts } from "../contracts/facts.ts";
import { traitsOf } from "./languages/traits.ts";
import { SharedRulesOf } from "./languages.ts";
import { type EdgeOccurrence, FileEdges } from "./project/file-edges.ts";
import { type DefinitionRef, Project, type ProjectOptions } from "./project/project.ts";
import { filePartKey, READ, type Recording } from "./project/reads.ts";
import { SimilarFileNames } from "./project/similar-file-names.ts";
import { TrackedResults } from "./project/tracked-results.ts";
import { clearChainCache } from "./resolve/chain.ts";
import { type CallEdge, FileView } from "./resolve/file-view.ts";
import { type ImportTarget, ImportTargets } from "./resolve/import-targets.ts";
import { clearTypeCache } from "./resolve/types.ts";

interface GraphFile {
  readonly path: string;
  /** Undefined for a file without facts, such as an image or a style sheet. */
  readonly facts: FileFacts | undefined;
}

interface ImportEdge {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly kind: string;
  readonly how: string;
}

const NO_IMPORTS: readonly ImportTarget[] = [];

/** Calls per step. */
const STEP_CALLS = 20;
/** Definitions per step. */
const STEP_DEFINITIONS = 200;

/**
 * Each file is resolved on its own, while everything that is read for it is recorded. A change invalidates only the files that
 * read something changed, so that the incremental result equals that of a new graph.
 */
export class Graph {
  readonly project: Project;
  readonly similarFileNames: SimilarFileNames;
  readonly #imports = new TrackedResults();
  readonly #targets = new ImportTargets();
  /** The imported files by file, until its imports change. */
  readonly #importedFiles = new Map<number, readonly number[]>();
  readonly #occurrences = new TrackedResults();
  readonly #edges: FileEdges;
  #rules: SharedRulesOf;
  #generation = 0;
  /** Files whose imports were resolved since the last `takeResolved`. */
  readonly #resolved = new Set<number>();
  /** The number of importers by file. */
  readonly #importers = new Map<number, number>();
  /** Keys of files whose import targets changed. */
  #changedTargets = new Set<number>();
  /** Pending invalidations, oldest first; an interrupted run leaves some for the next. */
  readonly #invalidations: Generator<void, void>[] = [];

  constructor(files: readonly GraphFile[] = [], options: ProjectOptions = {}) {
    this.project = new Project(traitsOf, options);
    this.similarFileNames = new SimilarFileNames(this.project);
    this.#rules = new SharedRulesOf(this.project);
    const { project } = this;
    this.#edges = new FileEdges((a, b) => (project.path(a) < project.path(b) ? -1 : 1));
    for (const { path, facts } of files) this.set(path, facts);
  }

  /** Adds a file or replaces its facts. `encoded` are the same facts as text, if the caller has them. */
  set(path: string, facts: FileFacts | undefined, encoded?: string): void {
    const file = this.project.set(path, facts, encoded);
    this.#imports.invalidate(file);
    this.#occurrences.invalidate(file);
    this.#noteChange();
  }

  remove(path: string): void {
    const file = this.project.remove(path);
    if (file === undefined) return;
    this.#setImports(file, undefined);
    this.#noteTargets(file);
    this.#occurrences.delete(file);
    this.#resolved.delete(file);
    this.#edges.replace(file, []);
    this.#noteChange();
  }

  #noteChange(): void {
    this.#generation++;
    this.#rules = new SharedRulesOf(this.project);
  }

  /** Invalidates the results that read something changed. Called on demand, so that many changes cost one pass. */
  #invalidate(): void {
    for (const _ of this.#invalidateInSteps());
  }

  *#invalidateInSteps(): Generator<void, void> {
    const changed = this.project.takeChangedKeys();
    if (changed.size > 0)
      for (const results of [this.#imports, this.#occurrences])
        this.#invalidations.push(results.invalidateReaders(changed));
    for (let [first] = this.#invalidations; first !== undefined; [first] = this.#invalidations) {
      if (first.next().done === true) {
        this.#invalidations.shift();
      } else {
        yield;
      }
    }
  }

  /** Results that followed the imports of a file are stale. */
  #noteTargets(file: number): void {
    this.#changedTargets.add(filePartKey(file, READ.imports));
  }

  /** Resolves stale imports, in steps. */
  *resolveImports(): Generator<void, void> {
    for (;;) {
      yield* this.project.settleNames();
      yield* this.#invalidateInSteps();
      const file = this.#imports.firstStale;
      if (file === undefined) return;
      this.#importsOf(file);
      yield;
    }
  }

  /** Indexes names and resolves imports, in steps, so that calls of single files can be resolved on demand. */
  *prepare(): Generator<void, void> {
    this.project.requestNames();
    yield* this.resolveImports();
  }

  /** Releases caches, in steps. */
  *release(): Generator<void, void> {
    yield* this.project.release();
    for (const one of [this.#imports, this.#targets, this.#occurrences, this.#edges]) one.trim();
    this.#rules = new SharedRulesOf(this.project);
    this.#importedFiles.clear();
    clearChainCache();
    clearTypeCache();
  }

  /** Resolves and packs everything, in steps; undefined if a file changes before it ends. The arrays are valid until the next change. */
  *pack(): Generator<void, PackedArrays | undefined> {
    yield* this.resolveAll();
    const generation = this.#generation;
    const parts = {
      project: () => this.project.pack(),
      imports: () => this.#imports.pack(),
      targets: () => this.#targets.pack(),
      occurrences: () => this.#occurrences.pack(),
      edges: () => this.#edges.pack(),
    };
    const packed: Record<string, PackedArrays> = {};
    for (const [name, pack] of Object.entries(parts)) {
      packed[name] = pack();
      yield;
      if (this.#generation !== generation) return undefined;
    }
    return packParts(packed);
  }

  /** Assigns files the numbers that they had when the arrays were packed. To be called before the first `set`. Throws DamagedArrays. */
  numberFiles(arrays: PackedArrays): void {
    this.project.numberFiles(partOf(arrays, "project"));
  }

  /** Restores a graph that was packed with the same facts, instead of resolving it. Throws DamagedArrays, before any change. */
  unpack(arrays: PackedArrays): void {
    const { size } = this.project;
    const parts = [
      this.project.unpack(partOf(arrays, "project")),
      this.#imports.unpack(partOf(arrays, "imports")),
      this.#targets.unpack(partOf(arrays, "targets"), size),
      this.#occurrences.unpack(partOf(arrays, "occurrences")),
      this.#edges.unpack(partOf(arrays, "edges"), size),
    ];
    for (const restore of parts) restore();
    for (const file of this.project.files) this.#countImporters(file, this.#targets.get(file), 1);
  }

  /** Increases with each change of the files. */
  get generation(): number {
    return this.#generation;
  }

  /** The files whose imports were resolved since the last call. */
  takeResolved(): number[] {
    const taken = [...this.#resolved];
    this.#resolved.clear();
    return taken;
  }

  #importsOf(file: number): readonly ImportTarget[] {
    if (!this.project.has(file)) return NO_IMPORTS;
    const known = this.#targets.get(file);
    if (!this.#imports.isStale(file)) return known;
    const { reads } = this.project;
    const recording = reads.create(file);
    const targets = reads.during(recording, () =>
      this.view(file)
        .resolutions()
        .map(({ files, external, how }) => ({
          files,
          how,
          ...(external === undefined ? {} : { external }),
        })),
    );
    if (String(targetsOf(known)) !== String(targetsOf(targets))) this.#noteTargets(file);
    this.#setImports(file, { targets, recording });
    this.#resolved.add(file);
    return targets;
  }

  /** Distinct. Cached, because each importer of a file asks for its imports. */
  #filesImportedBy(file: number): readonly number[] {
    const known = this.#imports.isStale(file) ? undefined : this.#importedFiles.get(file);
    if (known !== undefined) return known;
    const files = [...new Set(targetsOf(this.#importsOf(file)))];
    this.#importedFiles.set(file, files);
    return files;
  }

  /** `found` is undefined for a removed file. */
  #setImports(
    file: number,
    found: { targets: readonly ImportTarget[]; recording: Recording } | undefined,
  ): void {
    this.#countImporters(file, this.#targets.get(file), -1);
    this.#countImporters(file, found?.targets, 1);
    this.#targets.set(file, found?.targets ?? []);
    this.#importedFiles.delete(file);
    if (found === undefined) this.#imports.delete(file);
    else this.#imports.set(file, found.recording);
  }

  #countImporters(file: number, targets: readonly ImportTarget[] | undefined, change: 1 | -1) {
    for (const to of new Set(targetsOf(targets)))
      if (to !== file) this.#importers.set(to, (this.#importers.get(to) ?? 0) + change);
  }

  /** The number of other files that import a file, as of the last resolution of imports. */
  importerCount(file: number): number {
    return this.#importers.get(file) ?? 0;
  }

  /** Resolves all stale imports, calls and references, in steps. */
  *resolveAll(): Generator<void, void> {
    this.project.requestNames();
    for (;;) {
      yield* this.resolveImports();
      if (this.#changedTargets.size > 0) {
        this.#invalidations.push(this.#occurrences.invalidateReaders(this.#changedTargets));
        this.#changedTargets = new Set();
        yield* this.#invalidateInSteps();
      }
      const file = this.#occurrences.firstStale;
      if (file === undefined) return;
      yield* this.#resolveFile(file);
    }
  }

  /** Resolves the occurrences of one file. Stops without a result if a file changes during a pause; the file stays stale then. */
  *#resolveFile(file: number): Generator<void, void> {
    const { project } = this;
    if (!project.has(file)) {
      this.#occurrences.delete(file);
      return;
    }
    const generation = this.#generation;
    const recording = project.reads.create(file);
    const view = this.view(file);
    const found: EdgeOccurrence[] = this.importsOf(file).map(({ to, line }) => ({
      to,
      type: "import",
      line,
      confidence: 1,
    }));
    project.reads.during(recording, () => project.reads.record(filePartKey(file, READ.imports)));
    const facts = project.facts(file);
    const { calls = [], definitions = [] } = facts ?? {};
    for (let at = 0; at < calls.length; at += STEP_CALLS) {
      project.reads.during(recording, () => {
        for (const call of calls.slice(at, at + STEP_CALLS))
          found.push(...view.occurrencesOf(call));
      });
      yield;
      if (this.#generation !== generation) return;
    }
    for (let at = 0; at < definitions.length; at += STEP_DEFINITIONS) {
      const end = Math.min(definitions.length, at + STEP_DEFINITIONS);
      project.reads.during(recording, () => {
        for (let index = at; index < end; index++) found.push(...view.referencesOf(index));
      });
      yield;
      if (this.#generation !== generation) return;
    }
    this.#edges.replace(file, found);
    this.#occurrences.set(file, recording);
  }

  /** The targets of the import statements of a file, resolved now if they are stale. */
  resolutions(file: number): readonly ImportTarget[] {
    this.#invalidate();
    return this.#importsOf(file);
  }

  importsOf(file: number): ImportEdge[] {
    const targets = this.resolutions(file);
    const statements = this.project.imports(file);
    const edges: ImportEdge[] = [];
    targets.forEach(({ files, how }, i) => {
      const { line = 0, kind = "import" } = statements[i] ?? {};
      for (const to of files) if (to !== file) edges.push({ from: file, to, line, kind, how });
    });
    return edges;
  }

  /** The edges of the calls that `isWanted` accepts, in the order of the facts. */
  callsOf(file: number, isWanted: (call: CallFact) => boolean = () => true): CallEdge[] {
    return [...this.eachCall(file, isWanted)];
  }

  /** Like `callsOf`, but lazy. */
  *eachCall(file: number, isWanted: (call: CallFact) => boolean): Generator<CallEdge, void> {
    const view = this.view(file);
    const calls = this.project.facts(file)?.calls ?? [];
    for (const call of calls.filter(isWanted)) yield* view.callEdges(call);
  }

  /** Like `callsOf`, in steps. */
  *callsInSteps(
    file: number,
    isWanted: (call: CallFact) => boolean = () => true,
  ): Generator<void, CallEdge[]> {
    const view = this.view(file);
    const calls = (this.project.facts(file)?.calls ?? []).filter(isWanted);
    const found: CallEdge[] = [];
    for (let at = 0; at < calls.length; at += STEP_CALLS) {
      if (at > 0) yield;
      found.push(...calls.slice(at, at + STEP_CALLS).flatMap((call) => view.callEdges(call)));
    }
    return found;
  }

  /** The definitions that a chain refers to in a scope; a module file has the index -1. */
  meaningOf(
    file: number,
    scope: number,
    { chain, line }: Pick<CallFact, "chain" | "line">,
  ): DefinitionRef[] {
    return this.view(file).meaningOf(scope, chain, line);
  }

  /** The types that the declared type and the bases of a definition refer to. */
  typesOf(file: number, index: number): DefinitionRef[] {
    return this.view(file).typesOf(index);
  }

  /** The edges between files, resolved now if they are stale. */
  get fileEdges(): FileEdges {
    const steps = this.resolveAll();
    while (steps.next().done !== true);
    return this.#edges;
  }

  /** A resolver for the references of one file, valid until the next change. */
  view(file: number): FileView {
    const { project } = this;
    return new FileView(file, {
      project,
      rulesOf: this.#rules.forOne(),
      importTargets: (other) => {
        project.reads.record(filePartKey(other, READ.imports));
        return this.#filesImportedBy(other);
      },
    });
  }
}

/** The target files of imports, with duplicates. */
function targetsOf(targets: readonly ImportTarget[] = NO_IMPORTS): number[] {
  return targets.flatMap(({ files }) => files);
}

/** The qualified name of a nested definition, such as `Class.method`, from the enclosing scopes of its file. */
export function qualifiedName(project: Project, { file, index }: DefinitionRef): string {
  const definitions = project.facts(file)?.definitions ?? [];
  const names: string[] = [];
  for (let at = index; at >= 0; at = definitions[at]?.parent ?? -1) {
    const one = definitions[at];
    if (one === undefined) break;
    const isOwned = one.owner !== "" && !project.traits(file).receiverIsParameter;
    if (one.name !== "") names.unshift(isOwned ? `${one.owner}.${one.name}` : one.name);
  }
  return names.join(".");
}
