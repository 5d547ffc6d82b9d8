/** Lanes that were packed and unpacked: the same answers, to the last bit, also after more has changed. */

import { describe, expect, it } from "vitest";
import {
  DamagedArrays,
  type NumberArray,
  type PackedArrays,
} from "../../../server/common/packed/packed-arrays.ts";
import { runToEnd } from "../../../server/common/slices.ts";
import type { LiveLanes } from "../../../server/contracts/lanes.ts";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { createMemoryLanes, unpackMemoryLanes } from "../../../server/search/lanes/memory-lanes.ts";
import { random } from "../../support/random.ts";
import { categorizer, embedded, vectorOf } from "../support.ts";

const WORDS =
  "open close pool socket retry cache token \u00fcber session file read \u540d\u524d".split(" ");
const FILES = 60;
const chance = random(11);

const nameOf = () => `${chance.pick(WORDS)}${chance.pick(["_", ".", ""])}${chance.pick(WORDS)}`;

function fileOf(path: string): StoredChunk[] {
  return Array.from({ length: 1 + chance.int(4) }, (_, i) => {
    const text = Array.from({ length: 1 + chance.int(30) }, () => chance.pick(WORDS)).join(" ");
    const chunk = embedded(path, text, `${nameOf()}:function ${nameOf()}:class`, {
      start: i * 1000,
    });
    return i % 3 === 1 ? { ...chunk, hierarchy: nameOf(), blockType: "block" } : chunk;
  });
}

async function edit(lanes: LiveLanes, edits: number): Promise<void> {
  for (let i = 0; i < edits; i++) {
    const path = `src/${chance.int(FILES)}-\u00e4.ts`;
    await lanes.replace([path], chance.chance(0.2) ? [] : fileOf(path));
  }
}

/** Copies, as if they were read from a file. */
const copyOf = (arrays: PackedArrays): Map<string, NumberArray> =>
  new Map([...arrays].map(([name, array]) => [name, array.slice()]));

function packed(lanes: LiveLanes): Map<string, NumberArray> {
  const steps = lanes.pack();
  for (let step = steps?.next(); step !== undefined; step = steps?.next())
    if (step.done === true) return copyOf(step.value);
  throw new Error("lanes in memory can be packed");
}
const unpack = (arrays: PackedArrays) => runToEnd(unpackMemoryLanes({ categorizer }, arrays));

/** All answers of the lanes, with facts in place of chunk ids. */
async function answersOf(lanes: LiveLanes): Promise<unknown[]> {
  const answers: unknown[] = [lanes.size];
  for (const word of WORDS) {
    const query = `${word} ${WORDS[0]} unheard`;
    const lists = [
      await lanes.keyword(query.split(" "), { limit: 40 }),
      await lanes.vector(vectorOf(query), {
        filter: { languages: new Set(["typescript"]) },
        limit: 40,
      }),
      await lanes.symbol(word, { filter: { symbolTypes: new Set(["class"]) }, limit: 40 }),
      await lanes.symbol(`${word}qq`, { limit: 40 }),
    ];
    for (const list of lists) {
      const facts = await lanes.facts(list.map(({ chunk }) => chunk));
      answers.push(list.map(({ chunk, score }) => [facts.get(chunk), score]));
    }
    const defined = await lanes.definitionsOf([word]);
    const facts = await lanes.facts([...defined.values()].flat());
    answers.push([...facts.values()], lanes.rarityOf(word));
  }
  for (let i = 0; i < FILES; i++) answers.push(lanes.pathsByStem(`${i}\u00e4`));
  return answers;
}

describe("lanes that were packed", () => {
  it("answer as before, removed chunks left out", async () => {
    const lanes = createMemoryLanes({ categorizer });
    await edit(lanes, 300);
    expect(await answersOf(unpack(packed(lanes)))).toEqual(await answersOf(lanes));
  });

  it("follow changes as if nothing had happened, through several compactions", async () => {
    const lanes = createMemoryLanes({ categorizer });
    await edit(lanes, 50);
    const copy = unpack(packed(lanes));
    for (let i = 0; i < 1_500; i++) {
      const path = `src/${chance.int(FILES)}-\u00e4.ts`;
      const chunks = fileOf(path);
      await lanes.replace([path], chunks);
      await copy.replace([path], chunks);
    }
    expect(await answersOf(copy)).toEqual(await answersOf(lanes));
    expect(await answersOf(unpack(packed(copy)))).toEqual(await answersOf(lanes));
  });

  it("may be empty, or without any vector", async () => {
    const lanes = createMemoryLanes({ categorizer });
    expect(await answersOf(unpack(packed(lanes)))).toEqual(await answersOf(lanes));
    await lanes.replace(
      [],
      fileOf("a").map(({ vector: _vector, ...chunk }) => chunk),
    );
    expect(await answersOf(unpack(packed(lanes)))).toEqual(await answersOf(lanes));
  });
});

/** Unpacking damaged data always ends: it reads only inside its arrays and never loops forever. */
async function outcomeOf(arrays: PackedArrays): Promise<string> {
  try {
    const found = unpack(arrays);
    await answersOf(found);
    await found.replace(["src/a.ts"], fileOf("src/a.ts"));
    return "answered";
  } catch (error) {
    return error instanceof Error ? "refused" : String(error);
  }
}

describe("damaged packed lanes", () => {
  const lanes = createMemoryLanes({ categorizer });
  void lanes.replace([], fileOf("src/a.ts"));
  const names = [...packed(lanes).keys()];

  it.each(names)("is refused without %s", (name) => {
    const arrays = packed(lanes);
    arrays.delete(name);
    expect(() => unpack(arrays)).toThrow(DamagedArrays);
  });

  it.each(names)("is refused, or harmless, where %s is shorter, longer or other", async (name) => {
    const array = packed(lanes).get(name) as NumberArray;
    const longer = new (array.constructor as new (length: number) => NumberArray)(array.length + 1);
    const others = [array.subarray(1), array.subarray(0, -1), longer, array.map(() => -1)];
    others.push(
      array.map((value) => value + 1),
      array.map(() => 2 ** 30),
    );
    for (const other of others) {
      expect(await outcomeOf(packed(lanes).set(name, other))).toMatch(/^(?:answered|refused)$/);
    }
  });
});
