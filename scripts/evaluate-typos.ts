/** Evaluates typo tolerance: searches for mistyped and abbreviated names of definitions and files, and counts how often the right one ranks first. */

import { resolve } from "node:path";
import { identifierPartsOf } from "../server/common/words.ts";
import type { Hit } from "../server/contracts/model.ts";
import type { Session } from "../server/contracts/session.ts";
import { QUESTIONS } from "./bench/questions.ts";
import { percentile } from "./bench/statistics.ts";
import { folderOptions } from "./evaluation/folder-options.ts";
import { createRandom } from "./evaluation/random.ts";
import { openSession } from "./evaluation/server.ts";

const USAGE = "usage: npm run evaluate-typos -- FOLDER... --home DIR [--count N]";

/** Shorter names have other names one letter apart. */
const MIN_LENGTH = 8;

type Slip = (name: string, random: () => number) => string | undefined;

const SLIPS: Readonly<Record<string, Slip>> = {
  drop: (name, random) => {
    const at = placeIn(name, random);
    return name.slice(0, at) + name.slice(at + 1);
  },
  swap: (name, random) => {
    const at = placeIn(name, random);
    const swapped = `${name.slice(0, at)}${name[at + 1] ?? ""}${name[at] ?? ""}${name.slice(at + 2)}`;
    return swapped === name ? undefined : swapped;
  },
  double: (name, random) => {
    const at = placeIn(name, random);
    return name.slice(0, at) + name.slice(at - 1);
  },
  case: (name) => (name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase()),
  separators: (name) => {
    const parts = identifierPartsOf(name);
    if (parts.length < 2) return undefined;
    return name.includes("_") ? parts.join("") : parts.join("_");
  },
};

/** The beginnings of the words of a name: `getUserById` -> getUsById. */
const halfRemembered: Slip = (name) => {
  const parts = identifierPartsOf(name);
  if (parts.length < 2 || parts.join("").length < 10) return undefined;
  return parts.map((part) => (part.length > 5 ? part.slice(0, 4) : part)).join("");
};

async function main(): Promise<number> {
  const options = folderOptions(USAGE, 300);
  if (options === undefined) return 2;
  const { folders, home, count } = options;
  const session = openSession(home);
  const each = Math.ceil(count / folders.length);
  const tallies = new Map<string, Tally>();
  for (const folder of folders.map((name) => resolve(name))) {
    await session.openFolders([folder]);
    await session.whenIdle();
    const { indexes } = await session.status();
    console.log(`${folder}: ${indexes[0]?.chunks} chunks`);
    const { names, paths } = await namesIn(session);
    const random = createRandom(1);
    const ask = async (kind: string, query: string, isRight: (hit: Hit) => boolean) => {
      const start = performance.now();
      const { hits } = await session.search({ query, limit: 5 });
      const tally = tallies.get(kind) ?? { asked: 0, first: 0, inFive: 0, ms: [], laneMs: [] };
      tallies.set(kind, tally);
      tally.asked++;
      tally.ms.push(performance.now() - start);
      const { stages } = await session.analyze({ query, limit: 5 });
      tally.laneMs.push(stages.find(({ name }) => name === "correct")?.ms ?? 0);
      const [first] = hits;
      if (hits.some(isRight)) tally.inFive++;
      if (first !== undefined && isRight(first)) tally.first++;
      else console.error(`${kind}: ${query} -> ${first?.symbol?.name ?? first?.path ?? "nothing"}`);
    };
    const kinds = Object.keys(SLIPS);
    for (let i = 0, asked = 0; asked < each && i < names.length; i++) {
      const name = names[i] ?? "";
      const kind = kinds[asked % kinds.length] ?? "drop";
      const slipped = SLIPS[kind]?.(name, random);
      if (slipped === undefined || names.includes(slipped)) continue;
      await ask(kind, slipped, (hit) => defines(hit, name));
      asked++;
      const half = halfRemembered(name, random);
      if (half !== undefined && half !== name.toLowerCase())
        await ask("half remembered", half, (hit) => defines(hit, name));
    }
    for (const path of paths.slice(0, Math.ceil(each / 3))) {
      const file = path.slice(path.lastIndexOf("/") + 1);
      const slipped = SLIPS["swap"]?.(file, random) ?? file;
      await ask("file", slipped, (hit) => hit.path.endsWith(file));
    }
  }
  await session.dispose();
  print(tallies);
  return 0;
}

interface Tally {
  asked: number;
  first: number;
  inFive: number;
  /** Times of the whole search, and of the correction of the name. */
  readonly ms: number[];
  readonly laneMs: number[];
}

/** Typos spare the first letters, which people remember, and the extension. */
function placeIn(name: string, random: () => number): number {
  const dot = name.lastIndexOf(".");
  const end = dot > 0 ? dot : name.length;
  return 2 + Math.floor(random() * (end - 4));
}

function defines({ symbol, symbols = [] }: Hit, name: string): boolean {
  return [...(symbol === undefined ? [] : [symbol]), ...symbols].some(
    (each) => lastOf(each.name) === name,
  );
}

function lastOf(name: string): string {
  return name.split(/[^\p{L}\p{N}_$]+/u).at(-1) ?? "";
}

/** Names and files of what the questions find; a name that differs from another one by its case only is left out. */
async function namesIn(session: Session): Promise<{ names: string[]; paths: string[] }> {
  const names = new Map<string, string>();
  const paths = new Map<string, string>();
  for (const query of QUESTIONS) {
    const { hits } = await session.search({ query, limit: 50 });
    for (const { symbol, path } of hits) {
      const name = lastOf(symbol?.name ?? "");
      if (name.length >= MIN_LENGTH && !names.has(identifierPartsOf(name).join(""))) {
        names.set(identifierPartsOf(name).join(""), name);
      }
      const file = path.slice(path.lastIndexOf("/") + 1);
      if (file.lastIndexOf(".") >= MIN_LENGTH) paths.set(file, path);
    }
  }
  return { names: [...names.values()], paths: [...paths.values()] };
}

function print(tallies: ReadonlyMap<string, Tally>): void {
  let asked = 0;
  let first = 0;
  for (const [kind, tally] of tallies) {
    const lane = [0.5, 0.95, 1].map((share) => percentile(tally.laneMs, share).toFixed(1));
    console.log(
      `${kind}: ${tally.first} of ${tally.asked} first, ${tally.inFive} in the first five, ${percentile(tally.ms, 0.5).toFixed(1)} ms,` +
        ` including ${lane.join(" / ")} ms to find the name (p50 / p95 / longest)`,
    );
    if (!(kind in SLIPS)) continue;
    asked += tally.asked;
    first += tally.first;
  }
  console.log(
    `typos: ${first} of ${asked} first (${((100 * first) / Math.max(1, asked)).toFixed(1)} %)`,
  );
}

process.exitCode = await main();
