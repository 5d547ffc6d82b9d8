/** The engine's lock, taken by real processes that race, hold, and die. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { endEngine } from "../../server/daemon/end-engine.ts";
import { foreignHolder, isLocked, takeLock } from "../../server/daemon/lock.ts";

const LOCK = resolve(import.meta.dirname, "../../dist/daemon/lock.js");

let folder: string;
let children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cocosearch-lock-"));
});

afterEach(async () => {
  await Promise.all(children.map(kill));
  children = [];
  rmSync(folder, { recursive: true });
});

/** A process that tries to take the lock, says whether it did, and holds it until it is killed. */
async function claimant(): Promise<{ child: ChildProcess; got: boolean }> {
  const program = `
    const { takeLock } = await import(${JSON.stringify(LOCK)});
    console.log(takeLock(${JSON.stringify(folder)}) ? "got" : "refused");
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return { child, got: said.toString().trim() === "got" };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** Takes and releases the lock, writes its file again with changes, and returns whether the lock can be taken. */
function afterChange(
  change: (place: Record<string, string>) => void,
  fields: object = { pid: 2 ** 22 + 1 },
): boolean {
  const lock = takeLock(folder);
  const file = join(folder, readdirSync(folder)[0] ?? "");
  const holder = JSON.parse(readFileSync(file, "utf8")) as { place: Record<string, string> };
  lock?.release();
  change(holder.place);
  writeFileSync(file, JSON.stringify({ ...holder, ...fields }));
  return takeLock(folder) !== undefined;
}

it("is not taken over from another machine, of whose processes nothing is known", () => {
  expect(afterChange((place) => (place["host"] = "elsewhere"))).toBe(false);
  expect(foreignHolder(folder)).toMatchObject({ host: "elsewhere", file: join(folder, "1") });
});

it.runIf(process.platform === "linux")("is not taken over from another container", () => {
  expect(afterChange((place) => (place["pidNamespace"] = "pid:[1]"))).toBe(false);
});

it("is taken over from a dead process", () => {
  expect(afterChange(() => undefined)).toBe(true);
  expect(foreignHolder(folder)).toBeUndefined();
});

it.runIf(process.platform === "linux")("is taken over after a restart of the machine", () => {
  const change = (place: Record<string, string>) => {
    place["boot"] = "before";
    place["pidNamespace"] = "pid:[1]";
  };
  expect(afterChange(change)).toBe(true);
});

it("is taken by one of ten processes that start at once", async () => {
  const claims = await Promise.all(Array.from({ length: 10 }, claimant));
  expect(claims.filter(({ got }) => got)).toHaveLength(1);
});

it("passes to one of several when its holder was killed, again and again", {
  tags: ["slow"],
}, async () => {
  let holder = await claimant();
  for (let round = 0; round < 5; round++) {
    await kill(holder.child);
    const claims = await Promise.all(Array.from({ length: 4 }, claimant));
    const winners = claims.filter(({ got }) => got);
    expect(winners).toHaveLength(1);
    holder = winners[0] as typeof holder;
  }
});

it("is refused while it is held, and free after its release", () => {
  const lock = takeLock(folder);
  expect(takeLock(folder)).toBeUndefined();
  expect(isLocked(folder)).toBe(true);
  lock?.release();
  expect(isLocked(folder)).toBe(false);
  takeLock(folder)?.release();
});

it("is taken again where its file was deleted, unless another process was sooner", async () => {
  const lock = takeLock(folder);
  expect(lock?.keep()).toBe(true);
  rmSync(join(folder, "1"));
  expect(lock?.keep()).toBe(true);
  expect(isLocked(folder)).toBe(true);
  rmSync(join(folder, "1"));
  const other = await claimant();
  expect(other.got).toBe(true);
  expect(lock?.keep()).toBe(false);
  lock?.release();
  expect(isLocked(folder)).toBe(true);
});

it("is taken over when a power loss left an empty or damaged file", () => {
  writeFileSync(join(folder, "3"), "");
  writeFileSync(join(folder, "4"), '{"pid":');
  const lock = takeLock(folder);
  expect(lock).toBeDefined();
  expect(readdirSync(folder)).toEqual(["5"]);
  lock?.release();
});

it.runIf(process.platform === "linux")(
  "takeLock takes over from a process id that another program has now",
  () => expect(afterChange(() => undefined, { pid: 1, startedAt: "other" })).toBe(true),
);

it("has its holder ended also where that one is stopped", { tags: ["slow"] }, async () => {
  const { child } = await claimant();
  child.kill("SIGSTOP");
  const ended = once(child, "exit");
  expect(await endEngine({ lock: folder })).toBe(child.pid);
  await ended;
  expect(await endEngine({ lock: folder })).toBeUndefined();
});

it("has no holder ended that lives elsewhere", async () => {
  expect(afterChange((place) => (place["host"] = "elsewhere"))).toBe(false);
  await expect(endEngine({ lock: folder })).rejects.toThrow("elsewhere");
});
