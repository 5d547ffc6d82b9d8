/** The differences between languages that do not depend on a project; `Rules` of resolve/ has the other ones. */

import type { DefinitionFact, FileFacts } from "../../contracts/facts.ts";

export interface Traits {
  /** Whether other files can import the imports of a file from it. */
  readonly reexportsImports?: true;
  /** Whether a re-export also binds its names in its own file. */
  readonly hasVisibleReexports?: true;
  /** Whether members of a class are visible in its methods without a receiver. */
  readonly hasImplicitThis?: true;
  /** Whether an import is only visible in the scope enclosing it. */
  readonly hasScopedImports?: true;
  /** Whether `super` is the parent module instead of the base class. */
  readonly hasSuperModules?: true;
  /** Whether modules and functions have separate namespaces. */
  readonly hasModuleNames?: true;
  /** Whether an unbound name belongs to a library. */
  readonly unboundIsExternal?: true;
  /** The key of the package of a file, whose files see each other's top-level names. */
  packageKey?(path: string, packageName: string): string;
  /** The keys of further scopes that contain a definition and that several files share. */
  keysOf?(facts: FileFacts, definition: DefinitionFact): readonly string[];
  /** Whether any file can add members to a namespace. */
  readonly hasOpenNamespaces?: true;
  /** Whether any file can add members to a class. */
  readonly hasOpenClasses?: true;
  /** Whether a namespace has methods, and is a base of other types, like a module of Ruby. */
  readonly namespacesAreTypes?: true;
  /** Whether the bases of a class are also resolved in its body. */
  readonly hasInnerBases?: true;
  /** Whether `self` in a class method is the class, which `new` instantiates. */
  readonly hasClassSelf?: true;
  /** Whether a class method and an instance method of one class can have the same name. */
  readonly separatesClassMethods?: true;
  /** Whether every function is called without parentheses. */
  readonly callsWithoutParentheses?: true;
  /** Methods of the standard library that a call on an unknown receiver most likely means. */
  readonly builtInMethods?: ReadonlySet<string>;
  /** Whether a call on an unknown receiver can mean any method of its name; by default it can. */
  mayMeanAnyMethod?(chain: string): boolean;
  /** Whether a function in a function is quoted: it belongs to the module that uses the macro. */
  readonly quotesInnerFunctions?: true;
  /** Whether a member is not visible to other modules. */
  isPrivate?(member: DefinitionFact): boolean;
  /** Whether methods come before fields of their name: only methods can be called. */
  readonly putsMethodsFirst?: true;
  /** Variables that do not hide functions of their name, because a call never means them. */
  readonly separateVariables?: "locals" | "all";
  /** Whether a property does not hide an inherited function of its name. */
  readonly separatesProperties?: true;
  /** A nested object whose members its class has, by its default name. */
  readonly companion?: string;
  /** The member of a singleton that refers to its instance. */
  readonly singletonMember?: string;
  /** Whether types of the same package and name in several files are one type: `expect` and `actual`. */
  readonly hasMultiplatformTypes?: true;
  /** Whether functions can extend a type, and are visible where their package is. */
  readonly hasExtensionFunctions?: true;
  /** Whether extension functions are imported by name. */
  readonly importsExtensions?: true;
  /** Whether a call without a receiver can mean an extension function of an implicit receiver. */
  readonly hasImplicitReceivers?: true;
  /** Whether the type of a definition is written before its name: `Pool pool`. */
  readonly writesTypeFirst?: true;
  /** Whether a function can have several signatures and one body. */
  readonly hasOverloadSignatures?: true;
  /** Whether types of a package can share a name if they differ in the number of their type parameters: `Box` and `Box<T>`. */
  readonly overloadsTypes?: true;
  /** Whether names of enclosing packages are visible. */
  readonly seesOuterPackages?: true;
  /** Whether a class that is passed as an argument is its constructor: `Pool::new`. */
  readonly passesConstructors?: true;
  /** Whether variables are often named after their type, which is not written. */
  readonly namesVariablesByType?: true;
  /** Whether methods of object literals call the object `this`. */
  readonly hasObjectLiterals?: true;
  /** Whether an extension in any file can add bases to a type. */
  readonly extendsBasesAnywhere?: true;
  /** Whether a static definition without a type can be a macro instead of an enum case. */
  readonly hasMacros?: true;
  /** Whether a qualified name is also resolved as a whole: autoloading defines the namespaces of folders. */
  readonly hasFolderNames?: true;
  /** Whether a type hides a name of the enclosing scopes from its methods. */
  hidesOuterName?(type: DefinitionFact, name: string): boolean;
  /** The field that a method without a body reads. */
  fieldOfAccessor?(name: string): string;
  /** Whether a local variable is not in scope in its own initializer. */
  readonly declaresAfterInitializer?: true;
  /** Whether the argument labels of a call always select among functions of its name. */
  readonly hasDecisiveLabels?: true;
  /** Whether calls can resolve to functions in functions; otherwise these count as local variables. */
  readonly hasNamedInnerFunctions?: true;
  /** Whether a method takes its class as the parameter `cls`. */
  readonly hasClassParameter?: true;
  /** Whether an extension method accesses its receiver by a parameter only. */
  readonly receiverIsParameter?: true;
  /** Whether indexing a pointer to an instance gives the instance: pointers and arrays are declared alike. */
  readonly arraysArePointers?: true;
  /** The method that is invoked when an object is called. */
  readonly invokeMethod?: string;
  /** Whether a function of a library may return any object, such as an element of its argument. */
  mayReturnAny?(name: string): boolean;
  /** The kind of definition that `super(...)` and `this(...)` call; by default a constructor. */
  readonly selfCall?: "base" | "sameMethod" | "invoke";
}

/** The traits of a language, by its id. */
export type TraitsOf = (language: string) => Traits;
