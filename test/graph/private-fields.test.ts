/** Private fields of classes, as TypeScript and JavaScript write them. */

import { it } from "vitest";
import { checkCalls } from "../support/graph.ts";

it("Private fields have types, and calling one does not call the constructor", () =>
  checkCalls(
    `//- a.ts
class Pool { #size = 0; get size() { return this.#size; } close() {} }
class Shop {
  #pool: Pool;
  #other?: Pool;
  constructor(pool: Pool) { this.#pool = pool; this.#unknown.close(); }
  run() { this.#pool.close(); this.#other?.close(); this.#other!.close(); this.#open().close(); }
  #open(): Pool { return this.#pool; }
}
`,
    [
      "a.ts:6 close -> a.ts Pool.close (typed receiver)",
      "a.ts:6 close -> a.ts Pool.close (typed receiver)",
      "a.ts:6 close -> a.ts Pool.close (typed receiver)",
      "a.ts:6 close -> a.ts Pool.close (typed receiver)",
      "a.ts:6 #open -> a.ts Shop.#open (own method)",
    ],
  ));
