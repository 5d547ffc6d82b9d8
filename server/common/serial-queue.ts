/** Runs tasks one after the other, in the order in which they were given. */

export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles as the task does. A task that fails does not keep the next one from starting. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const running = this.#last.then(task);
    this.#last = running.then(
      () => undefined,
      () => undefined,
    );
    return running;
  }
}
