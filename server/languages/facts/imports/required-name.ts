/** The name under which a module is known that is used where it is required: `require("a").open()`. */

/** As long as the call itself, so that places in the text stay what they are. */
export function nameOfRequired(call: string): string {
  return call.replaceAll(/\W/g, "_");
}
