/** The files of a workspace with their facts, and where names are defined in them. Says what was read, and what changed. */

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
import type { Scratch } from "../../contracts/graph.ts";
import { changedIdentities, type DefinitionTree } from "./definition-tree.ts";
import { FactsCache } from "./facts-cache.ts";
import { FileLists } from "./file-lists.ts";
import { extensions, methods, packageMembers } from "./name-collectors.ts";
import { type Collect, type IndexEntry, type IndexedFiles, NameIndex } from "./name-index.ts";
import { hasNoNamespaces, packageKeyOf } from "./package-key.ts";
import { foldersAbove, isInTests } from "./paths.ts";
import { definitionKey, filePartKey, nameReadKey, READ, Reads } from "./reads.ts";
import { packageSignature, statementsSignature } from "./signatures.ts";

/** A definition by its file's number and its place in the facts. */
export interface DefinitionRef {
  readonly file: number;
  readonly index: number;
}

export function isSame(a: DefinitionRef | undefined, b: DefinitionRef): boolean {
  return a?.file === b.file && a.index === b.index;
}

export interface ProjectOptions {
  /** The name of the folder that paths are relative to; empty where it is not known. */
  readonly rootName?: string;
  /** Without it, everything stays in memory. */
  readonly scratch?: Scratch | undefined;
}

export interface Manifest {
  readonly path: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

interface Entry {
  readonly path: string;
  isPresent: boolean;
}

/** Of `module Jekyll` there are a hundred, of a module that a class includes some: to read a thousand for each file takes minutes. */
const MAX_PARTS = 20;

const NO_IMPORTS: readonly ImportFact[] = [];
const UNCHANGED: ReadonlySet<number> = new Set();

/** A file keeps its number for as long as the project lives, also when it goes and comes back. */
export class Project {
  readonly reads = new Reads();
  readonly #entries: Entry[] = [];
  readonly #facts: FactsCache;
  readonly #numbers = new Map<string, number>();
  readonly #folders = new FileLists();
  readonly #baseNames = new FileLists();
  readonly #packages = new FileLists();
  readonly #manifests = new FileLists();
  /** How many modules of Python are anywhere below a folder. */
  readonly #pythonBelow = new Map<string, number>();
  readonly #members: NameIndex;
  readonly #extensions: NameIndex;
  readonly #methods: NameIndex;
  readonly #nameIndexes: readonly NameIndex[];
  #changedKeys = new Set<number>();

  /** The name of the folder that paths are relative to; empty where it is not known. */
  readonly rootName: string;

  /** What is not in use goes to the scratch space. */
  constructor({ rootName = "", scratch }: ProjectOptions = {}) {
    this.rootName = rootName;
    this.#facts = new FactsCache(scratch);
    const index = (kind: string, collect: Collect) => this.#nameIndex(kind, collect, scratch);
    this.#members = index("package", packageMembers);
    this.#extensions = index("extension", extensions);
    this.#methods = index("method", methods);
    this.#nameIndexes = [this.#members, this.#extensions, this.#methods];
  }

  /** Gives back what is only there to be fast, in steps: it is read and decoded again where it is needed. */
  *release(): Generator<void, void> {
    this.#facts.release();
    for (const index of this.#nameIndexes) {
      yield;
      index.trim();
    }
  }

  /** The numbers of all files and what is indexed of them, but not their facts; as long as nothing changes. */
  pack(): PackedArrays {
    const paths = new StringTable();
    for (const { path } of this.#entries) paths.intern(path);
    const names = this.#nameIndexes.map((index, i) => [`names${i}`, index.pack()] as const);
    const files = new Map([["numbers", Int32Array.from(this.files)]]);
    return packParts({ paths: paths.pack(), files, ...Object.fromEntries(names) });
  }

  /** Gives files the numbers that they had when this was packed; before any of them is set. Throws DamagedArrays. */
  numberFiles(arrays: PackedArrays): void {
    const paths = StringTable.unpack(partOf(arrays, "paths"));
    for (const path of paths.texts()) this.#create(path);
  }

  /**
   * Looks at what was packed when the project had the facts that it has now. The result takes it over, and that these
   * facts were set is no change. Throws DamagedArrays.
   */
  unpack(arrays: PackedArrays): () => void {
    const files = takeArray(partOf(arrays, "files"), "numbers", Int32Array);
    if (String(files) !== String(this.files)) throw new DamagedArrays("they are of other files");
    const parts = this.#nameIndexes.map((index, i) => index.unpack(partOf(arrays, `names${i}`)));
    return () => {
      for (const takeOver of parts) takeOver();
      this.#changedKeys.clear();
      this.reads.begin();
    };
  }

  /** Adds a file or replaces its facts, which `encoded` are as text; gives its number. */
  set(
    path: string,
    facts: FileFacts | undefined,
    encoded = facts === undefined ? "" : encodeFacts(facts),
  ): number {
    const file = this.#numbers.get(path) ?? this.#create(path);
    const entry = this.#entries[file];
    if (entry === undefined) return file;
    const before = this.#facts.get(file);
    if (!entry.isPresent) this.#appear(file, entry);
    this.#exchange(file, entry, before, { facts, encoded });
    return file;
  }

  /** Undefined where there was no such file. */
  remove(path: string): number | undefined {
    const file = this.find(path);
    const entry = this.#entries[file ?? -1];
    if (file === undefined || entry === undefined) return undefined;
    this.#exchange(file, entry, this.#facts.get(file), { facts: undefined, encoded: "" });
    entry.isPresent = false;
    this.#folders.remove(folderOf(path), file);
    this.#baseNames.remove(baseNameOf(path), file);
    this.#countPython(path, -1);
    this.#changePlaces(path);
    return file;
  }

  /** Indexes names for those who look for them, in steps: of the files that changed, once somebody has looked. */
  *settleNames(): Generator<void, void> {
    for (const index of this.#nameIndexes) yield* index.settle();
  }

  /** All names will be looked for. */
  wantNames(): void {
    for (const index of this.#nameIndexes) index.want();
  }

  /** The keys of all that changed since this was asked before. */
  takeChangedKeys(): ReadonlySet<number> {
    for (const _ of this.settleNames());
    if (this.#changedKeys.size === 0) return UNCHANGED;
    const taken = this.#changedKeys;
    this.#changedKeys = new Set();
    return taken;
  }

  /** The numbers of all files, those that were added later last. */
  get files(): readonly number[] {
    return this.#entries.flatMap(({ isPresent }, file) => (isPresent ? [file] : []));
  }

  get size(): number {
    return this.#entries.length;
  }

  has(file: number): boolean {
    return this.#entries[file]?.isPresent ?? false;
  }

  /** The number of a file; undefined where there is none of that path. */
  find(path: string | undefined): number | undefined {
    if (path === undefined) return undefined;
    this.reads.noteName(placeKey(path));
    const file = this.#numbers.get(path);
    return file !== undefined && this.has(file) ? file : undefined;
  }

  inFolder(folder: string): readonly number[] {
    this.reads.noteName(`d:${folder}`);
    return this.#folders.get(folder);
  }

  named(baseName: string): readonly number[] {
    this.reads.noteName(`n:${baseName}`);
    return this.#baseNames.get(baseName);
  }

  /** Whether modules of Python are anywhere below a folder. */
  hasPythonBelow(folder: string): boolean {
    this.reads.noteName(`b:${folder}`);
    return (this.#pythonBelow.get(folder) ?? 0) > 0;
  }

  /** Those of one kind, in the order of their paths; see `manifestKind`. */
  manifests(kind: string): Manifest[] {
    this.reads.noteName(`m:${kind}`);
    return this.#manifests.get(kind).flatMap((file) => {
      const manifest = this.#facts.get(file)?.manifest;
      if (typeof manifest !== "object" || manifest === null) return [];
      return [{ path: this.path(file), manifest: manifest as Record<string, unknown> }];
    });
  }

  path(file: number): string {
    return this.#entries[file]?.path ?? "";
  }

  /** All that is said of a file. That it was read is not noted: what is asked of another file has questions of its own. */
  facts(file: number): FileFacts | undefined {
    if (this.#entries[file] === undefined) return undefined;
    return this.#facts.get(file);
  }

  /** Whether anything of a file may be called so: cheaper than its facts, where these are packed. */
  mayName(file: number, name: string): boolean {
    return this.#facts.mayHold(file, name);
  }

  language(file: number): string {
    return this.#package(file)?.language ?? "";
  }

  packageName(file: number): string {
    return this.#package(file)?.packageName ?? "";
  }

  #package(file: number): FileFacts | undefined {
    if (this.#entries[file] === undefined) return undefined;
    this.reads.note(filePartKey(file, READ.package));
    return this.#facts.get(file);
  }

  imports(file: number): readonly ImportFact[] {
    if (this.#entries[file] === undefined) return NO_IMPORTS;
    this.reads.note(filePartKey(file, READ.statements));
    return this.#facts.get(file)?.imports ?? NO_IMPORTS;
  }

  definition({ file, index }: DefinitionRef): DefinitionFact | undefined {
    if (this.reads.isNoting(file))
      this.reads.note(definitionKey(file, this.#names(file).identity(index)));
    return this.#facts.get(file)?.definitions[index];
  }

  /** The definition and those around it, innermost first; nothing for the index -1. */
  *around({ file, index }: DefinitionRef): Generator<readonly [number, DefinitionFact], void> {
    for (let at = index; at >= 0; ) {
      const one = this.definition({ file, index: at });
      if (one === undefined) return;
      yield [at, one];
      at = one.parent;
    }
  }

  /** What is defined by a name directly in a definition, or with -1 at the top of a file; undefined where nothing is. */
  childrenNamed(file: number, parent: number, name: string): readonly number[] | undefined {
    const names = this.#names(file);
    if (this.reads.isNoting(file))
      this.reads.note(definitionKey(file, names.identityInside(parent, name)));
    return names.children(parent).get(name);
  }

  hasChildren(file: number, parent: number): boolean {
    const names = this.#names(file);
    if (this.reads.isNoting(file))
      this.reads.note(definitionKey(file, names.identityOfAny(parent)));
    return names.children(parent).size > 0;
  }

  #names(file: number): DefinitionTree {
    return this.#facts.names(file);
  }

  /** Files whose top names are visible to each other. */
  filesOfPackage(key: string): readonly number[] {
    this.reads.noteName(`k:${key}`);
    return this.#packages.get(key);
  }

  /** The key of a file's own package. */
  packageOf(file: number): string | undefined {
    return packageKeyOf(this.path(file), this.#package(file));
  }

  /** What the files of a package, namespace or program define by a name. */
  packageNames(key: string, name: string): readonly IndexEntry[] {
    const found = this.#lookUp(this.#members, `${key} ${name}`);
    const [first] = found;
    if (hasNoNamespaces(key)) return found;
    // A namespace that many files open is one: to ask each file of `module ActiveRecord` took minutes.
    const isNamespace = first !== undefined && this.definition(first)?.kind === "namespace";
    return isNamespace ? [this.firstReal(found) ?? first] : found;
  }

  /** The places that open a namespace or class of a name; none where they are so many that they are no parts of one thing. */
  partsNamed(key: string, name: string): readonly IndexEntry[] {
    const found = this.#lookUp(this.#members, `${key} ${name}`);
    return found.length > MAX_PARTS ? [] : found;
  }

  /** The first that is no double for tests, where there is one. */
  firstReal<T extends DefinitionRef>(refs: readonly T[]): T | undefined {
    return refs.find(({ file }) => !this.isInTests(file)) ?? refs[0];
  }

  isInTests(file: number): boolean {
    return isInTests(this.path(file));
  }

  /** Blocks and functions that add members to a type of this name, wherever they are. */
  extensionsOf(typeName: string): readonly IndexEntry[] {
    return this.#lookUp(this.#extensions, typeName);
  }

  /** Methods of this name in all files of a language; the mark says to what each belongs. */
  methodsNamed(language: string, name: string): readonly IndexEntry[] {
    return this.#lookUp(this.#methods, `${language} ${name}`);
  }

  /** Whether a file sorts behind another. */
  isBehind(file: number, path: string): boolean {
    return this.path(file) > path;
  }

  #create(path: string): number {
    const file = this.#entries.length;
    this.#numbers.set(path, file);
    this.#entries.push({ path, isPresent: false });
    return file;
  }

  #appear(file: number, entry: Entry): void {
    const { path } = entry;
    const isBehind = (other: number) => this.isBehind(other, path);
    entry.isPresent = true;
    this.#folders.add(folderOf(path), file, isBehind);
    this.#baseNames.add(baseNameOf(path), file, isBehind);
    this.#countPython(path, 1);
    this.#changePlaces(path);
  }

  #exchange(
    file: number,
    entry: Entry,
    before: FileFacts | undefined,
    { facts: after, encoded }: { facts: FileFacts | undefined; encoded: string },
  ): void {
    const { path } = entry;
    const isBehind = (other: number) => this.isBehind(other, path);
    const names = this.reads.isUsed ? this.#names(file) : undefined;
    this.#facts.set(file, after, encoded);
    if (names !== undefined)
      for (const identity of changedIdentities(names, this.#names(file)))
        this.#changedKeys.add(definitionKey(file, identity));
    const isOther = (signature: (facts: FileFacts) => string) =>
      isDifferent(signature, before, after);
    if (isOther(packageSignature)) this.#changedKeys.add(filePartKey(file, READ.package));
    if (isOther(statementsSignature)) this.#changedKeys.add(filePartKey(file, READ.statements));
    this.#exchangeManifest(file, before, after, isBehind);
    const [from, to] = [packageKeyOf(path, before), packageKeyOf(path, after)];
    if (from !== to) {
      if (from !== undefined) this.#packages.remove(from, file);
      if (to !== undefined) {
        this.#packages.add(to, file, isBehind);
        // Which of a package's files an import means shows by their names.
        this.#members.want();
      }
      for (const key of [from, to]) if (key !== undefined) this.#change(`k:${key}`);
    }
    for (const index of this.#nameIndexes) index.replace(file);
  }

  #nameIndex(kind: string, collect: Collect, scratch: Scratch | undefined): NameIndex {
    const files: IndexedFiles = {
      facts: (file) => {
        const facts = this.#facts.get(file);
        return facts === undefined ? undefined : { path: this.path(file), facts };
      },
      compare: (a, b) => (this.isBehind(a, this.path(b)) ? 1 : -1),
    };
    const changed = (key: number) => this.#changedKeys.add(key);
    return new NameIndex(kind, { collect, changed, files, scratch });
  }

  #exchangeManifest(
    file: number,
    before: FileFacts | undefined,
    after: FileFacts | undefined,
    isBehind: (other: number) => boolean,
  ): void {
    const [old, now] = [before?.manifest, after?.manifest];
    if (old === undefined && now === undefined) return;
    const kind = manifestKind(baseNameOf(this.path(file)));
    if (old === undefined) this.#manifests.add(kind, file, isBehind);
    else if (now === undefined) this.#manifests.remove(kind, file);
    if (JSON.stringify(old) !== JSON.stringify(now)) this.#change(`m:${kind}`);
  }

  #changePlaces(path: string): void {
    this.#change(placeKey(path));
    this.#change(`d:${folderOf(path)}`);
    this.#change(`n:${baseNameOf(path)}`);
  }

  #countPython(path: string, step: 1 | -1): void {
    if (!/\.pyi?$/.test(path)) return;
    for (const folder of foldersAbove(folderOf(path))) {
      const count = (this.#pythonBelow.get(folder) ?? 0) + step;
      this.#pythonBelow.set(folder, count);
      if (count === (step === 1 ? 1 : 0)) this.#change(`b:${folder}`);
    }
  }

  /** Before anything was read nothing is stale. */
  #change(name: string): void {
    if (this.reads.isUsed) this.#changedKeys.add(nameReadKey(name));
  }

  #lookUp(index: NameIndex, name: string): readonly IndexEntry[] {
    const hash = hash53(name);
    this.reads.note(index.keyOf(hash));
    return index.get(hash);
  }
}

/** Files that say which namespaces all files of a project of C# use. */
export const CSHARP_PROJECT = "csproj";

/** Manifests are read by kind: all variants of a tsconfig are one. */
function manifestKind(baseName: string): string {
  if (/\.(?:cs|csproj)$|^directory\.build\./i.test(baseName)) return CSHARP_PROJECT;
  return /^(?:ts|js)config\b.*\.json$/.test(baseName) ? "tsconfig.json" : baseName;
}

/** Files are looked for under many endings: one key for all of them, up to the first dot of the name, saves memory. */
function placeKey(path: string): string {
  const dot = path.indexOf(".", path.lastIndexOf("/"));
  return `p:${dot < 0 ? path : path.slice(0, dot)}`;
}

/** What appears or goes is different without a look. */
function isDifferent(
  signature: (facts: FileFacts) => string,
  before: FileFacts | undefined,
  after: FileFacts | undefined,
): boolean {
  if (before === undefined || after === undefined) return before !== after;
  return signature(before) !== signature(after);
}
