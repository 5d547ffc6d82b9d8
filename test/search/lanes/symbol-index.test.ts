/** Names: which definition answers which name, and how well. */

import { describe, expect, it } from "vitest";
import {
  bestSymbol,
  gradeName,
  SymbolIndex,
  toName,
} from "../../../server/search/lanes/symbol-index.ts";
import { symbolNamed } from "../support.ts";

const grade = (wanted: string, defined: string) => gradeName(toName(wanted), toName(defined));

describe("a definition answers", () => {
  /** Each definition answers better than the one after it. */
  const check = (wanted: string, ...defined: string[]) => {
    const grades = defined.map((each) => grade(wanted, each));
    expect(grades.every((each, i) => i === 0 || each < (grades[i - 1] ?? 0))).toBe(true);
  };
  it("the exact name best, then its last segment, other case, prefix, words", () =>
    check(
      "get_user",
      "get_user",
      "UserService.get_user",
      "Get_User",
      "getUser",
      "get_user_by_id",
      "user_get_all",
    ));
  it("a qualified name by its suffix", () =>
    check(
      "UserService.get_user",
      "UserService.get_user",
      "app.UserService.get_user",
      "userservice.get_user",
    ));
  it("a bare name with the fewer scopes around it first", () =>
    check("Schema", "Schema", "Ecto.Schema", "Ecto.Repo.Schema", "schema"));
  it("a prefix the better, the more of it was typed", () =>
    check("parse", "parseAll", "parseEverything"));
});

const SAME = [
  ["Router::add", "Router.add"],
  ["Router#add", "Router.add"],
  ["router->add", "router.add"],
  ["add()", "add"],
  ["Guide.Install", "Guide > Install"],
  ["::add", "add"],
];
it.each(SAME)("%s means %s", (wanted, defined) => expect(grade(wanted, defined)).toBe(1));

const APART = [
  ["UserService.get", "Cache.get"],
  ["UserService.get", "get"],
  ["g", "get"],
  ["get_user", "user"],
  ["et", "get"],
];
it.each(APART)("%s does not mean %s", (wanted, defined) => expect(grade(wanted, defined)).toBe(0));

it("chooses the best definition of a chunk, the first of equals", () => {
  const symbols = ["a.run", "runner", "b.run"].map((name) => symbolNamed(name));
  expect(bestSymbol(symbols, toName("run"))?.symbol.name).toBe("a.run");
});

describe("a name that was mistyped", () => {
  const index = new SymbolIndex();
  ["get_user", "get_users", "UserService.parse_header", "open"].forEach((name, slot) =>
    index.add(slot, [symbolNamed(name)]),
  );
  const found = (name: string) =>
    [...index.find(toName(name))].toSorted(([, a], [, b]) => b - a).map(([slot]) => slot);

  it("finds what is spelt nearly so, the nearest first", () => {
    expect(found("get_usre")).toEqual([0]);
    expect(found("parse_haeder")).toEqual([2]);
    expect(found("get_uesrs")).toEqual([1, 0]);
  });
  it("is not looked for where something begins like it", () =>
    expect(found("get_user")).toEqual([0, 1]));
  it("is not guessed from a few letters", () => expect(found("oepn")).toEqual([]));
});
