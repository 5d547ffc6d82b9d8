/** Chains of expressions; their steps are documented in chains.ts. */

import { expect, it } from "vitest";
import { toChain } from "../../../server/languages/facts/chains.ts";

it.each([
  ["app", "app"],
  ["this.#pool?.open", "this.#pool.open"],
  ["this.#pool!.open()", "this.#pool.open()"],
  ["await app.get(x)[0].run", "app.get()[].run"],
  ["Pool<string>.Make(1).open", "Pool.Make().open"],
  ["Pool<List<int>>::make()", "Pool.make()"],
  ["a < b", "a"],
  ["a < b > .5", "a"],
  ["(app).run", "app.run"],
  ["(app.get(1)).run", "app.get().run"],
  ["(a + b).run", "?.run"],
  ["(x as Pool).open", ":Pool;.open"],
  ["[1, 2].map", ":[];.map"],
  ["'text'.trim", '".trim'],
  ["f'{x}'.join", '".join'],
  ['rb"text".decode', '".decode'],
  ["x' y", "x'"],
  ["puts 'text'", "puts"],
  ["run 'text'", "run"],
  ['run"text"', "run"],
])("The chain of %s is %s", (text, chain) => expect(toChain(text).chain).toBe(chain));
