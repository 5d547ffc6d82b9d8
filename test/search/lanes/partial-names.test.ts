/** Grades of letters that recall a partially remembered name. */

import { expect, it } from "vitest";
import { recallOf } from "../../../server/search/lanes/partial-names.ts";

const recall = (letters: string, name: string) => recallOf(letters, name.split(" "));

it.each([
  ["getusbyid", "get user by id"],
  ["conpool", "connection pool"],
  ["getbyid", "get user by id"],
  ["hndlereqst", "handle request"],
  ["valdate", "validate"],
])("finds %s in %s", (letters, name) => expect(recall(letters, name)).toBeGreaterThan(0));

it.each([
  ["too few letters", "gubi", "get user by id"],
  ["another first letter", "userbyid", "get user by id"],
  ["letters in another order", "gubyidser", "get user by id"],
  ["too little of a long name", "gubid", "get every single user of everything by their id"],
  ["the whole name", "getuserbyid", "get user by id"],
])("does not take %s", (_why, letters, name) => expect(recall(letters, name)).toBe(0));

it("prefers more of a name, no words left out, and beginnings to mere letters", () => {
  const ordered = ["getuserbyi", "getusbyid", "getusby", "gtusrbyd"];
  const values = ordered.map((letters) => recall(letters, "get user by id"));
  expect(values).toEqual(values.toSorted((a, b) => b - a));
});
