/** A process that runs test files, and is replaced when one of them does not end. */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { TestAnswer, TestRequest } from "./run-tests.ts";

export class TestRunner {
  readonly #root: string;
  #child: ChildProcess | undefined;
  /** The source in which a fault was during the last run. */
  #changed: string | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** "too long" where the test did not end by itself. */
  async run(test: string, timeoutMs: number, changed?: string): Promise<TestAnswer | "too long"> {
    const child = await this.#started();
    const paths = [this.#changed, changed].filter((path) => path !== undefined);
    this.#changed = changed;
    const over = new AbortController();
    const { signal } = over;
    const ended = Promise.race([
      once(child, "message", { signal }).then(([answer]) => answer as TestAnswer),
      once(child, "exit", { signal }).then((): TestAnswer => ({ ok: false, ms: 0 })),
      delay(timeoutMs, "too long" as const, { signal }),
    ]);
    child.send({ test, changed: paths } satisfies TestRequest);
    const answer = await ended;
    over.abort();
    if (answer === "too long") this.close();
    if (child.exitCode !== null) this.#child = undefined;
    return answer;
  }

  /** With the processes that its tests have started. */
  close(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  }

  async #started(): Promise<ChildProcess> {
    if (this.#child !== undefined) return this.#child;
    const child = fork(join(import.meta.dirname, "run-tests.ts"), [this.#root], {
      execArgv: ["--import", "tsx"],
      env: { ...process.env, COCOSEARCH_TEST_BUILT: "1" },
      detached: true,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child = child;
    await once(child, "message");
    return child;
  }
}
