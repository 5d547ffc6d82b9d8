/** The traits of each language. */

import type { Traits } from "../project/traits.ts";
import { CLASS_METHODS, isConstant } from "./ruby-classes.ts";

const ECMASCRIPT: Traits = { unboundIsExternal: true };

const JVM: Traits = {
  hasVisibleReexports: true,
  hasImplicitThis: true,
  unboundIsExternal: true,
};

const C: Traits = {
  hasVisibleReexports: true,
  unboundIsExternal: true,
  arraysArePointers: true,
};

const TRAITS: Readonly<Record<string, Traits>> = {
  javascript: ECMASCRIPT,
  typescript: ECMASCRIPT,
  tsx: ECMASCRIPT,
  vue: ECMASCRIPT,
  svelte: ECMASCRIPT,
  astro: ECMASCRIPT,
  python: {
    reexportsImports: true,
    hasVisibleReexports: true,
    unboundIsExternal: true,
    hasClassParameter: true,
    hasNamedInnerFunctions: true,
    selfCall: "base",
  },
  go: {
    hasVisibleReexports: true,
    unboundIsExternal: true,
    declaresAfterInitializer: true,
  },
  java: JVM,
  kotlin: {
    ...JVM,
    declaresAfterInitializer: true,
    invokeMethod: "invoke",
  },
  scala: JVM,
  rust: {
    reexportsImports: true,
    hasVisibleReexports: true,
    unboundIsExternal: true,
    declaresAfterInitializer: true,
    hasSuperModules: true,
    hasModuleNames: true,
  },
  csharp: {
    hasVisibleReexports: true,
    hasImplicitThis: true,
    unboundIsExternal: true,
    receiverIsParameter: true,
  },
  php: {
    hasVisibleReexports: true,
    unboundIsExternal: true,
    selfCall: "invoke",
  },
  c: C,
  cpp: {
    ...C,
    hasOpenNamespaces: true,
    hasImplicitThis: true,
  },
  ruby: {
    hasVisibleReexports: true,
    hasImplicitThis: true,
    hasOpenNamespaces: true,
    hasOpenClasses: true,
    namespacesAreTypes: true,
    hasInnerBases: true,
    hasClassSelf: true,
    separatesClassMethods: true,
    callsByName: true,
    hasFolderNames: true,
    hidesOuterName: ({ name: type }, name) => !isConstant(name) && type !== CLASS_METHODS,
    fieldOfAccessor: (name) => `@${name}`,
    selfCall: "sameMethod",
  },
  swift: {
    hasImplicitThis: true,
    unboundIsExternal: true,
    declaresAfterInitializer: true,
    hasDecisiveLabels: true,
    invokeMethod: "callAsFunction",
  },
  lua: {
    // Unbound names belong to the host program or the standard library: `vim.schedule()`.
    unboundIsExternal: true,
    declaresAfterInitializer: true,
  },
  elixir: {
    // Functions of a module call each other by their plain names.
    hasImplicitThis: true,
    unboundIsExternal: true,
    hasScopedImports: true,
    hasNamedInnerFunctions: true,
  },
};

const NO_TRAITS: Traits = {};

export function traitsOf(language: string): Traits {
  return TRAITS[language] ?? NO_TRAITS;
}
