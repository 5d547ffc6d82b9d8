/** Names: which definition answers which name, and how well. */

import { describe, expect, it } from "vitest";
import { runToEnd } from "../../../server/common/slices.ts";
import { SymbolIndex } from "../../../server/search/lanes/symbol-index.ts";
import {
  bestSymbol,
  GRADES,
  gradeHalfRemembered,
  gradeName,
  gradeTypo,
  toName,
} from "../../../server/search/lanes/symbol-names.ts";
import { forAllRandom, type Random } from "../../support/random.ts";
import { symbolNamed } from "../support.ts";

const grade = (wanted: string, defined: string) => gradeName(toName(wanted), toName(defined));

describe("a definition answers", () => {
  /** Each definition answers better than the one after it. */
  const check = (wanted: string, ...defined: string[]) => {
    const grades = defined.map((each) => grade(wanted, each));
    expect(grades.every((each, i) => i === 0 || each < (grades[i - 1] ?? 0))).toBe(true);
  };
  it("a selector of one argument as the word before it, and one of several as a whole", () => {
    expect(grade("load:", "Loader.load")).toBe(GRADES.lastSegments);
    expect(grade("load:with:", "Loader.load:with:")).toBe(GRADES.lastSegments);
  });
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
  it("capitals as its initials, though they begin another name or are whole words of it", () => {
    check("IVSSA", "IVSSAsync", "UIID_IVSS_ASYNC");
    check("HTMLES", "HTMLEscapeString", "HTMLEscape");
  });
  it("the beginnings of its words, though it begins with them too", () =>
    check("RePl", "ReplicaPlacer", "ReplicaSet"));
});

const SAME = [
  ["Router::add", "Router.add"],
  ["Router#add", "Router.add"],
  ["router->add", "router.add"],
  ["add()", "add"],
  ["Guide.Install", "Guide > Install"],
  ["::add", "add"],
  ["v\u00e9rifier", "ve\u0301rifier"],
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
    [...runToEnd(index.find(toName(name), Infinity))]
      .toSorted(([, a], [, b]) => b - a)
      .map(([slot]) => slot);

  it("finds names with typos, the nearest first", () => {
    expect(found("get_usre")).toEqual([0]);
    expect(found("parse_haeder")).toEqual([2]);
    expect(found("get_uesrs")).toEqual([1, 0]);
  });
  it("is not looked for where something begins like it", () =>
    expect(found("get_user")).toEqual([0, 1]));
  it("is not guessed from a few letters", () => expect(found("oepn")).toEqual([]));
});

it("looks no further than a list shows", () => {
  const index = new SymbolIndex();
  const names = Array.from({ length: 5_000 }, (_, i) => `test_${i % 2 === 0 ? "a" : "longer"}${i}`);
  names.forEach((name, slot) => index.add(slot, [symbolNamed(name)]));
  const found = runToEnd(index.find(toName("test"), 10));
  expect(found.size).toBeGreaterThanOrEqual(10);
  expect(found.size).toBeLessThan(100);
});

it("continues if names are added and removed between two steps", () => {
  const index = new SymbolIndex();
  for (let slot = 0; slot < 2_000; slot++) index.add(slot, [symbolNamed(`Test${slot}.run`)]);
  const steps = index.find(toName("run"), Infinity);
  let step = steps.next();
  for (let slot = 2_000; step.done !== true; slot++, step = steps.next()) {
    index.remove(slot - 1_000, [symbolNamed(`Test${slot - 1_000}.run`)]);
    for (let i = 0; i < 50; i++) index.add(slot, [symbolNamed(`Test${slot}.walk_${i}`)]);
  }
  // Names that were read before their removal are found, too.
  expect(step.value.size).toBeGreaterThanOrEqual(1_900);
  expect(new Set(step.value.values())).toEqual(new Set([GRADES.lastSegments]));
});

describe("the index", () => {
  const WORDS =
    "get set user User id ID parse prase a x2 \u00dcbung \u540d\u524d\u7a7a\u9593 __ $".split(" ");
  const JOINTS = ["", "", "_", "-", "$", ".", ".", "::", " > ", "#"];
  const nameBy = (chance: Random) => {
    let name = chance.pick(WORDS);
    while (chance.chance(0.7)) name += chance.pick(JOINTS) + chance.pick(WORDS);
    return chance.chance(0.1) ? `_${name}` : name;
  };
  /** With up to two slips. */
  const mistyped = (name: string, chance: Random) => {
    let typed = name;
    for (let slips = chance.int(3); slips > 0; slips--) {
      const at = chance.int(typed.length + 1);
      const wrong = chance.pick(["", "", "q", "qq"]);
      typed = typed.slice(0, at) + wrong + typed.slice(at + chance.int(3));
    }
    return typed;
  };
  /** The result that `find` must have, by comparing every name. */
  const findByAll = (names: ReadonlyMap<number, readonly string[]>, wanted: string) => {
    const name = toName(wanted);
    const bestBy = (gradeOf: typeof gradeName) =>
      [...names].flatMap(([slot, defined]): [number, number][] => {
        const best = Math.max(0, ...defined.map((each) => gradeOf(name, toName(each))));
        return best > 0 ? [[slot, best]] : [];
      });
    const grades = new Map(bestBy(gradeName));
    if (Math.max(0, ...grades.values()) > GRADES.words) return grades;
    for (const [slot, typo] of bestBy(gradeTypo)) {
      grades.set(slot, Math.max(typo, grades.get(slot) ?? 0));
    }
    return grades.size > 0 ? grades : new Map(bestBy(gradeHalfRemembered));
  };

  const byFirst = ([a]: readonly [number, number], [b]: readonly [number, number]) => a - b;

  /** The grades of the best in order, and which slots are as good as the last of them. */
  const gradesOf = (found: readonly (readonly [number, number])[], limit: number) => {
    const sorted = found.toSorted(([a, first], [b, second]) => second - first || a - b);
    const last = sorted[limit - 1]?.[1] ?? 0;
    return sorted.filter(([, own]) => own >= last);
  };

  it("finds what comparing every name finds, also after chunks came, went and moved", () =>
    forAllRandom({ seed: 7, numRuns: 1 }, (chance) => {
      const index = new SymbolIndex();
      const names = new Map<number, string[]>();
      // `symbolNamed` reads a colon as the beginning of a type.
      const symbolsOf = (slot: number) =>
        (names.get(slot) ?? []).map((name) => ({ ...symbolNamed(""), name }));
      const add = (slot: number) => {
        names.set(
          slot,
          Array.from({ length: 1 + chance.int(3) }, () => nameBy(chance)),
        );
        index.add(slot, symbolsOf(slot));
      };
      const check = () => {
        for (let i = 0; i < 120; i++) {
          const defined = chance.pick([...names.values()]);
          const wanted = chance.chance(0.5)
            ? nameBy(chance)
            : mistyped(chance.pick(defined), chance);
          const expected = findByAll(names, wanted);
          const found = runToEnd(index.find(toName(wanted), Infinity));
          expect([wanted, new Map([...found].toSorted(byFirst))]).toEqual([
            wanted,
            new Map([...expected].toSorted(byFirst)),
          ]);
          const isAllowed = (slot: number) => slot % 3 > 0;
          const limit = 1 + chance.int(20);
          const few = runToEnd(index.find(toName(wanted), limit, isAllowed));
          const allowed = [...expected].filter(([slot]) => isAllowed(slot));
          expect([wanted, gradesOf([...few], limit)]).toEqual([wanted, gradesOf(allowed, limit)]);
          for (const [slot, own] of few) expect(expected.get(slot)).toBe(own);
        }
      };
      for (let slot = 0; slot < 200; slot++) add(slot);
      check();
      for (const slot of names.keys()) {
        if (!chance.chance(0.6)) continue;
        index.remove(slot, symbolsOf(slot));
        names.delete(slot);
      }
      check();
      const newSlots = new Int32Array(200).fill(-1);
      const moved = [...names];
      names.clear();
      moved.forEach(([slot, defined], target) => {
        newSlots[slot] = target;
        names.set(target, defined);
      });
      index.compact(runToEnd(index.renumbered(newSlots)));
      for (let slot = moved.length; slot < moved.length + 50; slot++) add(slot);
      check();
    }));
});
