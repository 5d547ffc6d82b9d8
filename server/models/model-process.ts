/** The engine's end of the process of one model: starts it on demand, queues jobs, and ends it when it is idle. */

import { type ChildProcess, fork } from "node:child_process";
import { messageOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { orAborted } from "../common/or-aborted.ts";
import { ProviderError } from "../transport/http.ts";
import { firstLine } from "./library.ts";
import type { FromModel, Job, JobMessage } from "./protocol.ts";

/** Loading takes 0.2 s for 23 MB from memory, and minutes for gigabytes from a slow disk. */
const LOAD_MS = 120_000;
/** One text takes 20 ms to seconds. A process that takes this long hangs. */
const JOB_MS = 60_000;
/** Delays after a process that ended by itself, doubled each time until an answer comes. */
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
/** The last characters of the process's stderr are kept for messages. */
const KEPT_OUTPUT = 1_000;

interface ModelProcessOptions {
  readonly name: string;
  /** The program, as dist/models/runner.js. */
  readonly runner: string;
  readonly folder: string;
  readonly runtime: string;
  readonly threads: number;
  /** An idle process ends after this time, which frees its memory. */
  readonly idleMs: number;
  readonly log: Log;
  /** Tests pass a shorter one. */
  readonly firstDelayMs?: number;
}

interface Waiting {
  readonly job: Job;
  /** Once it is aborted, the answer is not needed. */
  readonly signal: AbortSignal | undefined;
  readonly resolve: (answer: FromModel) => void;
  readonly reject: (error: unknown) => void;
}

export class ModelProcess {
  readonly #options: ModelProcessOptions;
  #child: ChildProcess | undefined;
  #isReady = false;
  #output = "";
  readonly #urgent: Waiting[] = [];
  readonly #normal: Waiting[] = [];
  #running: Waiting | undefined;
  #id = 0;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #notBefore = 0;

  constructor(options: ModelProcessOptions) {
    this.#options = options;
  }

  /** Undefined while no process runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Urgent jobs go first. Rejects like the methods of LocalModels. */
  async ask(job: Job, isUrgent: boolean, signal: AbortSignal | undefined): Promise<FromModel> {
    signal?.throwIfAborted();
    const answer = new Promise<FromModel>((resolve, reject) => {
      const queue = isUrgent ? this.#urgent : this.#normal;
      queue.push({ job, signal, resolve, reject });
      this.#next();
    });
    return await (signal === undefined ? answer : orAborted(answer, signal));
  }

  close(): void {
    this.#child?.removeAllListeners();
    this.#child?.kill();
    this.#forget(new ProviderError("its process was ended", {}));
  }

  #next(): void {
    if (this.#running !== undefined) return;
    for (const queue of [this.#urgent, this.#normal]) {
      while (queue[0]?.signal?.aborted === true) queue.shift();
    }
    if (this.#urgent.length + this.#normal.length === 0) {
      if (this.#isReady) this.#limit(this.#options.idleMs, () => this.close());
      return;
    }
    if (this.#child === undefined) this.#start();
    if (!this.#isReady || this.#child === undefined) return;
    const waiting = this.#urgent.shift() ?? this.#normal.shift();
    if (waiting === undefined) return;
    this.#running = waiting;
    this.#limit(JOB_MS, () => this.#end("no answer within a minute"));
    const message: JobMessage = { id: ++this.#id, job: waiting.job };
    this.#child.send(message);
  }

  #start(): void {
    const now = performance.now();
    if (now < this.#notBefore) {
      const retryAfterMs = this.#notBefore - now;
      const seconds = Math.ceil(retryAfterMs / 1000);
      const failure = `its process ended, and is started again in ${seconds} s`;
      this.#rejectAll(new ProviderError(failure, { retryAfterMs }));
      return;
    }
    const { runner, folder, runtime, threads } = this.#options;
    const child = fork(runner, [folder, runtime, String(threads)], {
      execArgv: [],
      env: environment(process.env),
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child = child;
    this.#output = "";
    child.unref();
    child.channel?.unref();
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#output = `${this.#output}${text}`.slice(-KEPT_OUTPUT);
    });
    child.on("message", (message) => this.#receive(message as FromModel));
    child.on("error", (error) => this.#end(messageOf(error)));
    child.on("exit", (code, signal) =>
      this.#end(`its process ended (${signal ?? `code ${code}`})`),
    );
    this.#limit(LOAD_MS, () => this.#end("it was not loaded within two minutes"));
  }

  #receive(message: FromModel): void {
    if (message.kind === "unusable") {
      this.#child?.removeAllListeners();
      this.#forget(new Unavailable(message.what, message.remedy));
      return;
    }
    if (message.kind === "ready") {
      this.#isReady = true;
    } else {
      this.#failures = 0;
      const waiting = this.#running;
      this.#running = undefined;
      if (message.kind === "failed") waiting?.reject(this.#refusal(message.message));
      else waiting?.resolve(message);
    }
    this.#next();
  }

  /** The model itself works, and refuses this text: asking again would not help. */
  #refusal(message: string): Unavailable {
    const { name } = this.#options;
    const remedy = "take another model, and see server/docs/models.md";
    return new Unavailable(`the model ${name} failed (${message})`, remedy);
  }

  /** After a crash, or a process that does not answer. */
  #end(reason: string): void {
    const { name, log, firstDelayMs = FIRST_DELAY_MS } = this.#options;
    const said = firstLine(this.#output.trim());
    const message = said === "" ? reason : `${reason}: ${said}`;
    log.warn("the process of a local model ended", { model: name, reason: message });
    const delay = Math.min(MAX_DELAY_MS, firstDelayMs * 2 ** this.#failures++);
    this.#notBefore = performance.now() + delay;
    this.#child?.removeAllListeners();
    this.#child?.kill("SIGKILL");
    this.#forget(new ProviderError(message, {}));
  }

  #forget(error: Error): void {
    clearTimeout(this.#timer);
    this.#child = undefined;
    this.#isReady = false;
    this.#rejectAll(error);
  }

  #rejectAll(error: Error): void {
    const all = [this.#running, ...this.#urgent.splice(0), ...this.#normal.splice(0)];
    this.#running = undefined;
    for (const waiting of all) waiting?.reject(error);
  }

  /** One limit at a time: loading, a job, or being idle. */
  #limit(ms: number, late: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(late, ms).unref();
  }
}

/** The variables that a program needs to start, without the user's keys and tokens. */
function environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ["PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR", "LD_LIBRARY_PATH"];
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}
