/** Lists of numbers on a scratch file: each list keeps its last value through changes of the others. */

import { expect, it } from "vitest";
import { NumberLists } from "../../../server/common/packed/number-lists.ts";
import type { Scratch, ScratchRange } from "../../../server/contracts/graph.ts";
import { SwappedLists } from "../../../server/graph/project/swapped-lists.ts";
import { forAllRandom, type Random } from "../../support/random.ts";
import { scratchFile } from "../../support/scratch-file.ts";

/** A scratch space that counts its content. */
class CountedScratch implements Scratch {
  readonly #inner = scratchFile();
  isFull = false;
  puts = 0;
  bytes = 0;

  put(bytes: Uint8Array): ScratchRange | undefined {
    if (this.isFull) return undefined;
    this.puts++;
    this.bytes += bytes.length;
    return this.#inner.put(bytes);
  }

  get(place: ScratchRange, room: number) {
    return this.#inner.get(place, room);
  }

  remove(place: ScratchRange): void {
    this.bytes -= place.length;
    this.#inner.remove(place);
  }
}

function check({ int: below }: Random, scratch?: CountedScratch): void {
  const swapped = new SwappedLists(Int32Array, scratch);
  const expected = new Map<number, number[]>();
  for (let step = 0; step < 3000; step++) {
    const list = below(700);
    const numbers = Array.from({ length: below(step % 50 === 0 ? 400 : 6) }, () => below(1e9));
    swapped.set(list, numbers);
    expected.set(list, numbers);
    if (scratch !== undefined) scratch.isFull = step % 700 === 0;
    // After many changes, or after few.
    if (step % (step < 1500 ? 100 : 7) === 0) swapped.trim();
    if (step % 1300 === 0) {
      swapped.replaceAll(new NumberLists(Int32Array));
      expected.clear();
    }
    const some = below(700);
    expect([...swapped.lists.get(some)]).toEqual(expected.get(some) ?? []);
  }
  for (let list = 0; list < 800; list++)
    expect([...swapped.lists.get(list)]).toEqual(expected.get(list) ?? []);
}

it("Lists survive growth, replacement, trimming and compaction", () =>
  forAllRandom({ seed: 7, numRuns: 1 }, (random) => check(random)));

it("Lists survive swapping out and in, also without space", () =>
  forAllRandom({ seed: 7, numRuns: 1 }, (random) => check(random, new CountedScratch())));

it("A few changes do not rewrite all lists", () => {
  const scratch = new CountedScratch();
  const swapped = new SwappedLists(Uint8Array, scratch);
  for (let list = 0; list < 100; list++) swapped.set(list, [list, 1]);
  swapped.trim();
  const { bytes } = scratch;
  for (const list of [3, 120, 4]) {
    swapped.set(list, [7]);
    swapped.trim();
  }
  expect(scratch.puts).toBe(1);
  expect([3, 4, 5, 119, 120].map((list) => [...swapped.lists.get(list)])).toEqual([
    [7],
    [7],
    [5, 1],
    [],
    [7],
  ]);
  for (let list = 0; list < 50; list++) swapped.set(list, [list, 2]);
  swapped.trim();
  expect(scratch.puts).toBe(2);
  // Old versions are removed.
  expect(scratch.bytes).toBeLessThan(bytes * 1.5);
  swapped.replaceAll(new NumberLists(Uint8Array));
  expect(scratch.bytes).toBe(0);
});
