/** The packed table of chunks, compared with a list of objects after changes by chance. */

import { expect, it } from "vitest";
import { runToEnd } from "../../../server/common/slices.ts";
import type { CodeSymbol, SymbolType } from "../../../server/contracts/model.ts";
import { ChunkTable } from "../../../server/search/lanes/chunk-table.ts";
import { isAround } from "../../../server/search/lanes/definitions.ts";
import { asSent } from "../../support/as-sent.ts";
import { forAllRandom, type Random, random } from "../../support/random.ts";

type Facts = Parameters<ChunkTable["add"]>[0];

const TYPES: readonly SymbolType[] = ["class", "function", "method"];
const NAMES = ["pool", "größe", "open_door", "用", "x"];

function symbolBy(chance: Random): CodeSymbol {
  const start = chance.int(200);
  return {
    name: chance.pick(NAMES),
    type: chance.pick(TYPES),
    lines: { start, end: start + chance.int(9) },
    nameLine: start + chance.int(2),
    signature: `${chance.pick(NAMES)}(${"a, ".repeat(chance.int(40))})`,
  };
}

function factsBy(chance: Random): Facts {
  const line = chance.int(100);
  return {
    path: `src/${chance.pick(NAMES)}.py`,
    languageId: chance.pick(["python", "c"]),
    span: { start: line * 30, end: line * 30 + chance.int(900) },
    lines: { start: line, end: line + chance.int(30) },
    context: { start: line - chance.int(3), end: line + 30 + chance.int(3) },
    symbols: Array.from({ length: chance.int(4) }, () => symbolBy(chance)),
    ...(chance.chance(0.5) ? { blockType: chance.pick(["block", "section"]) } : {}),
    ...(chance.chance(0.5) ? { hierarchy: chance.pick(["A > B", "C"]) } : {}),
  };
}

const found = (table: ChunkTable, slot: number) => table.factsOf(slot, { of: () => "test" });

/** By id, in the order of addition. */
function check(table: ChunkTable, expected: ReadonlyMap<number, Facts>): void {
  expect(table.live).toBe(expected.size);
  for (const [id, facts] of expected) {
    const slot = table.slot(id);
    expect(table.id(slot)).toBe(id);
    expect(asSent(found(table, slot))).toEqual({ ...facts, category: "test" });
    expect(table.path(table.pathOf(slot))).toBe(facts.path);
    expect([table.startOf(slot), table.endOf(slot)]).toEqual([facts.span.start, facts.span.end]);
    expect(table.languageOf(slot)).toBe(facts.languageId);
    const lines = [facts.lines.start + 2];
    for (const withClasses of [false, true]) {
      expect(asSent(table.symbolsAround(slot, lines, withClasses))).toEqual(
        facts.symbols.filter(
          (one) => isAround(one.lines, lines) || (withClasses && one.type === "class"),
        ),
      );
    }
  }
}

function dropRemoved(table: ChunkTable): void {
  let kept = 0;
  const slots = Int32Array.from({ length: table.size }, (_, slot) =>
    table.pathOf(slot) < 0 ? -1 : kept++,
  );
  const left = table.renumbered(slots, kept);
  left.next();
  table.compact(runToEnd(table.renumbered(slots, kept)));
  // Begun before the change: it continues over the old rows.
  runToEnd(left);
}

it("keeps added chunks while others are removed and renumbered", () =>
  forAllRandom({ seed: 1, numRuns: 3 }, (chance) => {
    let table = new ChunkTable();
    const expected = new Map<number, Facts>();
    const gone: number[] = [];
    /** Found chunks that a search has not read yet, while chunks come and go. */
    const held: (readonly [found: unknown, expected: Facts])[] = [];
    for (let round = 0; round < 12; round++) {
      for (let i = chance.int(12); i > 0; i--) {
        const facts = factsBy(chance);
        expected.set(table.id(table.add(facts)), facts);
      }
      for (const [id, facts] of expected) held.push([found(table, table.slot(id)), facts]);
      for (const id of expected.keys()) {
        if (!chance.chance(0.3)) continue;
        table.remove(table.slot(id));
        expected.delete(id);
        gone.push(id);
      }
      if (chance.chance(0.5)) dropRemoved(table);
      check(table, expected);
      if (chance.chance(0.3)) {
        table = runToEnd(ChunkTable.unpack(structuredClone(table.pack())));
        // Unpacked in another process, which has no ids of removed chunks.
        gone.length = 0;
      }
      check(table, expected);
      expect(gone.map((id) => table.slot(id))).toEqual(gone.map(() => -1));
    }
    for (const [facts, own] of held) expect(asSent(facts)).toEqual({ ...own, category: "test" });
  }));

it("reads a definition whose row, or whose signature alone, needed more room", () => {
  const table = new ChunkTable();
  const add = (signature: string) => {
    const symbols = [{ ...symbolBy(random(1)), signature }];
    const slot = table.add({ ...factsBy(random(1)), symbols });
    expect(asSent(table.symbolsOf(slot))).toEqual(symbols);
  };
  for (let i = 0; i < 20; i++) add("");
  for (let i = 0; i < 4; i++) add("x".repeat(2_000));
});
