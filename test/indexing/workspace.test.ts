/** The state machine of a workspace, driven by hand. */

import { expect, it, onTestFinished, vi } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { silent } from "../../server/common/log.ts";
import { type Changes, type PassEvent, Workspace } from "../../server/indexing/workspace.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";

const FULL = { isFull: true, isForgetting: false, isReopening: false };
const NOTHING = { isFull: false, isForgetting: false, isReopening: false };
const DOWN = new Unavailable("the database is down", "start it");
const BEGUN: PassEvent = { kind: "begun" };
const READY: PassEvent = { kind: "ready" };
const FAILED: PassEvent = { kind: "failed", error: DOWN };
const stored = (files: number): PassEvent => ({ kind: "stored", files });
const held = (reason: string): PassEvent => ({ kind: "degraded", reason, isRetriedSoon: false });

function progress(done: number, total: number, files: number, unchecked = 0): PassEvent {
  return { kind: "progress", done, total, read: done, stored: files, unchecked };
}

function machine({ isEnabled = true } = {}) {
  const changed = vi.fn<() => void>();
  const workspace = new Workspace({ root: "/w", isEnabled, log: silent, changed });
  onTestFinished(() => workspace.close());
  return { workspace, changed };
}

/** The state with its reason and counts. */
function view({ status: { state, reason, indexed, total } }: Workspace) {
  return { state, reason, indexed, total };
}

const changesOf = async (workspace: Workspace) => (await workspace.next())?.changes;

/** Starts the next pass and returns its signal. */
async function started(workspace: Workspace): Promise<AbortSignal> {
  const next = await workspace.next();
  if (next === undefined) throw new Error("closed");
  return next.signal;
}

/** The next changes, or "waits" if there are none yet. */
async function taken(workspace: Workspace): Promise<Changes | "waits" | undefined> {
  return await Promise.race([changesOf(workspace), soon("waits" as const)]);
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
  made.workspace.report(stored(3));
  made.workspace.report(READY);
  return made;
}

it("The first pass covers all files", async () => {
  const { workspace } = machine();
  expect(view(workspace)).toEqual({ state: "indexing", reason: undefined, indexed: 0, total: 0 });
  expect(await changesOf(workspace)).toEqual({ ...FULL, paths: new Set() });
});

it("`whenIdle` resolves when all changes are searchable, and `next` then waits", async () => {
  const { workspace } = machine();
  await workspace.next();
  const idle = workspace.whenIdle();
  expect(await fate(idle)).toBe("pending");
  workspace.report(stored(3));
  workspace.report(READY);
  expect(await fate(idle)).toBe("resolved");
  expect(await fate(workspace.whenIdle())).toBe("resolved");
  expect(await taken(workspace)).toBe("waits");
});

it("`whenIdle` waits for changes that arrive during the pass", async () => {
  const { workspace } = machine();
  await workspace.next();
  workspace.touch(["a.py"]);
  workspace.report(READY);
  expect(await fate(workspace.whenIdle())).toBe("pending");
  const other = await ready();
  other.workspace.pause();
  other.workspace.resume();
  expect(await fate(other.workspace.whenIdle())).toBe("pending");
  expect(await changesOf(other.workspace)).toEqual({ ...NOTHING, paths: new Set() });
});

it("`whenStored` does not wait for vectors", async () => {
  const { workspace } = machine();
  const first = workspace.whenStored();
  await workspace.next();
  workspace.report({ kind: "begun" });
  workspace.report(progress(1, 3, 1));
  workspace.report(stored(3));
  expect(await fate(first)).toBe("pending");
  workspace.report({ kind: "embedding", pending: 9 });
  expect(await fate(first)).toBe("resolved");
  expect(await fate(workspace.whenStored())).toBe("resolved");
  expect(await fate(workspace.whenIdle())).toBe("pending");
  workspace.touch(["a.py"]);
  const again = workspace.whenStored();
  workspace.report(READY);
  expect(await fate(again)).toBe("pending");
  await workspace.next();
  workspace.report(stored(3));
  workspace.report(READY);
  expect(await fate(again)).toBe("resolved");
});

it("`whenStored` does not wait for a pass that cannot continue", async () => {
  const ends: readonly ((workspace: Workspace) => void)[] = [
    (workspace) =>
      workspace.report({ kind: "failed", error: new Unavailable("it is down", "wait") }),
    (workspace) => workspace.report({ kind: "read-only", files: 3, isOff: false }),
    (workspace) => workspace.pause(),
    (workspace) => workspace.halt("it was cleared"),
    (workspace) => workspace.close(),
  ];
  for (const end of ends) {
    const { workspace } = machine();
    await workspace.next();
    const waiting = workspace.whenStored();
    expect(await fate(waiting)).toBe("pending");
    end(workspace);
    expect(await fate(waiting)).toBe("resolved");
    expect(await fate(workspace.whenStored())).toBe("resolved");
  }
});

it("A workspace is not idle during a pass", async () => {
  const { workspace } = await ready();
  const next = changesOf(workspace);
  workspace.touch(["a.py"]);
  await next;
  expect(await fate(workspace.whenIdle())).toBe("pending");
});

it("Changes during a pass are queued for the next one", async () => {
  const { workspace } = await ready();
  workspace.touch(["a.py"]);
  expect(await changesOf(workspace)).toEqual({ ...NOTHING, paths: new Set(["a.py"]) });
  expect(workspace.hasWork).toBe(false);
  workspace.touch(["b.py"]);
  workspace.touch(["c.py", "b.py"]);
  expect(workspace.hasWork).toBe(true);
  expect(await changesOf(workspace)).toEqual({ ...NOTHING, paths: new Set(["b.py", "c.py"]) });
});

it("A refresh queues a full pass and keeps the queued paths", async () => {
  const { workspace } = await ready();
  workspace.touch(["a.py"]);
  workspace.refresh();
  expect(await changesOf(workspace)).toEqual({ ...FULL, paths: new Set(["a.py"]) });
});

it("A pass without vectors is retried soon with empty changes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { workspace } = await ready();
  workspace.report({ kind: "degraded", reason: "no vectors", isRetriedSoon: true });
  const next = changesOf(workspace);
  expect(await fate(next)).toBe("pending");
  vi.advanceTimersByTime(5_000);
  expect(await next).toEqual({ ...NOTHING, paths: new Set() });
});

it.each([true, false])(
  "A restart queues a reopening pass (forgetting: %s)",
  async (isForgetting) => {
    const { workspace } = await ready();
    workspace.restart(isForgetting);
    expect(await changesOf(workspace)).toMatchObject({
      isFull: true,
      isReopening: true,
      isForgetting,
    });
    expect(await taken(workspace)).toBe("waits");
  },
);

it("A second restart keeps the forgetting of the first", async () => {
  const { workspace } = await ready();
  workspace.restart(true);
  workspace.restart(false);
  expect(await changesOf(workspace)).toMatchObject({ isForgetting: true });
});

it("Failed changes are queued again, together with newer ones", async () => {
  const { workspace } = await ready();
  workspace.restart(true);
  workspace.touch(["a.py"]);
  await workspace.next();
  workspace.touch(["b.py"]);
  const idle = workspace.whenIdle();
  workspace.report(FAILED);
  expect(view(workspace)).toMatchObject({ state: "unavailable", reason: DOWN.message });
  expect(await fate(idle)).toBe(DOWN.message);
  const expected = { isFull: true, isReopening: true, isForgetting: true };
  expect(await changesOf(workspace)).toEqual({ ...expected, paths: new Set(["a.py", "b.py"]) });
});

it("`whenIdle` rejects after a bug in indexing", async () => {
  const { workspace } = machine();
  const idle = workspace.whenIdle();
  await workspace.next();
  workspace.report({ kind: "failed", error: new Error("a bug") });
  expect(view(workspace)).toMatchObject({
    state: "degraded",
    reason: "indexing failed, will retry: a bug",
  });
  expect(await fate(idle)).toBe("indexing failed: see the log");
});

it("The backoff after a failure ends when a file changes", async () => {
  const { workspace } = machine();
  await workspace.next();
  workspace.report(FAILED);
  const next = changesOf(workspace);
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
  workspace.report({ kind: "opened", files: 2 });
  expect(await fate(idle)).toBe("resolved");
});

it("A pause is shown at once and resolves `whenIdle`", async () => {
  const { workspace, changed } = machine();
  await workspace.next();
  workspace.report({ kind: "opened", files: 2 });
  const idle = workspace.whenIdle();
  workspace.pause();
  expect(workspace.status.state).toBe("paused");
  expect(changed).toHaveBeenCalled();
  expect(await fate(idle)).toBe("resolved");
  expect(await fate(workspace.whenIdle())).toBe("resolved");
});

it("A paused pass waits at its next file", async () => {
  const { workspace } = machine();
  const signal = await started(workspace);
  expect(await fate(workspace.whilePaused(signal))).toBe("resolved");
  workspace.pause();
  const gate = workspace.whilePaused(signal);
  expect(await fate(gate)).toBe("pending");
  workspace.touch(["a.py"]);
  expect(await fate(gate)).toBe("pending");
  workspace.resume();
  expect(await fate(gate)).toBe("resolved");
  expect(workspace.status.state).toBe("indexing");
});

it("The state stays paused while a pass begins and ends", async () => {
  const { workspace } = await ready();
  workspace.pause();
  for (const event of [BEGUN, READY]) {
    workspace.report(event);
    expect(workspace.status.state).toBe("paused");
  }
});

it("A failure is shown during a pause", async () => {
  const { workspace } = machine();
  await workspace.next();
  workspace.report(FAILED);
  workspace.pause();
  expect(workspace.status.state).toBe("unavailable");
});

it("A halt cancels a paused pass", async () => {
  const { workspace } = machine();
  const signal = await started(workspace);
  workspace.pause();
  const gate = workspace.whilePaused(signal);
  workspace.halt("cleared");
  expect(signal.aborted).toBe(true);
  expect(await fate(gate)).toContain("aborted");
});

it("A halted workspace does nothing until a restart", async () => {
  const { workspace } = await ready();
  workspace.touch(["a.py"]);
  await workspace.next();
  workspace.touch(["b.py"]);
  workspace.halt("cleared");
  const halted = { state: "paused", reason: "cleared", indexed: 0, total: 0 };
  expect(view(workspace)).toEqual(halted);
  // Reports of the cancelled pass are ignored.
  workspace.report(progress(1, 2, 3));
  workspace.report(BEGUN);
  workspace.report({ kind: "failed", error: new Error("aborted") });
  workspace.touch(["c.py"]);
  workspace.refresh();
  workspace.pause();
  workspace.resume();
  const next = changesOf(workspace);
  expect(await fate(next)).toBe("pending");
  expect(view(workspace)).toEqual(halted);
  expect(await fate(workspace.whenIdle())).toBe("resolved");
  workspace.restart(false);
  expect(await next).toEqual({ ...FULL, isReopening: true, paths: new Set() });
  workspace.report(BEGUN);
  expect(workspace.status.state).toBe("indexing");
});

it("A closed workspace returns no changes and rejects `whenIdle`", async () => {
  const { workspace } = await ready();
  workspace.touch(["a.py"]);
  const signal = await started(workspace);
  const idle = workspace.whenIdle();
  workspace.close();
  expect(signal.aborted).toBe(true);
  workspace.report({ kind: "failed", error: new Error("aborted") });
  expect(workspace.status.state).toBe("ready");
  expect(await changesOf(workspace)).toBeUndefined();
  expect(await fate(idle)).toBe("the workspace was closed: open it again");
});

it("`close` ends the wait of `next`", async () => {
  const { workspace } = await ready();
  const next = changesOf(workspace);
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
  workspace.report(progress(2, 10, 0));
  expect(view(workspace)).toMatchObject({ indexed: 2, total: 10 });
  workspace.report(progress(1, 4, 100));
  expect(view(workspace)).toMatchObject({ indexed: 97, total: 100 });
});

it("An index of another engine and one without indexing give their reason", async () => {
  const { workspace } = machine({ isEnabled: false });
  workspace.report({ kind: "read-only", files: 7, isOff: true });
  const shown = { state: "paused", indexed: 7, total: 7 };
  expect(view(workspace)).toMatchObject({ ...shown, reason: expect.stringContaining("is off") });
  workspace.resume();
  expect(workspace.status.state).toBe("paused");
  workspace.report({ kind: "read-only", files: 8, isOff: false });
  expect(view(workspace)).toMatchObject({ state: "ready", indexed: 8 });
  expect(workspace.status.reason).toContain("another engine");
});

it("Each change is reported once", async () => {
  const { workspace, changed } = await ready();
  changed.mockClear();
  workspace.report(READY);
  expect(changed).not.toHaveBeenCalled();
  workspace.report(held("no vectors"));
  workspace.report(held("no vectors"));
  expect(changed).toHaveBeenCalledTimes(1);
  workspace.report(held("still no vectors"));
  expect(changed).toHaveBeenCalledTimes(2);
});

it("The time remaining is estimated only while indexing", async () => {
  const clock = vi.spyOn(performance, "now");
  onTestFinished(() => clock.mockRestore());
  const { workspace } = machine();
  await workspace.next();
  for (let second = 0; second <= 5; second++) {
    clock.mockReturnValue(second * 1_000);
    workspace.report(progress(second * 10, 1_000, 0));
  }
  expect(workspace.status.leftMs).toBeGreaterThan(0);
  workspace.report(READY);
  expect(workspace.status.leftMs).toBeUndefined();
});

it("The shown counts never decrease over several passes", async () => {
  const { workspace } = await ready();
  workspace.touch(["a.py"]);
  await workspace.next();
  workspace.report(BEGUN);
  workspace.report(progress(200, 245, 245));
  workspace.touch(["b.py"]);
  workspace.report(stored(223));
  workspace.report(READY);
  expect(view(workspace)).toMatchObject({ state: "indexing", indexed: 200, total: 245 });
  await workspace.next();
  workspace.report(BEGUN);
  workspace.report(progress(0, 10, 223));
  expect(view(workspace)).toMatchObject({ state: "indexing", indexed: 213, total: 245 });
  workspace.report(stored(223));
  workspace.report(READY);
  expect(view(workspace)).toMatchObject({ state: "ready", indexed: 223, total: 223 });
});

it("The counts restart with a pass after a finished one", async () => {
  const { workspace } = await ready();
  workspace.report(BEGUN);
  workspace.report(progress(1, 2, 2));
  expect(view(workspace)).toMatchObject({ state: "indexing", indexed: 1, total: 2 });
});

it("Files of a stored index are searched before they are compared with the files on disk", async () => {
  const { workspace } = machine();
  const counts = () => {
    const { indexed, searched, total } = workspace.status;
    return { indexed, searched, total };
  };
  await workspace.next();
  workspace.report({ kind: "opened", files: 9 });
  expect(counts()).toEqual({ indexed: 0, searched: 9, total: 9 });
  workspace.report(BEGUN);
  workspace.report(progress(0, 10, 9, 9));
  expect(counts()).toEqual({ indexed: 0, searched: 9, total: 10 });
  workspace.report(progress(7, 10, 9));
  expect(counts()).toEqual({ indexed: 7, searched: 7, total: 10 });
  workspace.report(stored(10));
  expect(counts()).toEqual({ indexed: 10, searched: 10, total: 10 });
});

leaveNothingBehind();
