/** An engine that answers nothing, because it is stopped or busy for ever: it is named, and one command replaces it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { MAIN, testEngine } from "../support/engine.ts";
import { isRunning, startServer } from "../support/lsp-client.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { workspace } from "../support/workspace.ts";

/** The signal that hangs an engine into which this was loaded. */
const SPIN = resolve(import.meta.dirname, "../support/spin-on-signal.cjs");

async function run(env: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { code: child.exitCode, out, err };
}

function killIfRunning(pid: number): void {
  if (isRunning(pid)) process.kill(pid, "SIGKILL");
}

it("is named when it is stopped or busy for ever, and replaced by doctor --restart", async () => {
  // At the same time, as each waits until the engine counts as hung.
  await Promise.all((["SIGSTOP", "SIGUSR2"] as const).map(checkHung));
});

async function checkHung(signal: NodeJS.Signals): Promise<void> {
  const engine = testEngine({ NODE_OPTIONS: `--require=${SPIN}` });
  onTestFinished(() => engine.dispose());
  const root = workspace(SMALL_SHOP);
  const client = startServer(engine.env);
  onTestFinished(() => void client.child.kill("SIGKILL"));
  await client.initialize(root);
  await client.progressEnded();
  const session = engine.session();
  const hung = (await session.status()).engine.pid;
  onTestFinished(() => killIfRunning(hung));
  process.kill(hung, signal);

  const waiting = client.search("open a pool");
  const refused = await run(engine.env, "search", "pool", "--root", root);
  expect(refused).toEqual({
    code: 3,
    out: "",
    err: `error: the engine (process ${hung}) does not answer\nrun cocosearch-lsp doctor --restart, which ends it and starts another\n`,
  });

  const restarted = await run(engine.env, "doctor", "--restart", "--root", root);
  expect(restarted).toMatchObject({ code: 0, err: `stopped the engine, process ${hung}\n` });
  expect(isRunning(hung)).toBe(false);
  expect((await session.status()).engine.pid).not.toBe(hung);
  // Where the new engine takes longer to open its database than a search waits, the answer says so.
  const { hits, state } = await waiting;
  expect(hits[0]?.symbol?.name ?? state).toMatch(/^(?:open_pool|indexing)$/);
  await client.searchUntil("open a pool", ({ symbol }) => symbol?.name === "open_pool");
}

it("`doctor --restart` does nothing if no engine runs", async () => {
  const engine = testEngine();
  onTestFinished(() => engine.dispose());
  const { code, err } = await run(
    engine.env,
    "doctor",
    "--restart",
    "--root",
    workspace("//- .git/HEAD\n"),
  );
  expect({ code, err }).toEqual({ code: 0, err: "no engine was running\n" });
});
