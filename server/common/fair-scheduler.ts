/** Fair scheduling: limits how many jobs run at once, and lets the owner that has used the least time run next. */

interface Owner {
  /** Time of its finished jobs in milliseconds. A new owner starts with the least time of any present owner. */
  usedMs: number;
  running: number;
  /** Starts each waiting job, in order of arrival. */
  readonly waiting: (() => void)[];
}

/** The handle of a running job. */
interface Slot {
  /** Charges time to the owner of the job. */
  use(ms: number): void;
}

export class FairScheduler {
  readonly #maxRunning: number;
  /** Owners with running or waiting jobs, by name. */
  readonly #owners = new Map<string, Owner>();
  #running = 0;
  #isScheduled = false;

  /** At most `maxRunning` jobs run at once. */
  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  /** The number of running and waiting jobs. */
  get size(): number {
    let waiting = 0;
    for (const owner of this.#owners.values()) waiting += owner.waiting.length;
    return this.#running + waiting;
  }

  /** Runs a job when the scheduler selects it. Jobs of one owner run in order of arrival. */
  async during<T>(name: string, run: (slot: Slot) => Promise<T>): Promise<T> {
    const owner = this.#ownerOf(name);
    await new Promise<void>((begin) => {
      owner.waiting.push(begin);
      this.#startJobsSoon();
    });
    try {
      return await run({
        use: (ms) => {
          owner.usedMs += ms;
        },
      });
    } finally {
      owner.running--;
      this.#running--;
      this.#startJobsSoon();
    }
  }

  /** Deferred, because several jobs may end at once and their owners may queue new ones in the same turn of the event loop. */
  #startJobsSoon(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      for (const [name, { running, waiting }] of this.#owners)
        if (running + waiting.length === 0) this.#owners.delete(name);
      this.#startJobs();
    });
  }

  #ownerOf(name: string): Owner {
    const known = this.#owners.get(name);
    if (known !== undefined) return known;
    const used = [...this.#owners.values()].map(({ usedMs }) => usedMs);
    const owner = { usedMs: used.length === 0 ? 0 : Math.min(...used), running: 0, waiting: [] };
    this.#owners.set(name, owner);
    return owner;
  }

  #startJobs(): void {
    while (this.#running < this.#maxRunning) {
      const next = this.#nextOwner();
      const begin = next?.waiting.shift();
      if (next === undefined || begin === undefined) return;
      next.running++;
      this.#running++;
      begin();
    }
  }

  /** The waiting owner that has used the least time; of equals, the one with fewer running jobs. */
  #nextOwner(): Owner | undefined {
    let best: Owner | undefined;
    for (const owner of this.#owners.values()) {
      if (owner.waiting.length === 0) continue;
      if (best === undefined || hasPriority(owner, best)) best = owner;
    }
    return best;
  }
}

function hasPriority(a: Owner, b: Owner): boolean {
  return a.usedMs < b.usedMs || (a.usedMs === b.usedMs && a.running < b.running);
}
