/** The engine's lock, with real processes that race for it, hold it and die. */

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

/** Starts a process that tries to take the lock, prints whether it got it, and holds it until it is killed. */
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

it("takeLock does not take over a lock from another machine", () => {
  expect(afterChange((place) => (place["host"] = "elsewhere"))).toBe(false);
  expect(foreignHolder(folder)).toMatchObject({ host: "elsewhere", file: join(folder, "1") });
});

it.runIf(process.platform === "linux")(
  "takeLock does not take over a lock from another container",
  () => {
    expect(afterChange((place) => (place["pidNamespace"] = "pid:[1]"))).toBe(false);
  },
);

it("takeLock takes over from a dead process", () => {
  expect(afterChange(() => undefined)).toBe(true);
  expect(foreignHolder(folder)).toBeUndefined();
});

it.runIf(process.platform === "linux")("takeLock takes over after a restart of the machine", () => {
  const change = (place: Record<string, string>) => {
    place["boot"] = "before";
    place["pidNamespace"] = "pid:[1]";
  };
  expect(afterChange(change)).toBe(true);
});

it("One of ten processes that start together takes the lock", async () => {
  const claims = await Promise.all(Array.from({ length: 10 }, claimant));
  expect(claims.filter(({ got }) => got)).toHaveLength(1);
});

it("One of several processes takes over each time when the holder is killed", {
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

it("The lock is refused while it is held, and free after its release", () => {
  const lock = takeLock(folder);
  expect(takeLock(folder)).toBeUndefined();
  expect(isLocked(folder)).toBe(true);
  lock?.release();
  expect(isLocked(folder)).toBe(false);
  takeLock(folder)?.release();
});

it("keep takes the lock again if its file was deleted, unless another process was faster", async () => {
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

it("takeLock takes over from an empty or damaged file", () => {
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

it("endEngine ends a holder that is stopped", { tags: ["slow"] }, async () => {
  const { child } = await claimant();
  child.kill("SIGSTOP");
  const ended = once(child, "exit");
  expect(await endEngine({ lock: folder })).toBe(child.pid);
  await ended;
  expect(await endEngine({ lock: folder })).toBeUndefined();
});

it("endEngine does not end a holder on another machine", async () => {
  expect(afterChange((place) => (place["host"] = "elsewhere"))).toBe(false);
  await expect(endEngine({ lock: folder })).rejects.toThrow("elsewhere");
});
