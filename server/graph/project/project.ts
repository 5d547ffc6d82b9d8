/** The files of a workspace with their facts, and indexes of their definitions. Records reads, and reports changed keys. */

import { hash53 } from "../../common/hash.ts";
import {
  DamagedArrays,
  type PackedArrays,
  packParts,
  partOf,
  takeArray,
} from "../../common/packed/packed-arrays.ts";
import { StringTable } from "../../common/packed/string-table.ts";
import { baseNameOf, folderOf } from "../../common/relative-path.ts";
import { encodeFacts } from "../../contracts/encoded-facts.ts";
import type { DefinitionFact, FileFacts, ImportFact } from "../../contracts/facts.ts";
import { changedIdentities, type DefinitionTree } from "./definition-tree.ts";
import { FactsCache } from "./facts-cache.ts";
import { FileLists } from "./file-lists.ts";
import { extensions, methods, packageMembers } from "./name-collectors.ts";
import { type Collect, type IndexEntry, type IndexedFiles, NameIndex } from "./name-index.ts";
import { lacksNamespaces } from "./package-key.ts";
import { foldersAbove, isInTests } from "./paths.ts";
import { definitionKey, filePartKey, nameReadKey, READ, Reads } from "./reads.ts";
import type { Traits, TraitsOf } from "./traits.ts";

/** A definition: the number of its file, and its index in the facts. */
export interface DefinitionRef {
  readonly file: number;
  readonly index: number;
}

export function isSameDefinition(a: DefinitionRef | undefined, b: DefinitionRef): boolean {
  return a?.file === b.file && a.index === b.index;
}

export interface ProjectOptions {
  /** The name of the workspace folder; empty if unknown. */
  readonly rootName?: string;
}

export interface PackageManifest {
  readonly path: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

interface Entry {
  readonly path: string;
  isPresent: boolean;
}

/** A namespace that more files open, such as `module Jekyll`, is not a mixin; reading all of its parts per file takes minutes. */
const MAX_PARTS = 20;

const NO_IMPORTS: readonly ImportFact[] = [];
const UNCHANGED: ReadonlySet<number> = new Set();

/** Each path has one number for the lifetime of the project, even if the file is removed and added again. */
export class Project {
  readonly reads = new Reads();
  readonly #files: Entry[] = [];
  readonly #facts = new FactsCache();
  readonly #numbers = new Map<string, number>();
  readonly #folders = new FileLists();
  readonly #baseNames = new FileLists();
  readonly #packages = new FileLists();
  readonly #manifests = new FileLists();
  /** The number of Python modules below a folder, at any depth. */
  readonly #pythonBelow = new Map<string, number>();
  readonly #members: NameIndex;
  readonly #extensions: NameIndex;
  readonly #methods: NameIndex;
  readonly #nameIndexes: readonly NameIndex[];
  readonly #traitsOf: TraitsOf;
  #changedKeys = new Set<number>();

  /** The name of the workspace folder; empty if unknown. */
  readonly rootName: string;

  constructor(traitsOf: TraitsOf, { rootName = "" }: ProjectOptions = {}) {
    this.#traitsOf = traitsOf;
    this.rootName = rootName;
    this.#members = this.#nameIndex("package", packageMembers(traitsOf));
    this.#extensions = this.#nameIndex("extension", extensions);
    this.#methods = this.#nameIndex("method", methods);
    this.#nameIndexes = [this.#members, this.#extensions, this.#methods];
  }

  /** Releases decoded facts and other caches, in steps. */
  *release(): Generator<void, void> {
    this.#facts.release();
    for (const index of this.#nameIndexes) {
      yield;
      index.trim();
    }
  }

  /** The numbers of all files and the name indexes, without facts; valid until the next change. */
  pack(): PackedArrays {
    const paths = new StringTable();
    for (const { path } of this.#files) paths.intern(path);
    const names = this.#nameIndexes.map((index, i) => [`names${i}`, index.pack()] as const);
    const files = new Map([["numbers", Int32Array.from(this.files)]]);
    return packParts({ paths: paths.pack(), files, ...Object.fromEntries(names) });
  }

  /** Assigns files the numbers that they had when they were packed. To be called before the first `set`. Throws DamagedArrays. */
  numberFiles(arrays: PackedArrays): void {
    const paths = StringTable.unpack(partOf(arrays, "paths"));
    for (const path of paths.texts()) this.#create(path);
  }

  /**
   * Validates indexes that were packed with the same facts. The result restores them, and discards the changes that setting the
   * facts has recorded. Throws DamagedArrays.
   */
  unpack(arrays: PackedArrays): () => void {
    const files = takeArray(partOf(arrays, "files"), "numbers", Int32Array);
    if (String(files) !== String(this.files))
      throw new DamagedArrays("packed files differ from the files of the project");
    const parts = this.#nameIndexes.map((index, i) => index.unpack(partOf(arrays, `names${i}`)));
    return () => {
      for (const restore of parts) restore();
      this.#changedKeys.clear();
      this.reads.begin();
    };
  }

  /** Adds a file or replaces its facts; `encoded` are the same facts as text. Returns the number of the file. */
  set(
    path: string,
    facts: FileFacts | undefined,
    encoded = facts === undefined ? "" : encodeFacts(facts),
  ): number {
    const file = this.#numbers.get(path) ?? this.#create(path);
    const entry = this.#files[file];
    if (entry === undefined) return file;
    const before = this.#facts.get(file);
    if (!entry.isPresent) this.#markPresent(file, entry);
    this.#replaceFacts(file, entry, before, { facts, encoded });
    return file;
  }

  /** The number of the removed file; undefined if it did not exist. */
  remove(path: string): number | undefined {
    const file = this.find(path);
    const entry = this.#files[file ?? -1];
    if (file === undefined || entry === undefined) return undefined;
    this.#replaceFacts(file, entry, this.#facts.get(file), { facts: undefined, encoded: "" });
    entry.isPresent = false;
    this.#folders.remove(folderOf(path), file);
    this.#baseNames.remove(baseNameOf(path), file);
    this.#countPython(path, -1);
    this.#notePathChange(path);
    return file;
  }

  /** Updates the name indexes that are in use, in steps. */
  *settleNames(): Generator<void, void> {
    for (const index of this.#nameIndexes) yield* index.settle();
  }

  /** Requests all name indexes; `settleNames` builds them. */
  requestNames(): void {
    for (const index of this.#nameIndexes) index.request();
  }

  /** The keys that changed since the last call. */
  takeChangedKeys(): ReadonlySet<number> {
    for (const _ of this.settleNames());
    if (this.#changedKeys.size === 0) return UNCHANGED;
    const taken = this.#changedKeys;
    this.#changedKeys = new Set();
    return taken;
  }

  /** The numbers of all files, in the order of their first addition. */
  get files(): readonly number[] {
    return this.#files.flatMap(({ isPresent }, file) => (isPresent ? [file] : []));
  }

  get size(): number {
    return this.#files.length;
  }

  has(file: number): boolean {
    return this.#files[file]?.isPresent ?? false;
  }

  /** The number of the file of a path, if it exists. */
  find(path: string | undefined): number | undefined {
    if (path === undefined) return undefined;
    this.reads.recordName(pathKey(path));
    const file = this.#numbers.get(path);
    return file !== undefined && this.has(file) ? file : undefined;
  }

  inFolder(folder: string): readonly number[] {
    this.reads.recordName(`d:${folder}`);
    return this.#folders.get(folder);
  }

  named(baseName: string): readonly number[] {
    this.reads.recordName(`n:${baseName}`);
    return this.#baseNames.get(baseName);
  }

  /** Whether there are Python modules below a folder, at any depth. */
  hasPythonBelow(folder: string): boolean {
    this.reads.recordName(`b:${folder}`);
    return (this.#pythonBelow.get(folder) ?? 0) > 0;
  }

  /** The manifests of a kind, ordered by path; see `manifestKind`. */
  manifests(kind: string): PackageManifest[] {
    this.reads.recordName(`m:${kind}`);
    return this.#manifests.get(kind).flatMap((file) => {
      const manifest = this.#facts.get(file)?.manifest;
      if (typeof manifest !== "object" || manifest === null) return [];
      return [{ path: this.path(file), manifest: manifest as Record<string, unknown> }];
    });
  }

  path(file: number): string {
    return this.#files[file]?.path ?? "";
  }

  /** All facts of a file. Not recorded as read: for other files, results use the specific accessors below. */
  facts(file: number): FileFacts | undefined {
    if (this.#files[file] === undefined) return undefined;
    return this.#facts.get(file);
  }

  /** Whether the facts of a file may contain a name; cheaper than decoding them. */
  mayContainName(file: number, name: string): boolean {
    return this.#facts.mayContain(file, name);
  }

  language(file: number): string {
    return this.#package(file)?.language ?? "";
  }

  /** The traits of the language of a file. */
  traits(file: number): Traits {
    return this.#traitsOf(this.language(file));
  }

  packageName(file: number): string {
    return this.#package(file)?.packageName ?? "";
  }

  #package(file: number): FileFacts | undefined {
    if (this.#files[file] === undefined) return undefined;
    this.reads.record(filePartKey(file, READ.package));
    return this.#facts.get(file);
  }

  imports(file: number): readonly ImportFact[] {
    if (this.#files[file] === undefined) return NO_IMPORTS;
    this.reads.record(filePartKey(file, READ.statements));
    return this.#facts.get(file)?.imports ?? NO_IMPORTS;
  }

  definition({ file, index }: DefinitionRef): DefinitionFact | undefined {
    if (this.reads.records(file))
      this.reads.record(definitionKey(file, this.#names(file).identity(index)));
    return this.#facts.get(file)?.definitions[index];
  }

  /** A definition and its enclosing definitions, innermost first; empty for the index -1. */
  *enclosing({ file, index }: DefinitionRef): Generator<readonly [number, DefinitionFact], void> {
    for (let at = index; at >= 0; ) {
      const one = this.definition({ file, index: at });
      if (one === undefined) return;
      yield [at, one];
      at = one.parent;
    }
  }

  /** The direct children of a definition, or of the top level for -1, with a name; undefined if there are none. */
  childrenNamed(file: number, parent: number, name: string): readonly number[] | undefined {
    const names = this.#names(file);
    if (this.reads.records(file))
      this.reads.record(definitionKey(file, names.identityInside(parent, name)));
    return names.children(parent).get(name);
  }

  hasChildren(file: number, parent: number): boolean {
    const names = this.#names(file);
    if (this.reads.records(file))
      this.reads.record(definitionKey(file, names.identityOfAny(parent)));
    return names.children(parent).size > 0;
  }

  #names(file: number): DefinitionTree {
    return this.#facts.names(file);
  }

  /** The files of a package, which see each other's top-level names. */
  filesOfPackage(key: string): readonly number[] {
    this.reads.recordName(`k:${key}`);
    return this.#packages.get(key);
  }

  /** The key of a file's own package. */
  packageOf(file: number): string | undefined {
    return this.#packageKey(this.path(file), this.#package(file));
  }

  #packageKey(path: string, facts: FileFacts | undefined): string | undefined {
    if (facts === undefined) return undefined;
    return this.#traitsOf(facts.language).packageKey?.(path, facts.packageName);
  }

  /** The definitions of a name in a package, namespace or program. */
  packageNames(key: string, name: string): readonly IndexEntry[] {
    const found = this.#lookUp(this.#members, `${key} ${name}`);
    const [first] = found;
    if (lacksNamespaces(key)) return found;
    // One part represents a namespace: reading all files that open `module ActiveRecord` took minutes.
    const isNamespace = first !== undefined && this.definition(first)?.kind === "namespace";
    return isNamespace ? [this.firstOutsideTests(found) ?? first] : found;
  }

  /** The definitions that open a namespace or class; empty if there are more than `MAX_PARTS`. */
  partsNamed(key: string, name: string): readonly IndexEntry[] {
    const found = this.#lookUp(this.#members, `${key} ${name}`);
    return found.length > MAX_PARTS ? [] : found;
  }

  /** The first definition outside test folders, else the first of all. */
  firstOutsideTests<T extends DefinitionRef>(refs: readonly T[]): T | undefined {
    return refs.find(({ file }) => !this.isInTests(file)) ?? refs[0];
  }

  isInTests(file: number): boolean {
    return isInTests(this.path(file));
  }

  /** Extensions and functions that add members to a type of this name, in all files. */
  extensionsOf(typeName: string): readonly IndexEntry[] {
    return this.#lookUp(this.#extensions, typeName);
  }

  /** The methods of a name in all files of a language; equal marks mean the same owner. */
  methodsNamed(language: string, name: string): readonly IndexEntry[] {
    return this.#lookUp(this.#methods, `${language} ${name}`);
  }

  /** Whether the path of a file sorts after another path. */
  sortsAfter(file: number, path: string): boolean {
    return this.path(file) > path;
  }

  #create(path: string): number {
    const file = this.#files.length;
    this.#numbers.set(path, file);
    this.#files.push({ path, isPresent: false });
    return file;
  }

  #markPresent(file: number, entry: Entry): void {
    const { path } = entry;
    const sortsAfter = (other: number) => this.sortsAfter(other, path);
    entry.isPresent = true;
    this.#folders.add(folderOf(path), file, sortsAfter);
    this.#baseNames.add(baseNameOf(path), file, sortsAfter);
    this.#countPython(path, 1);
    this.#notePathChange(path);
  }

  #replaceFacts(
    file: number,
    entry: Entry,
    before: FileFacts | undefined,
    { facts: after, encoded }: { facts: FileFacts | undefined; encoded: string },
  ): void {
    const { path } = entry;
    const sortsAfter = (other: number) => this.sortsAfter(other, path);
    const names = this.reads.isUsed ? this.#names(file) : undefined;
    this.#facts.set(file, after, encoded);
    if (names !== undefined)
      for (const identity of changedIdentities(names, this.#names(file)))
        this.#changedKeys.add(definitionKey(file, identity));
    const changed = (signature: (facts: FileFacts) => string) =>
      hasOtherSignature(signature, before, after);
    if (changed(packageSignature)) this.#changedKeys.add(filePartKey(file, READ.package));
    if (changed(statementsSignature)) this.#changedKeys.add(filePartKey(file, READ.statements));
    this.#replaceManifest(file, before, after, sortsAfter);
    const [from, to] = [this.#packageKey(path, before), this.#packageKey(path, after)];
    if (from !== to) {
      if (from !== undefined) this.#packages.remove(from, file);
      if (to !== undefined) {
        this.#packages.add(to, file, sortsAfter);
        // The index finds the files of a package that an import uses.
        this.#members.request();
      }
      for (const key of [from, to]) if (key !== undefined) this.#noteChange(`k:${key}`);
    }
    for (const index of this.#nameIndexes) index.replace(file);
  }

  #nameIndex(kind: string, collect: Collect): NameIndex {
    const files: IndexedFiles = {
      facts: (file) => {
        const facts = this.#facts.get(file);
        return facts === undefined ? undefined : { path: this.path(file), facts };
      },
      compare: (a, b) => (this.sortsAfter(a, this.path(b)) ? 1 : -1),
    };
    const changed = (key: number) => this.#changedKeys.add(key);
    return new NameIndex(kind, { collect, changed, files });
  }

  #replaceManifest(
    file: number,
    before: FileFacts | undefined,
    after: FileFacts | undefined,
    sortsAfter: (other: number) => boolean,
  ): void {
    const [old, now] = [before?.manifest, after?.manifest];
    if (old === undefined && now === undefined) return;
    const kind = manifestKind(baseNameOf(this.path(file)));
    if (old === undefined) this.#manifests.add(kind, file, sortsAfter);
    else if (now === undefined) this.#manifests.remove(kind, file);
    if (JSON.stringify(old) !== JSON.stringify(now)) this.#noteChange(`m:${kind}`);
  }

  #notePathChange(path: string): void {
    this.#noteChange(pathKey(path));
    this.#noteChange(`d:${folderOf(path)}`);
    this.#noteChange(`n:${baseNameOf(path)}`);
  }

  #countPython(path: string, step: 1 | -1): void {
    if (!/\.pyi?$/.test(path)) return;
    for (const folder of foldersAbove(folderOf(path))) {
      const count = (this.#pythonBelow.get(folder) ?? 0) + step;
      this.#pythonBelow.set(folder, count);
      if (count === (step === 1 ? 1 : 0)) this.#noteChange(`b:${folder}`);
    }
  }

  /** Skipped until something was read: no result can be stale before. */
  #noteChange(name: string): void {
    if (this.reads.isUsed) this.#changedKeys.add(nameReadKey(name));
  }

  #lookUp(index: NameIndex, name: string): readonly IndexEntry[] {
    const hash = hash53(name);
    this.reads.record(index.keyOf(hash));
    return index.get(hash);
  }
}

/** The kind of the files that declare global usings of a C# project. */
export const CSHARP_PROJECT = "csproj";

/** All variants of a tsconfig have one kind. */
function manifestKind(baseName: string): string {
  if (/\.(?:cs|csproj)$|^directory\.build\./i.test(baseName)) return CSHARP_PROJECT;
  return /^(?:ts|js)config\b.*\.json$/.test(baseName) ? "tsconfig.json" : baseName;
}

/** The path up to the first dot of the name: paths are looked up with many extensions, and one key for all saves memory. */
function pathKey(path: string): string {
  const dot = path.indexOf(".", path.lastIndexOf("/"));
  return `p:${dot < 0 ? path : path.slice(0, dot)}`;
}

/** Compares facts by signature; an added or removed file always differs. */
function hasOtherSignature(
  signature: (facts: FileFacts) => string,
  before: FileFacts | undefined,
  after: FileFacts | undefined,
): boolean {
  if (before === undefined || after === undefined) return before !== after;
  return signature(before) !== signature(after);
}

function packageSignature({ language, packageName }: FileFacts): string {
  return JSON.stringify([language, packageName]);
}

function statementsSignature({ imports }: FileFacts): string {
  return JSON.stringify(imports.map(statementOf));
}

function statementOf({ kind, module, names, scope }: ImportFact) {
  return [kind, module, scope, ...names.map(({ name, alias }) => [name ?? null, alias])];
}
