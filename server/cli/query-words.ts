/** Lets a query contain words that start with a dash, and warns about likely misspelled options. */

import type { Command } from "commander";
import { editsBetween } from "../common/edit-distance.ts";

/** Typos in one option name. */
const MAX_EDITS = 2;

/** Unknown options become query words, because code may start with a dash: `->item`, `--main-color`. */
export function anyWords(command: Command): Command {
  return command.allowUnknownOption().hook("preAction", (own) => {
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
