/** A stress test: several editors change and search one repository at full speed; every answer is checked against a model of the files. */

import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Editor, openEditor } from "../editor.ts";
import { ended, indexed } from "../evaluation/server.ts";
import { percentile, rounded } from "./statistics.ts";
import { Buffers } from "./stress/buffers.ts";
import { type Definition, Model } from "./stress/model.ts";
import { usageOf } from "./usage.ts";

const USAGE = `usage: node --import tsx scripts/bench/stress.ts [--minutes N] [--files N] [--editors N] [--seed N]
  (default: 20 minutes, 2000 files, 4 editors, seed 1)`;

const ACT_EVERY_MS = 300;
const ASK_EVERY_MS = 400;
const SWITCH_EVERY_MS = 60_000;
const SAMPLE_EVERY_MS = 10_000;
/** An answer must be right after this time; the time until it is right is measured separately. */
const SETTLED_MS = 10_000;
/** A change that is not found after this time is an error. */
const MAX_STALE_MS = 60_000;
const ENGINE_IDLE_SECONDS = 2;

interface Found {
  readonly hits: readonly {
    readonly location: { uri: string };
    readonly symbol?: { name: string };
  }[];
}

interface Tally {
  asked: number;
  readonly wrong: string[];
  /** From a change on disk until it was found. */
  readonly seenMs: number[];
}

interface Options {
  readonly minutes: number;
  readonly files: number;
  readonly editors: number;
  readonly seed: number;
}

/** Memory of each process and size of the store at one moment, in MB. */
interface Sample {
  readonly memory: readonly number[];
  readonly store: number;
}

function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "20" },
      files: { type: "string", default: "2000" },
      editors: { type: "string", default: "4" },
      seed: { type: "string", default: "1" },
    },
  });
  const options = {
    minutes: Number(values.minutes),
    files: Number(values.files),
    editors: Number(values.editors),
    seed: Number(values.seed),
  };
  return Object.values(options).every((n) => n > 0) ? options : undefined;
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) {
    console.error(USAGE);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-stress-"));
  const home = join(folder, "home");
  const model = new Model(join(folder, "repository"), options.seed);
  model.create(options.files);
  const editors = await Promise.all(
    Array.from({ length: options.editors }, () =>
      openEditor(model.root, home, ENGINE_IDLE_SECONDS),
    ),
  );
  const { engine } = await indexed((editors[0] as Editor).connection, model.root);
  const tally: Tally = { asked: 0, wrong: [], seenMs: [] };
  const samples = await work(options, editors, engine.pid, model, home, tally);
  await delay(SETTLED_MS);
  const checked = await checkAll(editors[0] as Editor, model, tally);
  console.log(JSON.stringify({ ...options, ...summary(model, tally), checkedAtTheEnd: checked }));
  plot(samples);
  for (const { close } of editors) await close();
  await ended(engine.pid);
  rmSync(folder, { recursive: true });
  return tally.wrong.length === 0 ? 0 : 1;
}

/** Everything at once, until the time is over. */
async function work(
  { minutes }: Options,
  editors: readonly Editor[],
  enginePid: number,
  model: Model,
  home: string,
  tally: Tally,
): Promise<readonly Sample[]> {
  const pids = [...editors.map(({ serverPid }) => serverPid), enginePid];
  const until = performance.now() + minutes * 60_000;
  const running = () => performance.now() < until;
  const buffers = editors.map((editor) => new Buffers(editor.connection, model));
  const samples: Sample[] = [];
  await Promise.all([
    change(model, buffers, running),
    watch(editors, model, tally, running),
    ...editors.map((editor, i) => ask(editor, buffers[i], model, tally, running)),
    sample(pids, home, samples, running),
  ]);
  for (const each of buffers) await each.closeAll();
  return samples;
}

function summary(model: Model, { asked, wrong, seenMs }: Tally) {
  return {
    changes: model.changes,
    switches: model.switches,
    asked,
    wrong: wrong.length,
    examples: wrong.slice(0, 5),
    seenMs: {
      p50: rounded(percentile(seenMs, 0.5)),
      p95: rounded(percentile(seenMs, 0.95)),
      max: rounded(Math.max(...seenMs)),
    },
  };
}

/** Edits, creations, removals, renames, unsaved text, and now and then another branch. */
async function change(
  model: Model,
  buffers: readonly Buffers[],
  running: () => boolean,
): Promise<void> {
  let switchAt = performance.now() + SWITCH_EVERY_MS;
  while (running()) {
    if (performance.now() > switchAt) {
      for (const each of buffers) await each.closeAll();
      model.switchBranch();
      switchAt = performance.now() + SWITCH_EVERY_MS;
    } else if (model.random() < 0.2) {
      await model.pick(buffers)?.typeOrClose(buffers);
    } else {
      const isOpen = (path: string) => buffers.some((each) => each.isOpen(path));
      model.changeOne(isOpen);
    }
    await delay(ACT_EVERY_MS);
  }
}

/** How soon a change on disk is found, one after the other. */
async function watch(
  editors: readonly Editor[],
  model: Model,
  tally: Tally,
  running: () => boolean,
): Promise<void> {
  while (running()) {
    const editor = model.pick(editors);
    const fresh = model.newest();
    if (editor === undefined || fresh === undefined) {
      await delay(ACT_EVERY_MS);
      continue;
    }
    while (model.isCurrent(fresh) && !(await finds(editor, fresh, model.root))) {
      if (performance.now() - fresh.since > MAX_STALE_MS) {
        tally.wrong.push(`${fresh.name} in ${fresh.path} is not found after a minute`);
        break;
      }
      await delay(50);
    }
    if (model.isCurrent(fresh)) tally.seenMs.push(performance.now() - fresh.since);
  }
}

/** Definitions that have not changed for a while must be found in their files, and removed ones must not be found. */
async function ask(
  editor: Editor,
  buffers: Buffers | undefined,
  model: Model,
  tally: Tally,
  running: () => boolean,
): Promise<void> {
  while (running()) {
    await delay(ASK_EVERY_MS);
    const before = performance.now() - SETTLED_MS;
    const wanted = model.pick([
      ...model.whenIdle(before, (path) => buffers?.isOpen(path) === true),
      ...(buffers?.whenIdle(before) ?? []),
    ]);
    if (wanted !== undefined) {
      const isFound = await finds(editor, wanted, model.root);
      const isStill = model.isCurrent(wanted) || buffers?.isCurrent(wanted) === true;
      if (isStill) note(tally, isFound, `${wanted.name} of ${wanted.path} is not found`);
    }
    const gone = model.pick(model.gone(before));
    if (gone !== undefined) {
      const { hits } = await search(editor, gone);
      if (!model.has(gone))
        note(tally, !hits.some(({ symbol }) => symbol?.name === gone), `${gone} is found and gone`);
    }
  }
}

async function checkAll(editor: Editor, model: Model, tally: Tally): Promise<number> {
  const all = model.whenIdle(Number.POSITIVE_INFINITY, () => false);
  for (const each of all)
    note(
      tally,
      await finds(editor, each, model.root),
      `at the end ${each.name} of ${each.path} is not found`,
    );
  return all.length;
}

function note(tally: Tally, isRight: boolean, sentence: string): void {
  tally.asked++;
  if (!isRight) tally.wrong.push(sentence);
}

function search({ connection }: Editor, query: string): Promise<Found> {
  return connection.sendRequest("cocosearch/search", { query, limit: 5 });
}

async function finds(editor: Editor, { name, path }: Definition, root: string): Promise<boolean> {
  const { hits } = await search(editor, name);
  const [hit] = hits;
  return (
    hit?.symbol?.name === name &&
    decodeURIComponent(new URL(hit.location.uri).pathname) === join(root, path)
  );
}

async function sample(
  pids: readonly number[],
  home: string,
  samples: Sample[],
  running: () => boolean,
): Promise<void> {
  while (running()) {
    samples.push({
      memory: pids.map((pid) => usageOf(pid).memoryMb ?? 0),
      store: sizeOf(home) / 1e6,
    });
    await delay(SAMPLE_EVERY_MS);
  }
}

function sizeOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    try {
      bytes += entry.isDirectory() ? sizeOf(path) : statSync(path).size;
    } catch {
      // Gone meanwhile.
    }
  }
  return bytes;
}

/** A line a process: its memory over time, lowest to highest, and the figures in MB. */
function plot(samples: readonly Sample[]): void {
  const lines = [
    ...(samples[0]?.memory ?? []).map((_, i, all) => ({
      name: i === all.length - 1 ? "engine" : `server ${i + 1}`,
      values: samples.map(({ memory }) => memory[i] ?? 0),
    })),
    { name: "store", values: samples.map(({ store }) => store) },
  ];
  const bars = "▁▂▃▄▅▆▇█";
  for (const { name, values } of lines) {
    const step = Math.max(1, Math.floor(values.length / 60));
    const kept = values.filter((_, i) => i % step === 0);
    const [low, high] = [Math.min(...kept), Math.max(...kept)];
    const bar = kept
      .map((value) => bars[Math.min(7, Math.floor((8 * (value - low)) / (high - low || 1)))])
      .join("");
    console.log(
      `${name.padEnd(9)} ${bar} ${low.toFixed(0)} to ${high.toFixed(0)} MB, last ${kept.at(-1)?.toFixed(0)}`,
    );
  }
}

process.exitCode = await main();
