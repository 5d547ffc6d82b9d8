/** Mixins: modules whose members classes inherit by including them. */

/** A nested module whose methods become class methods of classes that include the enclosing module (ActiveSupport). */
export const CLASS_METHODS = "ClassMethods";

/** Whether namespaces of a language are mixins. */
export function hasMixins(language: string): boolean {
  return language === "ruby";
}
