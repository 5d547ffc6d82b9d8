/** Java, Kotlin, Scala, C# and PHP: classes by package and name, independent of their files. */

import { folderOf } from "../../common/relative-path.ts";
import type { ImportFact } from "../../contracts/facts.ts";
import { extensionFunctionsKey, outerPackageKeys, packageKey } from "../project/package-key.ts";
import { joinPath, sharedLength } from "../project/paths.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import { usedNames } from "../project/used-names.ts";
import {
  BY_USED_NAME,
  type Resolution,
  type Resolver,
  type Rules,
  UNRESOLVED,
  type UnboundName,
  withLazyFiles,
} from "../resolve/rules.ts";
import { externalOf, type Module, NOTHING, type Value, type Values } from "../resolve/values.ts";
import { GlobalUsings } from "./global-usings.ts";

/** Languages of one family share packages. */
type Family = "jvm" | "csharp" | "php";

export class PackageRules implements Rules {
  readonly #project: Project;
  readonly #family: Family;
  readonly #globalUsings: GlobalUsings | undefined;

  constructor(project: Project, family: Family) {
    this.#project = project;
    this.#family = family;
    this.#globalUsings = family === "csharp" ? new GlobalUsings(project) : undefined;
  }

  projectImports(file: number): readonly ImportFact[] {
    return this.#globalUsings?.of(file) ?? [];
  }

  /** Resolves names of enclosing namespaces, Kotlin facades, and in PHP global functions and qualified names. */
  resolveUnbound({ file, name }: UnboundName): Values | undefined {
    if (this.#family === "php" && name.includes(".")) return this.#qualifiedClass(file, name);
    if (this.#family === "php")
      return (
        this.#functionsAtTop(name) ??
        this.#namespaceBelow(file, name) ??
        this.#namespace([file], name)
      );
    const namespace = this.#namespace([file], name);
    if (this.#family === "jvm") return this.#ownFacade(file, name) ?? namespace;
    for (const key of outerPackageKeys(this.#key(this.#project.packageName(file)))) {
      const found = this.#project.packageNames(key, name);
      if (found.length > 0) return toValues(found);
    }
    return namespace;
  }

  #ownFacade(file: number, name: string): Values | undefined {
    const found = this.#facade(this.#project.packageName(file), name);
    return found === undefined ? undefined : [found];
  }

  /** The facade class of the top-level functions of a Kotlin file, as Java sees it: `PoolsKt` for `pools.kt`. */
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

  /** Extension functions of a facade, which Java calls as static methods with the receiver as an argument. */
  #extensionFunctionsOf({ files }: Module, name: string): Values {
    const [first = -1] = files;
    const key = extensionFunctionsKey(this.#key(this.#project.packageName(first)));
    return toValues(
      this.#project.packageNames(key, name).filter(({ file }) => files.includes(file)),
    );
  }

  /** A facade or a member of one, by its qualified name. */
  #facadeIn(module: string): { readonly module: Module; readonly member: string } | undefined {
    if (this.#family !== "jvm") return undefined;
    const [, packageName = "", name = "", member = ""] =
      /^(?:(.*)\.)?(\p{Lu}\w*Kt)(?:\.(\w+))?$/u.exec(module) ?? [];
    const found = this.#facade(packageName, name);
    return found === undefined ? undefined : { module: found, member };
  }

  /** A PHP class by its qualified name. */
  #qualifiedClass(file: number, name: string): Values | undefined {
    const found = this.#classNamed(file, name);
    return found.length > 0 ? toValues(found) : undefined;
  }

  /** `Db\Factory` in the namespace `Shop` is `Shop\Db\Factory`. */
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

  /**
   * The namespace at the start of a qualified name such as `\Shop\Db\open()`. A namespace without files of its own gets `files`;
   * outside PHP it is around the package of one of them.
   */
  #namespace(files: readonly number[], name: string): Values | undefined {
    const isAround = (file: number) => `${this.#project.packageName(file)}.`.startsWith(`${name}.`);
    const isNamespace =
      this.#family === "php" ? /(?:^|\.)[A-Z]\w*$/.test(name) : files.some(isAround);
    const whole = this.#packageNamed(name);
    if (!isNamespace && (this.#family === "php" || whole === undefined)) return undefined;
    return [whole ?? { kind: "module", files, name, inside: -1, packageKey: this.#key(name) }];
  }

  #key(packageName: string): string {
    return packageKey(this.#family, packageName);
  }

  resolve(file: number, { module, names, kind }: ImportFact, resolver: Resolver): Resolution {
    if (kind === "include") return this.#resolveInclude(file, module);
    if (kind === "wildcard") return this.#resolveWildcard(file, module);
    const found = this.#longestClassPrefix(file, module);
    const alias = names[0]?.alias ?? "";
    if (found === undefined && this.#packageNamed(module) !== undefined)
      return this.#resolvePackage(module, alias);
    const facade = found === undefined ? this.#facadeIn(module) : undefined;
    if (facade !== undefined) return facadeResolution(facade, alias, resolver);
    if (found === undefined) return outside(module, alias);
    const values = () => {
      let at = toValues(found.refs);
      for (const part of found.rest) at = resolver.memberOf(at, part);
      return at;
    };
    const bindings = [{ name: alias, values }];
    return { files: filesOf(found.refs), bindings, wildcards: [], how: "class" };
  }

  /** An import of a package, whose members the file accesses by a prefix. */
  #resolvePackage(module: string, alias: string): Resolution {
    const values = () => toModules(this.#packageNamed(module));
    return { files: [], bindings: [{ name: alias, values }], wildcards: [], how: "class" };
  }

  /** An included PHP file, relative to the folder of the including file. */
  #resolveInclude(file: number, path: string): Resolution {
    const found = this.#project.find(joinPath(folderOf(this.#project.path(file)), path));
    if (found === undefined) return UNRESOLVED;
    return { files: [found], bindings: [], wildcards: [], how: "required file" };
  }

  submodule(module: Value, name: string): Values {
    if (module.kind !== "module") return NOTHING;
    if (this.#family === "jvm" && module.packageKey === undefined)
      return this.#extensionFunctionsOf(module, name);
    const inner = `${module.name}.${name}`;
    return this.#namespace(module.files, inner) ?? toModules(this.#packageNamed(inner));
  }

  /** A top-level class or function by qualified name; of several source sets, the nearest. */
  #classNamed(file: number, name: string): readonly DefinitionRef[] {
    const at = name.lastIndexOf(".");
    const key = this.#key(at < 0 ? "" : name.slice(0, at));
    const found = this.#ofUsedReceivers(file, this.#named(key, name.slice(at + 1)));
    if (found.length < 2) return found;
    const own = folderOf(this.#project.path(file));
    const nearness = (ref: DefinitionRef) => sharedLength(own, this.#project.path(ref.file));
    const best = Math.max(...found.map(nearness));
    return found.filter((ref) => nearness(ref) === best);
  }

  /** The definitions of a name in a package, including extension functions. */
  #named(key: string, name: string): readonly DefinitionRef[] {
    const own = this.#project.packageNames(key, name);
    if (this.#family !== "jvm") return own;
    return [...own, ...this.#project.packageNames(extensionFunctionsKey(key), name)];
  }

  /** If extension functions have several receiver types, the functions whose receiver type the file uses or defines; all if there are none. */
  #ofUsedReceivers(file: number, found: readonly DefinitionRef[]): readonly DefinitionRef[] {
    const ownerOf = (ref: DefinitionRef) => this.#project.definition(ref)?.owner ?? "";
    if (new Set(found.map(ownerOf)).size < 2) return found;
    const facts = this.#project.facts(file);
    const names = new Set([
      ...(facts === undefined ? [] : usedNames(facts).all),
      ...(facts?.definitions ?? []).map((definition) => definition.name),
    ]);
    const used = found.filter((ref) => {
      const owner = ownerOf(ref);
      return owner === "" || names.has(owner.slice(owner.lastIndexOf(".") + 1));
    });
    return used.length > 0 ? used : found;
  }

  #packageNamed(name: string): Module | undefined {
    const key = this.#key(name);
    const files = this.#project.filesOfPackage(key);
    if (files.length === 0) return undefined;
    return { kind: "module", files, name, inside: -1, packageKey: key };
  }

  /** The longest prefix of a dotted name that is a class; the rest are members. */
  #longestClassPrefix(file: number, name: string) {
    const parts = name.split(".");
    for (let count = parts.length; count > 0; count--) {
      const refs = this.#classNamed(file, parts.slice(0, count).join("."));
      if (refs.length > 0) return { refs, rest: parts.slice(count) };
    }
    return undefined;
  }

  /** A wildcard import refers to the files of a package whose definitions the importer uses. */
  #resolveWildcard(file: number, module: string): Resolution {
    const whole = this.#packageNamed(module);
    if (whole !== undefined) {
      const rest = { bindings: [], wildcards: [whole], how: BY_USED_NAME };
      return withLazyFiles(this.#project, rest, () => this.#usedFiles(file, module, whole.files));
    }
    const facade = this.#facadeIn(module);
    if (facade !== undefined) {
      const { files } = facade.module;
      return { files, bindings: [], wildcards: [facade.module], how: "class" };
    }
    const found = this.#longestClassPrefix(file, module);
    if (found === undefined) return { ...outside(module, ""), bindings: [] };
    const wildcards = toValues(found.refs);
    return { files: filesOf(found.refs), bindings: [], wildcards, how: "class" };
  }

  /** The files of a package that define a name that `file` uses. */
  #usedFiles(file: number, module: string, files: readonly number[]): readonly number[] {
    const facts = this.#project.facts(file);
    const used = facts === undefined ? [] : usedNames(facts).all;
    const key = this.#key(module);
    const defining = new Set(
      used.flatMap((name) =>
        this.#ofUsedReceivers(file, this.#named(key, name)).map((one) => one.file),
      ),
    );
    return files.filter((one) => defining.has(one));
  }
}

function facadeResolution(
  { module, member }: { readonly module: Module; readonly member: string },
  alias: string,
  resolver: Resolver,
): Resolution {
  const values = () => (member === "" ? [module] : resolver.exportOf(module, member));
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
