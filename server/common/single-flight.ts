/** Single flight: callers that arrive during a run share it. */

export class SingleFlight {
  readonly #task: () => Promise<void>;
  #running: Promise<void> | undefined;

  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Starts a run or joins the current one, and settles as it does. */
  run(): Promise<void> {
    this.#running ??= this.#task().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Settles as the current run. Resolves immediately if the task is idle. */
  async whenIdle(): Promise<void> {
    await this.#running;
  }
}
