/** A synthetic name for a module that is used without a variable: `require("a").open()`. */

/** Padded to the length of the call, so that offsets do not change. */
export function nameOfRequired(call: string): string {
  return call.replaceAll(/\W/g, "_");
}
