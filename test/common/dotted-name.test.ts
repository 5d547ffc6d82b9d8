/** Qualified names in the notations of languages. */

import { expect, it } from "vitest";
import { dottedName } from "../../server/common/dotted-name.ts";

it.each([
  ["Pool::open", "Pool.open"],
  ["Pool#open(1)", "Pool.open"],
  ["Menu:onSelect", "Menu.onSelect"],
  ["shop.menu:open", "shop.menu.open"],
  ["cowboy_req:reply/4", "cowboy_req.reply"],
  ["reply/4", "reply"],
  ["session:task:", "session:task:"],
  ["src/pool", "src/pool"],
])("%s is %s", (text, name) => expect(dottedName(text)).toBe(name));
