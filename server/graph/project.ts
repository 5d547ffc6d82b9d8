/** The files of a workspace with their facts, and where names are defined in them. */

import type { DefinitionFact, FileFacts } from "../contracts/facts.ts";
import { baseNameOf, folderOf } from "./paths.ts";

/** A definition by its file's number and its place in the facts. */
export interface DefinitionRef {
  readonly file: number;
  readonly index: number;
}

export interface ProjectFile {
  readonly path: string;
  /** Undefined for a file that only is there: an image, a style sheet. */
  readonly facts: FileFacts | undefined;
}

type Children = ReadonlyMap<string, readonly number[]>;

const NONE: Children = new Map();
const NO_INDEXES: readonly number[] = [];

/** A view of all files at one moment; made again when one changes. */
export class Project {
  readonly files: readonly ProjectFile[];
  readonly #byPath = new Map<string, number>();
  readonly #byFolder = new Map<string, number[]>();
  readonly #byBaseName = new Map<string, number[]>();
  readonly #children: (ReadonlyMap<number, Children> | undefined)[] = [];
  #extensions: ReadonlyMap<string, readonly DefinitionRef[]> | undefined;
  #methods: ReadonlyMap<string, readonly DefinitionRef[]> | undefined;

  constructor(files: readonly ProjectFile[]) {
    this.files = files;
    files.forEach(({ path }, number) => {
      this.#byPath.set(path, number);
      add(this.#byFolder, folderOf(path), number);
      add(this.#byBaseName, baseNameOf(path), number);
    });
  }

  /** The number of a file; undefined where there is none of that path. */
  find(path: string | undefined): number | undefined {
    return path === undefined ? undefined : this.#byPath.get(path);
  }

  inFolder(folder: string): readonly number[] {
    return this.#byFolder.get(folder) ?? NO_INDEXES;
  }

  hasFolder(folder: string): boolean {
    return this.#byFolder.has(folder);
  }

  named(baseName: string): readonly number[] {
    return this.#byBaseName.get(baseName) ?? NO_INDEXES;
  }

  path(file: number): string {
    return this.files[file]?.path ?? "";
  }

  facts(file: number): FileFacts | undefined {
    return this.files[file]?.facts;
  }

  definition({ file, index }: DefinitionRef): DefinitionFact | undefined {
    return this.files[file]?.facts?.definitions[index];
  }

  /** What is defined directly in a definition, or with -1 at the top of a file. */
  children(file: number, parent: number): Children {
    let byParent = this.#children[file];
    if (byParent === undefined) {
      byParent = childrenOf(this.facts(file));
      this.#children[file] = byParent;
    }
    return byParent.get(parent) ?? NONE;
  }

  /** Blocks and functions that add members to a type of this name, wherever they are. */
  extensionsOf(typeName: string): readonly DefinitionRef[] {
    this.#extensions ??= this.#indexBy(({ kind, name, owner }) => {
      if (kind === "extension") return name;
      return owner === ""
        ? undefined
        : owner.slice(Math.max(owner.lastIndexOf("."), owner.lastIndexOf(":")) + 1);
    });
    return this.#extensions.get(typeName) ?? [];
  }

  /** Methods of this name in the whole workspace. */
  methodsNamed(name: string): readonly DefinitionRef[] {
    this.#methods ??= this.#indexBy((one, facts) => {
      if (one.kind !== "function" || one.name === "") return undefined;
      if (one.owner !== "") return one.name;
      const parent = facts.definitions[one.parent]?.kind;
      const isMember = parent === "class" || parent === "interface" || parent === "extension";
      return isMember ? one.name : undefined;
    });
    return this.#methods.get(name) ?? [];
  }

  #indexBy(key: (one: DefinitionFact, facts: FileFacts) => string | undefined) {
    const index = new Map<string, DefinitionRef[]>();
    this.files.forEach(({ facts }, file) => {
      facts?.definitions.forEach((one, place) => {
        const name = key(one, facts);
        if (name !== undefined) add(index, name, { file, index: place });
      });
    });
    return index;
  }
}

function childrenOf(facts: FileFacts | undefined): ReadonlyMap<number, Children> {
  const byParent = new Map<number, Map<string, number[]>>();
  facts?.definitions.forEach(({ parent, name, owner }, index) => {
    if (owner !== "") return;
    let names = byParent.get(parent);
    if (names === undefined) {
      names = new Map();
      byParent.set(parent, names);
    }
    add(names, name, index);
  });
  return byParent;
}

function add<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
