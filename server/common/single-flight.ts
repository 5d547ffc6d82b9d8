/** Runs a task at most once at a time. */

export class SingleFlight {
  readonly #task: () => Promise<void>;
  #running: Promise<void> | undefined;

  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Begins a run, or joins the one that there is; settles as it does. */
  run(): Promise<void> {
    this.#running ??= this.#task().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Settles as the run that there is; resolves at once where there is none. */
  async whenIdle(): Promise<void> {
    await this.#running;
  }
}
