/** Classes by package and name, wherever their files are: of Java, Kotlin and Scala, of C# and of PHP. */

import { folderOf } from "../../common/relative-path.ts";
import type { ImportFact } from "../../contracts/facts.ts";
import { extensionFunctionsKey, packageKey } from "../project/package-key.ts";
import { joinPath, sharedLength } from "../project/paths.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import { usedNames } from "../project/used-names.ts";
import {
  BY_USED_NAME,
  type ModuleResolver,
  type Resolution,
  type Rules,
  UNRESOLVED,
  type UnboundName,
  withLazyFiles,
} from "../resolve/rules.ts";
import { externalOf, type Module, NOTHING, type Value, type Values } from "../resolve/values.ts";
import { GlobalUsings } from "./global-usings.ts";

export interface PackageLanguage {
  /** Languages of one family see each other's packages. */
  readonly family: string;
  readonly hasImplicitThis: boolean;
  /** Whether the names of the packages around one's own are visible too. */
  readonly seesOuter: boolean;
}

export class PackageRules implements Rules {
  readonly reexportsImports = false;
  readonly hasVisibleReexports = true;
  readonly hasImplicitThis: boolean;
  readonly unboundIsExternal = true;
  readonly #project: Project;
  readonly #family: string;
  readonly #seesOuter: boolean;
  readonly #globalUsings: GlobalUsings | undefined;

  constructor(project: Project, { family, hasImplicitThis, seesOuter }: PackageLanguage) {
    this.#project = project;
    this.#family = family;
    this.hasImplicitThis = hasImplicitThis;
    this.#seesOuter = seesOuter;
    this.#globalUsings = family === "csharp" ? new GlobalUsings(project) : undefined;
  }

  projectImports(file: number): readonly ImportFact[] {
    return this.#globalUsings?.of(file) ?? [];
  }

  /** Names of the namespaces around the file's own; functions of PHP are those of the top where the namespace has none. */
  resolveUnbound({ file, name }: UnboundName): Values | undefined {
    if (this.#family === "php" && name.includes(".")) return this.#inFull(file, name);
    if (this.#family === "php")
      return (
        this.#functionsAtTop(name) ??
        this.#namespaceBelow(file, name) ??
        this.#namespace([file], name)
      );
    if (this.#family === "jvm") return this.#ownFacade(file, name);
    if (!this.#seesOuter) return undefined;
    const parts = this.#project.packageName(file).split(".");
    for (let count = parts.length - 1; count >= 0; count--) {
      const key = this.#key(parts.slice(0, count).join("."));
      const found = this.#project.packageNames(key, name);
      if (found.length > 0) return toValues(found);
    }
    return undefined;
  }

  #ownFacade(file: number, name: string): Values | undefined {
    const found = this.#facade(this.#project.packageName(file), name);
    return found === undefined ? undefined : [found];
  }

  /** The class that Java sees in a file of Kotlin with functions at its top: `PoolsKt` of `pools.kt`. */
  #facade(packageName: string, name: string): Module | undefined {
    const [, first, rest] = /^(\p{Lu})(\w*)Kt$/u.exec(name) ?? [];
    if (first === undefined) return undefined;
    const files = [first, first.toLowerCase()].flatMap((letter) =>
      this.#project
        .named(`${letter}${rest}.kt`)
        .filter((file) => this.#project.packageName(file) === packageName),
    );
    return files.length === 0 ? undefined : { kind: "module", files, name, inside: -1 };
  }

  /** Functions of such a class that extend a type: Java gives them what they are called on. */
  #addedIn({ files }: Module, name: string): Values {
    const [first = -1] = files;
    const key = extensionFunctionsKey(this.#key(this.#project.packageName(first)));
    return toValues(
      this.#project.packageNames(key, name).filter(({ file }) => files.includes(file)),
    );
  }

  /** Such a class, or what it has, by its name in full. */
  #facadeIn(module: string): { readonly module: Module; readonly member: string } | undefined {
    if (this.#family !== "jvm") return undefined;
    const [, packageName = "", name = "", member = ""] =
      /^(?:(.*)\.)?(\p{Lu}\w*Kt)(?:\.(\w+))?$/u.exec(module) ?? [];
    const found = this.#facade(packageName, name);
    return found === undefined ? undefined : { module: found, member };
  }

  /** A class of PHP by its name in full. */
  #inFull(file: number, name: string): Values | undefined {
    const found = this.#classNamed(file, name);
    return found.length > 0 ? toValues(found) : undefined;
  }

  /** `Db\Factory` in the namespace Shop is `Shop\Db\Factory`. */
  #namespaceBelow(file: number, name: string): Values | undefined {
    const own = this.#project.packageName(file);
    const below = own === "" ? undefined : this.#packageNamed(`${own}.${name}`);
    return below === undefined ? undefined : [below];
  }

  #functionsAtTop(name: string): Values | undefined {
    const found = this.#project
      .packageNames(this.#key(""), name)
      .filter((ref) => this.#project.definition(ref)?.kind === "function");
    return found.length > 0 ? toValues(found) : undefined;
  }

  /** What a name in full begins with, `\Shop\Db\open()`: a namespace, in which there may be only others: its files are then those that ask. */
  #namespace(files: readonly number[], name: string): Values | undefined {
    if (this.#family !== "php" || !/(?:^|\.)[A-Z]\w*$/.test(name)) return undefined;
    const whole = this.#packageNamed(name);
    return [whole ?? { kind: "module", files, name, inside: -1, packageKey: this.#key(name) }];
  }

  #key(packageName: string): string {
    return packageKey(this.#family, packageName);
  }

  resolve(file: number, { module, names, kind }: ImportFact, asking: ModuleResolver): Resolution {
    if (kind === "include") return this.#included(file, module);
    if (kind === "wildcard") return this.#wildcard(file, module);
    const found = this.#owner(file, module);
    const alias = names[0]?.alias ?? "";
    if (found === undefined && this.#packageNamed(module) !== undefined)
      return this.#imported(module, alias);
    const facade = found === undefined ? this.#facadeIn(module) : undefined;
    if (facade !== undefined) return ofFacade(facade, alias, asking);
    if (found === undefined) return outside(module, alias);
    const values = () => {
      let at = toValues(found.refs);
      for (const part of found.rest) at = asking.memberOf(at, part);
      return at;
    };
    const bindings = [{ name: alias, values }];
    return { files: filesOf(found.refs), bindings, wildcards: [], how: "class" };
  }

  /** A package by its name, before which of its names is used. */
  #imported(module: string, alias: string): Resolution {
    const values = () => toModules(this.#packageNamed(module));
    return { files: [], bindings: [{ name: alias, values }], wildcards: [], how: "class" };
  }

  /** A file of PHP by its path, from the file's own folder. */
  #included(file: number, path: string): Resolution {
    const found = this.#project.find(joinPath(folderOf(this.#project.path(file)), path));
    if (found === undefined) return UNRESOLVED;
    return { files: [found], bindings: [], wildcards: [], how: "required file" };
  }

  submodule(module: Value, name: string): Values {
    if (module.kind !== "module") return NOTHING;
    if (this.#family === "jvm" && module.packageKey === undefined)
      return this.#addedIn(module, name);
    const inner = `${module.name}.${name}`;
    return this.#namespace(module.files, inner) ?? toModules(this.#packageNamed(inner));
  }

  /** A top-level class or function; where several source sets have one of the name, the nearest. */
  #classNamed(file: number, name: string): readonly DefinitionRef[] {
    const at = name.lastIndexOf(".");
    const key = this.#key(at < 0 ? "" : name.slice(0, at));
    const found = this.#meant(file, this.#named(key, name.slice(at + 1)));
    if (found.length < 2) return found;
    const own = folderOf(this.#project.path(file));
    const nearness = (ref: DefinitionRef) => sharedLength(own, this.#project.path(ref.file));
    const best = Math.max(...found.map(nearness));
    return found.filter((ref) => nearness(ref) === best);
  }

  /** What a package has by a name, with the functions of this name that extend a type. */
  #named(key: string, name: string): readonly DefinitionRef[] {
    const own = this.#project.packageNames(key, name);
    if (this.#family !== "jvm") return own;
    return [...own, ...this.#project.packageNames(extensionFunctionsKey(key), name)];
  }

  /** Of functions of one name that extend several types, those of types that the file names or defines, where it does. */
  #meant(file: number, found: readonly DefinitionRef[]): readonly DefinitionRef[] {
    const ownerOf = (ref: DefinitionRef) => this.#project.definition(ref)?.owner ?? "";
    if (new Set(found.map(ownerOf)).size < 2) return found;
    const facts = this.#project.facts(file);
    const names = new Set([
      ...(facts === undefined ? [] : usedNames(facts).all),
      ...(facts?.definitions ?? []).map((definition) => definition.name),
    ]);
    const meant = found.filter((ref) => {
      const owner = ownerOf(ref);
      return owner === "" || names.has(owner.slice(owner.lastIndexOf(".") + 1));
    });
    return meant.length > 0 ? meant : found;
  }

  #packageNamed(name: string): Module | undefined {
    const key = this.#key(name);
    const files = this.#project.filesOfPackage(key);
    if (files.length === 0) return undefined;
    return { kind: "module", files, name, inside: -1, packageKey: key };
  }

  /** The longest beginning of a dotted name that is a class; the rest are members. */
  #owner(file: number, name: string) {
    const parts = name.split(".");
    for (let count = parts.length; count > 0; count--) {
      const refs = this.#classNamed(file, parts.slice(0, count).join("."));
      if (refs.length > 0) return { refs, rest: parts.slice(count) };
    }
    return undefined;
  }

  /** Which of a package's files are meant shows only where their names are used. */
  #wildcard(file: number, module: string): Resolution {
    const whole = this.#packageNamed(module);
    if (whole !== undefined) {
      const rest = { bindings: [], wildcards: [whole], how: BY_USED_NAME };
      return withLazyFiles(this.#project, rest, () => this.#filesMeant(file, module, whole.files));
    }
    const facade = this.#facadeIn(module);
    if (facade !== undefined) {
      const { files } = facade.module;
      return { files, bindings: [], wildcards: [facade.module], how: "class" };
    }
    const found = this.#owner(file, module);
    if (found === undefined) return { ...outside(module, ""), bindings: [] };
    const wildcards = toValues(found.refs);
    return { files: filesOf(found.refs), bindings: [], wildcards, how: "class" };
  }

  /** Those of a package's files that define a name which `file` uses. */
  #filesMeant(file: number, module: string, files: readonly number[]): readonly number[] {
    const facts = this.#project.facts(file);
    const used = facts === undefined ? [] : usedNames(facts).all;
    const key = this.#key(module);
    const meant = new Set(
      used.flatMap((name) => this.#meant(file, this.#named(key, name)).map((one) => one.file)),
    );
    return files.filter((one) => meant.has(one));
  }
}

function ofFacade(
  { module, member }: { readonly module: Module; readonly member: string },
  alias: string,
  asking: ModuleResolver,
): Resolution {
  const values = () => (member === "" ? [module] : asking.exportOf(module, member));
  return { files: module.files, bindings: [{ name: alias, values }], wildcards: [], how: "class" };
}

function toModules(module: Module | undefined): Values {
  return module === undefined ? NOTHING : [module];
}

function toValues(refs: readonly DefinitionRef[]): Values {
  return refs.map(({ file, index }) => ({ kind: "definition", file, index }));
}

function filesOf(refs: readonly DefinitionRef[]): number[] {
  return [...new Set(refs.map(({ file }) => file))];
}

function outside(module: string, alias: string): Resolution {
  const bindings = [{ name: alias, values: () => externalOf(module) }];
  return { files: [], bindings, wildcards: [], external: module, how: "external" };
}
