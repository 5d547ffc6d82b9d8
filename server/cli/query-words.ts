/** Lets a query contain words that start with a dash, and warns about likely misspelled options. */

import type { Command } from "commander";
import { editsBetween } from "../common/edit-distance.ts";

/** Typos in one option name. */
const MAX_EDITS = 2;

/** Refuses a second word where a command takes one name, and names an option that does not exist. */
function checkNumberOfWords(command: Command): void {
  const { args, registeredArguments } = command;
  if (registeredArguments.some(({ variadic }) => variadic)) return;
  if (args.length <= registeredArguments.length) return;
  const option = args.find((word) => word.startsWith("--"));
  command.error(
    option === undefined
      ? `error: '${command.name()}' takes one name: put quotes around a name with spaces`
      : `error: unknown option '${option}'`,
  );
}

/** Unknown options become query words, because code may start with a dash: `->item`, `--main-color`. */
export function anyWords(command: Command): Command {
  command.allowUnknownOption().allowExcessArguments();
  return command.hook("preAction", (own) => {
    checkNumberOfWords(own);
    const known = own.options.flatMap(({ long }) => long ?? []);
    for (const word of own.args) {
      const [name = ""] = word.split("=");
      // After `--`, an option is query text.
      if (known.includes(name)) continue;
      const near = known.find((each) => editsBetween(name, each, MAX_EDITS) !== undefined);
      if (near === undefined) continue;
      own
        .configureOutput()
        .writeErr?.(
          `note: ${word} is not an option, so it is searched for; did you mean ${near}?\n`,
        );
    }
  });
}
