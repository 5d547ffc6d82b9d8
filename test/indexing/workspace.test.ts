/** The state machine of a workspace, driven by hand. */

import { expect, it, onTestFinished, vi } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { silent } from "../../server/common/log.ts";
import { type Changes, Workspace } from "../../server/indexing/workspace.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";

const FULL = { isFull: true, isForgetting: false, isReopening: false };
const NOTHING = { isFull: false, isForgetting: false, isReopening: false };
const DOWN = new Unavailable("the database is down", "start it");

function machine({ isEnabled = true } = {}) {
  const changed = vi.fn<() => void>();
  const workspace = new Workspace({ root: "/w", isEnabled, log: silent, changed });
  onTestFinished(() => workspace.close());
  return { workspace, changed };
}

/** The state with its reason and counts. */
const view = ({ state, reason, indexed, total }: Workspace) => ({ state, reason, indexed, total });

/** The next changes, or undefined if there are none yet. */
async function taken(workspace: Workspace): Promise<Changes | "waits" | undefined> {
  const next = workspace.next();
  return await Promise.race([next, soon("waits" as const)]);
}

const soon = <T>(value: T) =>
  new Promise<T>((resolve) => setImmediate(() => setImmediate(() => resolve(value))));

/** Whether a promise has settled, and how. */
async function fate(promise: Promise<unknown>): Promise<string> {
  const settled = promise.then(
    () => "resolved",
    (error: Error) => error.message,
  );
  return await Promise.race([settled, soon("pending")]);
}

/** A workspace whose first pass over three files has ended. */
async function ready() {
  const made = machine();
  await made.workspace.next();
  made.workspace.countAll(3);
  made.workspace.finish();
  made.workspace.succeeded();
  return made;
}

it("The first pass covers all files", async () => {
  const { workspace } = machine();
  expect(view(workspace)).toEqual({ state: "indexing", reason: undefined, indexed: 0, total: 0 });
  expect(await workspace.next()).toEqual({ ...FULL, paths: new Set() });
});

it("`whenIdle` resolves when all changes are searchable, and `next` then waits", async () => {
  const { workspace } = machine();
  await workspace.next();
  const idle = workspace.whenIdle();
  expect(await fate(idle)).toBe("pending");
  workspace.countAll(3);
  workspace.finish();
  expect(await fate(idle)).toBe("resolved");
  expect(await fate(workspace.whenIdle())).toBe("resolved");
  workspace.succeeded();
  expect(await taken(workspace)).toBe("waits");
});

it("`whenIdle` waits for changes that arrive during the pass", async () => {
  const { workspace } = machine();
  await workspace.next();
  workspace.touch(["a.py"]);
  workspace.finish();
  expect(await fate(workspace.whenIdle())).toBe("pending");
  const other = await ready();
  other.workspace.pause();
  other.workspace.resume();
  expect(await fate(other.workspace.whenIdle())).toBe("pending");
  expect(await other.workspace.next()).toEqual({ ...NOTHING, paths: new Set() });
});

it("A workspace is not idle during a pass", async () => {
  const { workspace } = await ready();
  const next = workspace.next();
  workspace.touch(["a.py"]);
  await next;
  expect(await fate(workspace.whenIdle())).toBe("pending");
});

it("Changes during a pass are queued for the next one", async () => {
  const { workspace } = await ready();
  workspace.touch(["a.py"]);
  expect(await workspace.next()).toEqual({ ...NOTHING, paths: new Set(["a.py"]) });
  expect(workspace.hasWork).toBe(false);
  workspace.touch(["b.py"]);
  workspace.touch(["c.py", "b.py"]);
  expect(workspace.hasWork).toBe(true);
  expect(await workspace.next()).toEqual({ ...NOTHING, paths: new Set(["b.py", "c.py"]) });
});

it("A refresh queues a full pass and keeps the queued paths", async () => {
  const { workspace } = await ready();
  workspace.touch(["a.py"]);
  workspace.refresh();
  expect(await workspace.next()).toEqual({ ...FULL, paths: new Set(["a.py"]) });
});

it("`degradeForNow` makes `next` return empty changes later", async () => {
  const { workspace } = await ready();
  const next = workspace.next();
  await soon(undefined);
  workspace.touch([]);
  expect(await next).toEqual({ ...NOTHING, paths: new Set() });
});

it.each([true, false])(
  "A restart queues a reopening pass (forgetting: %s)",
  async (isForgetting) => {
    const { workspace } = await ready();
    workspace.restart(isForgetting);
    expect(await workspace.next()).toMatchObject({ isFull: true, isReopening: true, isForgetting });
    expect(await taken(workspace)).toBe("waits");
  },
);

it("A second restart keeps the forgetting of the first", async () => {
  const { workspace } = await ready();
  workspace.restart(true);
  workspace.restart(false);
  expect(await workspace.next()).toMatchObject({ isForgetting: true });
});

it("Failed changes are queued again, together with newer ones", async () => {
  const { workspace } = await ready();
  workspace.restart(true);
  workspace.touch(["a.py"]);
  const changes = (await workspace.next()) as Changes;
  workspace.touch(["b.py"]);
  const idle = workspace.whenIdle();
  workspace.failed(DOWN, changes);
  expect(view(workspace)).toMatchObject({ state: "unavailable", reason: DOWN.message });
  expect(await fate(idle)).toBe(DOWN.message);
  const expected = { isFull: true, isReopening: true, isForgetting: true };
  expect(await workspace.next()).toEqual({ ...expected, paths: new Set(["a.py", "b.py"]) });
});

it("`whenIdle` rejects after a bug in indexing", async () => {
  const { workspace } = machine();
  const idle = workspace.whenIdle();
  workspace.failed(new Error("a bug"), (await workspace.next()) as Changes);
  expect(view(workspace)).toMatchObject({
    state: "degraded",
    reason: "indexing failed, will retry: a bug",
  });
  expect(await fate(idle)).toBe("indexing failed: see the log");
});

it("The backoff after a failure ends when a file changes", async () => {
  const { workspace } = machine();
  workspace.failed(DOWN, (await workspace.next()) as Changes);
  const next = workspace.next();
  expect(await fate(next)).toBe("pending");
  expect(await fate(workspace.whenIdle())).toBe("pending");
  workspace.touch(["a.py"]);
  expect(await next).toEqual({ ...FULL, paths: new Set(["a.py"]) });
});

it("While paused, `whenIdle` resolves once the stored index is searchable", async () => {
  const { workspace } = machine();
  await workspace.next();
  workspace.pause();
  const idle = workspace.whenIdle();
  expect(await fate(idle)).toBe("pending");
  workspace.opened();
  expect(await fate(idle)).toBe("resolved");
});

it("A pause is shown at once and resolves `whenIdle`", async () => {
  const { workspace, changed } = machine();
  await workspace.next();
  workspace.opened();
  const idle = workspace.whenIdle();
  workspace.pause();
  expect(workspace.state).toBe("paused");
  expect(changed).toHaveBeenCalled();
  expect(await fate(idle)).toBe("resolved");
  expect(await fate(workspace.whenIdle())).toBe("resolved");
});

it("A paused pass waits at its next file", async () => {
  const { workspace } = machine();
  await workspace.next();
  expect(await fate(workspace.whilePaused(workspace.signal))).toBe("resolved");
  workspace.pause();
  const gate = workspace.whilePaused(workspace.signal);
  expect(await fate(gate)).toBe("pending");
  workspace.touch(["a.py"]);
  expect(await fate(gate)).toBe("pending");
  workspace.resume();
  expect(await fate(gate)).toBe("resolved");
  expect(workspace.state).toBe("indexing");
});

it("The state stays paused while a pass begins and ends", async () => {
  const { workspace } = await ready();
  workspace.pause();
  for (const tell of ["begin", "beginFullPass", "finish"] as const) {
    workspace[tell]();
    expect(workspace.state).toBe("paused");
  }
});

it("A failure is shown during a pause", async () => {
  const { workspace } = machine();
  workspace.failed(DOWN, (await workspace.next()) as Changes);
  workspace.pause();
  expect(workspace.state).toBe("unavailable");
});

it("A halt cancels a paused pass", async () => {
  const { workspace } = await ready();
  workspace.pause();
  const gate = workspace.whilePaused(workspace.signal);
  workspace.halt("cleared");
  expect(workspace.signal.aborted).toBe(true);
  expect(await fate(gate)).toContain("aborted");
});

it("A halted workspace does nothing until a restart", async () => {
  const { workspace } = await ready();
  workspace.touch(["a.py"]);
  const changes = (await workspace.next()) as Changes;
  workspace.touch(["b.py"]);
  workspace.halt("cleared");
  const halted = { state: "paused", reason: "cleared", indexed: 0, total: 0 };
  expect(view(workspace)).toEqual(halted);
  // Reports of the cancelled pass are ignored.
  workspace.progress({ done: 1, total: 2, stored: 3 });
  workspace.begin();
  workspace.failed(new Error("aborted"), changes);
  workspace.touch(["c.py"]);
  workspace.refresh();
  workspace.pause();
  workspace.resume();
  const next = workspace.next();
  expect(await fate(next)).toBe("pending");
  expect(view(workspace)).toEqual(halted);
  expect(await fate(workspace.whenIdle())).toBe("resolved");
  workspace.restart(false);
  expect(await next).toEqual({ ...FULL, isReopening: true, paths: new Set() });
  workspace.begin();
  expect(workspace.state).toBe("indexing");
});

it("A closed workspace returns no changes and rejects `whenIdle`", async () => {
  const { workspace } = await ready();
  workspace.touch(["a.py"]);
  const changes = (await workspace.next()) as Changes;
  const idle = workspace.whenIdle();
  workspace.close();
  expect(workspace.signal.aborted).toBe(true);
  workspace.failed(new Error("aborted"), changes);
  expect(workspace.state).toBe("ready");
  expect(await workspace.next()).toBeUndefined();
  expect(await fate(idle)).toBe("the workspace was closed: open it again");
});

it("`close` ends the wait of `next`", async () => {
  const { workspace } = await ready();
  const next = workspace.next();
  expect(await fate(next)).toBe("pending");
  workspace.close();
  expect(await next).toBeUndefined();
});

it("`whenIdle` rejects when its signal aborts", async () => {
  const { workspace } = machine();
  const ending = new AbortController();
  const idle = workspace.whenIdle(ending.signal);
  ending.abort(new Error("enough"));
  expect(await fate(idle)).toBe("enough");
});

it("A small pass counts the other files as indexed", () => {
  const { workspace } = machine();
  workspace.progress({ done: 2, total: 10, stored: 0 });
  expect(view(workspace)).toMatchObject({ indexed: 2, total: 10 });
  workspace.progress({ done: 1, total: 4, stored: 100 });
  expect(view(workspace)).toMatchObject({ indexed: 97, total: 100 });
});

it("Exclusions are kept until `reconsider`", () => {
  const { workspace } = machine();
  const rules = () => [...workspace.excluded.values()].map(({ path, rule }) => `${path} ${rule}`);
  for (const path of ["a", "b", "c"]) workspace.exclude({ path, rule: "binary" });
  workspace.exclude({ path: "c", rule: "ignored" });
  workspace.reconsider(["a", "x"]);
  expect(rules()).toEqual(["b binary", "c ignored"]);
  workspace.beginFullPass();
  expect(rules()).toEqual([]);
});

it("`follow` and `showStored` give their reason", async () => {
  const { workspace } = machine({ isEnabled: false });
  workspace.showStored(7);
  const shown = { state: "paused", indexed: 7, total: 7 };
  expect(view(workspace)).toMatchObject({ ...shown, reason: expect.stringContaining("is off") });
  workspace.resume();
  expect(workspace.state).toBe("paused");
  workspace.follow(8);
  expect(view(workspace)).toMatchObject({ state: "ready", indexed: 8 });
  expect(workspace.reason).toContain("another engine");
});

it("Each change is reported once", async () => {
  const { workspace, changed } = await ready();
  changed.mockClear();
  workspace.finish();
  expect(changed).not.toHaveBeenCalled();
  workspace.degrade("no vectors");
  workspace.degrade("no vectors");
  expect(changed).toHaveBeenCalledTimes(1);
  workspace.degrade("still no vectors");
  expect(changed).toHaveBeenCalledTimes(2);
});

it("The time remaining is estimated only while indexing", async () => {
  const clock = vi.spyOn(performance, "now");
  onTestFinished(() => clock.mockRestore());
  const { workspace } = machine();
  await workspace.next();
  for (let second = 0; second <= 5; second++) {
    clock.mockReturnValue(second * 1_000);
    workspace.progress({ done: second * 10, total: 1_000, stored: 0 });
  }
  expect(workspace.leftMs).toBeGreaterThan(0);
  workspace.finish();
  expect(workspace.leftMs).toBeUndefined();
});

it("The shown counts never decrease over several passes", async () => {
  const { workspace } = await ready();
  workspace.touch(["a.py"]);
  await workspace.next();
  workspace.begin();
  workspace.progress({ done: 200, total: 245, stored: 245 });
  workspace.touch(["b.py"]);
  workspace.countAll(223);
  workspace.finish();
  expect(view(workspace)).toMatchObject({ state: "indexing", indexed: 200, total: 245 });
  workspace.succeeded();
  await workspace.next();
  workspace.begin();
  workspace.progress({ done: 0, total: 10, stored: 223 });
  expect(view(workspace)).toMatchObject({ state: "indexing", indexed: 213, total: 245 });
  workspace.countAll(223);
  workspace.finish();
  expect(view(workspace)).toMatchObject({ state: "ready", indexed: 223, total: 223 });
});

it("The counts restart with a pass after a finished one", async () => {
  const { workspace } = await ready();
  workspace.begin();
  workspace.progress({ done: 1, total: 2, stored: 2 });
  expect(view(workspace)).toMatchObject({ state: "indexing", indexed: 1, total: 2 });
});

leaveNothingBehind();
