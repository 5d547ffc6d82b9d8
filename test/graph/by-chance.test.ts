/** Imports and calls of small random projects, in seven languages: golden/by-chance-*.txt. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { CHANCE_LANGUAGES, projectIn } from "../support/chance-projects.ts";
import { callsIn, graphOf, importsIn } from "../support/graph.ts";
import { random } from "../support/random.ts";

it.each(CHANCE_LANGUAGES)(
  "The graph of a random project in %s equals its golden file",
  async (language) => {
    const graph = await graphOf(projectIn(language, random(1)));
    const shown = ["seed 1", ...importsIn(graph), ...callsIn(graph)];
    await expect(`${shown.join("\n")}\n`).toMatchFileSnapshot(
      join(import.meta.dirname, `golden/by-chance-${language}.txt`),
    );
  },
);
