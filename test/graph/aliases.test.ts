/** Callers by aliases and by private names. */

import { expect, it } from "vitest";
import { runToEnd } from "../../server/common/slices.ts";
import { callersOf } from "../../server/graph/answers/call-sites.ts";
import { graphOf } from "../support/graph.ts";

async function callers(literal: string, name: string): Promise<string[]> {
  const graph = await graphOf(literal);
  return runToEnd(callersOf(graph, name)).map(
    ({ file, line }) => `${graph.project.path(file)}:${line + 1}`,
  );
}

const TYPESCRIPT = `//- real.ts
export function realOne() { return 1; }
export class Vault { #open() { return 1; } open() { return this.#open(); } }
function hidden() {}
export { hidden as shown };
//- box.ts
import { realOne } from "./real";
export const aliasOne = realOne;
export const limit = 3;
//- use.ts
import { aliasOne, limit } from "./box";
import { shown, Vault } from "./real";
export function viaAlias() {
  return aliasOne();
}
shown();
new Vault().open();
`;

it.each([
  ["realOne", ["use.ts:4"]],
  ["aliasOne", ["use.ts:4"]],
  ["#open", ["real.ts:2"]],
  ["Vault.#open", ["real.ts:2"]],
  ["Vault#open", ["real.ts:2", "use.ts:7"]],
  ["hidden", ["use.ts:6"]],
  ["shown", ["use.ts:6"]],
])("`callersOf` finds the callers of %s in TypeScript", async (name, expected) => {
  expect(await callers(TYPESCRIPT, name)).toEqual(expected);
});

const RUBY = `//- order.rb
class Order
  def price = 1
  alias_method :cost, :price
  alias fee price
end
Order.new.cost
Order.new.fee
Order.new.price
`;

it.each([
  ["price", ["order.rb:6", "order.rb:7", "order.rb:8"]],
  ["cost", ["order.rb:6"]],
  ["fee", ["order.rb:7"]],
])("`callersOf` finds the callers of %s in Ruby", async (name, expected) => {
  expect(await callers(RUBY, name)).toEqual(expected);
});
