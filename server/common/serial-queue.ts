/** Runs tasks one after the other, in the order of arrival. */

export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles as the task does. A failed task does not stop the queue. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const running = this.#last.then(task);
    this.#last = running.then(
      () => undefined,
      () => undefined,
    );
    return running;
  }
}
