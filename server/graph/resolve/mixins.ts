/** Modules that classes include as they inherit from other classes. */

/** The module whose methods become those of the class itself where the module around it is included (ActiveSupport). */
export const CLASS_METHODS = "ClassMethods";

/** Whether namespaces of the language have methods that others include. */
export function hasMixins(language: string): boolean {
  return language === "ruby";
}
