/** Mixins: modules whose members classes inherit by including them. */

/** A nested module whose methods become class methods of classes that include the enclosing module (ActiveSupport). */
export const CLASS_METHODS = "ClassMethods";
