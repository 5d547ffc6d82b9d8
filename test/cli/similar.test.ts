/** `similar`: what the engine is asked, and when. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SimilarAnswer } from "../../server/contracts/session.ts";
import { workspace } from "../support/workspace.ts";
import { ANSWER, HIT, INDEX, run, STATUS } from "./run-cli.ts";

async function similar(args: readonly string[]) {
  const root = workspace("//- .git/HEAD\n");
  const path = join(root, "a.ts");
  writeFileSync(path, "one\ntwo\n");
  const { hits, state, indexed, total, warnings } = ANSWER;
  const subject = { index: "shop", root, path: "a.ts", lines: HIT.lines, text: "" };
  const answer = { hits, state, indexed, total, warnings, subject } as unknown as SimilarAnswer;
  let looks = 0;
  let looksBefore = 0;
  const outcome = await run(["similar", `${path}:2`, "--root", root, ...args], {
    cwd: root,
    session: {
      openFolders: async () => [],
      // Searchable at the third look.
      status: async () => {
        looks++;
        const index = { ...INDEX, chunks: looks < 3 ? 0 : 9 };
        return { ...STATUS, state: "indexing", indexes: [index] };
      },
      similar: async () => {
        looksBefore = looks;
        return answer;
      },
    },
  });
  return { ...outcome, looksBefore };
}

it("`similar --no-wait` waits only until something can be searched", async () => {
  const { looksBefore, out, code } = await similar(["--no-wait"]);
  expect(looksBefore).toBe(3);
  expect(out).toContain("src/pool.ts:11");
  expect(code).toBe(0);
});
