/** Words counted by a worker: lanes built from them equal lanes built from the text, to the last bit. */

import { expect, it } from "vitest";
import type { Lanes } from "../../../server/contracts/lanes.ts";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { countFileTerms } from "../../../server/search/lanes/count-file-terms.ts";
import { createMemoryLanes } from "../../../server/search/lanes/memory-lanes.ts";
import { random } from "../../support/random.ts";
import { categorizer, chunkOf } from "../support.ts";

const chance = random(5);
const WORDS = [
  ..."requests requested user_id getUserById base foo HTTPServer2 _ $ a".split(" "),
  "\u00dcberpr\u00fcfung",
  "\u540d\u524d\u540d\u524d",
  "\ud800x",
  // The third is a separate word and not the compound of the first two.
  "data base database",
  "database",
  "foo foo",
];

function fileOf(path: string): StoredChunk[] {
  return Array.from({ length: 1 + chance.int(5) }, (_, i) => {
    const words = Array.from({ length: chance.int(60) }, () => chance.pick(WORDS));
    // 64 occurrences of a word are more than a byte can count.
    const text = [...words, ..."loop ".repeat(chance.chance(0.2) ? 90 : 0).split(" ")].join(" ");
    const options = { start: i * 1000, ...(i % 2 === 0 ? {} : { hierarchy: "Shop.cart items" }) };
    return chunkOf(path, text, `${chance.pick(WORDS)}:function`, options);
  });
}

function counted(chunks: readonly StoredChunk[]): StoredChunk[] {
  const file = countFileTerms(chunks[0]?.path ?? "", chunks);
  return chunks.map((chunk, i) => ({ ...chunk, text: "", terms: { file, chunk: i } }));
}

async function answersOf(lanes: Lanes): Promise<unknown[]> {
  const asked = [
    ...WORDS.flatMap((word) => word.split(" ")),
    "databases",
    "loop",
    "request",
    "shop",
    "cart",
    "ts",
    "src",
    "\ufffdx",
    "unheard",
  ];
  const answers: unknown[] = [];
  for (const word of asked) {
    answers.push(await lanes.keyword([word.toLowerCase()], { limit: 500 }), lanes.rarityOf(word));
  }
  return answers;
}

it("gives the lanes that the text gives, also where files are replaced and forms are mixed", async () => {
  const [plain, handed, mixed] = [0, 1, 2].map(() => createMemoryLanes({ categorizer }));
  for (let i = 0; i < 60; i++) {
    const path = `src/${chance.int(25)}-\u00e4Store.ts`;
    const chunks = chance.chance(0.1) ? [] : fileOf(path);
    await plain?.replace([path], chunks);
    await handed?.replace([path], counted(chunks));
    await mixed?.replace([path], i % 2 === 0 ? chunks : counted(chunks));
  }
  if (plain === undefined || handed === undefined || mixed === undefined) throw new Error("lanes");
  const expected = await answersOf(plain);
  expect(await answersOf(handed)).toEqual(expected);
  expect(await answersOf(mixed)).toEqual(expected);
});

it("hands over one buffer of some bytes a word", () => {
  const chunks = Array.from({ length: 40 }, (_, i) =>
    chunkOf("a.ts", `open the pool ${i} `.repeat(20)),
  );
  const { bytes, ...views } = countFileTerms("a.ts", chunks);
  for (const view of Object.values(views)) expect(view.buffer).toBe(bytes.buffer);
  expect(views.countEnds).toHaveLength(40);
  expect(views.ends.at(-1)).toBe(bytes.length);
  expect(views.lengths[0]).toBe(82);
});

it("counts a file without chunks, and a chunk without words", async () => {
  expect(countFileTerms("a.ts", []).counts).toHaveLength(0);
  const lanes = createMemoryLanes({ categorizer });
  await lanes.replace([], counted([chunkOf("", "...")]));
  expect(await lanes.keyword(["a"], { limit: 5 })).toEqual([]);
});

it("counts the same when more tokens came than it remembers", () => {
  const chunks = [chunkOf("a.ts", "requests of getUserById requests", "Pool:class")];
  const expected = countFileTerms("a.ts", chunks);
  const many = Array.from({ length: 100_000 }, (_, i) => `w${i}`).join(" ");
  countFileTerms("many.ts", [chunkOf("many.ts", many)]);
  expect(countFileTerms("a.ts", chunks)).toEqual(expected);
});
