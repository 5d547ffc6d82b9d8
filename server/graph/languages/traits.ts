/** The traits of each language. */

import { folderOf } from "../../common/relative-path.ts";
import { FLAG } from "../../contracts/facts.ts";
import { extensionFunctionsKey, folderPackageKey, packageKey } from "../project/package-key.ts";
import type { Traits } from "../project/traits.ts";
import {
  CSHARP_METHODS,
  ECMASCRIPT_METHODS,
  GO_METHODS,
  JVM_METHODS,
  LUA_METHODS,
  PHP_METHODS,
  PYTHON_METHODS,
  RUBY_METHODS,
  RUST_METHODS,
  SCALA_METHODS,
  SWIFT_METHODS,
} from "./built-in-methods.ts";
import { CLASS_METHODS, isConstant } from "./ruby-classes.ts";
import { RUST_MACROS } from "./rust.ts";
import { scopeKeys } from "./shared-scopes.ts";

const CALLED_ON_CONSTANT = /^(?:\p{Lu}\w*\.)+[^.]+$/u;

const ECMASCRIPT: Traits = {
  unboundIsExternal: true,
  hasObjectLiterals: true,
  builtInMethods: ECMASCRIPT_METHODS,
};

const TYPESCRIPT: Traits = { ...ECMASCRIPT, hasOverloadSignatures: true };

const JVM: Traits = {
  packageKey: (_, name) => packageKey("jvm", name),
  builtInMethods: JVM_METHODS,
  hasVisibleReexports: true,
  hasImplicitThis: true,
  unboundIsExternal: true,
};

const C: Traits = {
  writesTypeFirst: true,
  hasVisibleReexports: true,
  unboundIsExternal: true,
  arraysArePointers: true,
  hasMacros: true,
};

const TRAITS: Readonly<Record<string, Traits>> = {
  javascript: { ...ECMASCRIPT, namesVariablesByType: true },
  typescript: TYPESCRIPT,
  tsx: TYPESCRIPT,
  vue: ECMASCRIPT,
  svelte: ECMASCRIPT,
  astro: ECMASCRIPT,
  python: {
    builtInMethods: PYTHON_METHODS,
    reexportsImports: true,
    hasVisibleReexports: true,
    unboundIsExternal: true,
    hasClassParameter: true,
    namesVariablesByType: true,
    hasNamedInnerFunctions: true,
    selfCall: "base",
  },
  go: {
    packageKey: (path, name) => folderPackageKey(folderOf(path), name),
    builtInMethods: GO_METHODS,
    hasVisibleReexports: true,
    unboundIsExternal: true,
    declaresAfterInitializer: true,
  },
  java: { ...JVM, writesTypeFirst: true, separateVariables: "all", passesConstructors: true },
  kotlin: {
    ...JVM,
    keysOf: ({ packageName }, { owner, parent }) =>
      owner !== "" && parent === -1 ? [extensionFunctionsKey(packageKey("jvm", packageName))] : [],
    declaresAfterInitializer: true,
    invokeMethod: "invoke",
    separatesProperties: true,
    companion: "Companion",
    singletonMember: "INSTANCE",
    hasMultiplatformTypes: true,
    hasExtensionFunctions: true,
    importsExtensions: true,
    hasImplicitReceivers: true,
  },
  scala: { ...JVM, builtInMethods: SCALA_METHODS },
  rust: {
    keysOf: (_, { kind, name, flags }) =>
      kind === "function" && name !== "" && (flags & FLAG.static) !== 0 ? [RUST_MACROS] : [],
    builtInMethods: RUST_METHODS,
    reexportsImports: true,
    hasVisibleReexports: true,
    unboundIsExternal: true,
    declaresAfterInitializer: true,
    hasSuperModules: true,
    putsMethodsFirst: true,
    hasModuleNames: true,
  },
  csharp: {
    packageKey: (_, name) => packageKey("csharp", name),
    builtInMethods: CSHARP_METHODS,
    writesTypeFirst: true,
    hasVisibleReexports: true,
    hasImplicitThis: true,
    unboundIsExternal: true,
    receiverIsParameter: true,
    hasExtensionFunctions: true,
    overloadsTypes: true,
    seesOuterPackages: true,
  },
  php: {
    packageKey: (_, name) => packageKey("php", name),
    builtInMethods: PHP_METHODS,
    hasVisibleReexports: true,
    unboundIsExternal: true,
    selfCall: "invoke",
    // Strings and arrays have no methods: what a function such as `current` returns is an object, if a method of it is called.
    mayReturnAny: (name) => /^\\?[a-z_]\w*$/.test(name),
    separateVariables: "all",
    namesVariablesByType: true,
  },
  c: { ...C, keysOf: (facts, one) => scopeKeys({ program: "c" }, facts, one) },
  cpp: {
    ...C,
    keysOf: (facts, one) => scopeKeys({ program: "c", namespaces: "cpp" }, facts, one),
    hasOpenNamespaces: true,
    hasImplicitThis: true,
  },
  ruby: {
    keysOf: (facts, one) => scopeKeys({ namespaces: "ruby", hasOpenClasses: true }, facts, one),
    builtInMethods: RUBY_METHODS,
    hasVisibleReexports: true,
    hasImplicitThis: true,
    hasOpenNamespaces: true,
    hasOpenClasses: true,
    namespacesAreTypes: true,
    hasInnerBases: true,
    hasClassSelf: true,
    separatesClassMethods: true,
    callsWithoutParentheses: true,
    // An unresolved constant belongs to a library.
    mayMeanAnyMethod: (chain) => !CALLED_ON_CONSTANT.test(chain),
    hasFolderNames: true,
    separateVariables: "locals",
    namesVariablesByType: true,
    hidesOuterName: ({ name: type }, name) => !isConstant(name) && type !== CLASS_METHODS,
    fieldOfAccessor: (name) => `@${name}`,
    selfCall: "sameMethod",
  },
  swift: {
    packageKey: (_, name) => packageKey("swift", name),
    builtInMethods: SWIFT_METHODS,
    hasImplicitThis: true,
    unboundIsExternal: true,
    declaresAfterInitializer: true,
    hasDecisiveLabels: true,
    extendsBasesAnywhere: true,
    invokeMethod: "callAsFunction",
  },
  lua: {
    keysOf: (facts, one) => scopeKeys({ program: "lua" }, facts, one),
    builtInMethods: LUA_METHODS,
    // Unbound names belong to the host program or the standard library: `vim.schedule()`.
    unboundIsExternal: true,
    declaresAfterInitializer: true,
  },
  elixir: {
    keysOf: (facts, one) => scopeKeys({ program: "elixir" }, facts, one),
    // Functions of a module call each other by their plain names.
    hasImplicitThis: true,
    unboundIsExternal: true,
    hasScopedImports: true,
    hasNamedInnerFunctions: true,
    quotesInnerFunctions: true,
    isPrivate: ({ flags }) => (flags & FLAG.static) !== 0,
    // `query.from` reads a field of a map.
    mayMeanAnyMethod: () => false,
  },
};

export function traitsOf(language: string): Traits {
  return TRAITS[language] ?? {};
}
