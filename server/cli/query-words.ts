/** What is behind a command that looks for something: its options, and everything else as the text that is looked for. */

import type { Command } from "commander";
import { editsBetween } from "../common/edit-distance.ts";

/** Slips of the finger. */
const MAX_EDITS = 2;

/** Code begins with dashes, too: `->item`, `--main-color`. Of a word that is nearly an option, it says that it is none. */
export function anyWords(command: Command): Command {
  return command.allowUnknownOption().hook("preAction", (own) => {
    const known = own.options.flatMap(({ long }) => long ?? []);
    for (const word of own.args) {
      const [name = ""] = word.split("=");
      // Behind `--` an option is meant as text.
      if (known.includes(name)) continue;
      const near = known.find((each) => editsBetween(name, each, MAX_EDITS) !== undefined);
      if (near === undefined) continue;
      own
        .configureOutput()
        .writeErr?.(`note: ${word} is no option, and is looked for; did you mean ${near}?\n`);
    }
  });
}
