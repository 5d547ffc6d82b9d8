/** Fair scheduling: limits how many jobs run at once, and lets the owner that has used the least time run next. */

interface Owner {
  /** Time of its finished jobs in milliseconds. A new owner starts with the least time of any present owner. */
  usedMs: number;
  running: number;
  /** Starts each waiting job, in order of arrival. */
  readonly waiting: (() => void)[];
}

/** Given to a running job. */
interface Place {
  /** Charges time to the owner of the job. */
  use(ms: number): void;
}

export class FairScheduler {
  readonly #width: number;
  /** Owners with running or waiting jobs, by name. */
  readonly #owners = new Map<string, Owner>();
  #running = 0;
  #isFilling = false;

  /** At most `width` jobs run at once. */
  constructor(width: number) {
    this.#width = width;
  }

  /** The number of running and waiting jobs. */
  get size(): number {
    let waiting = 0;
    for (const owner of this.#owners.values()) waiting += owner.waiting.length;
    return this.#running + waiting;
  }

  /** Runs a job when its turn comes. Jobs of one owner run in order of arrival. */
  async during<T>(name: string, run: (place: Place) => Promise<T>): Promise<T> {
    const owner = this.#ownerOf(name);
    await new Promise<void>((begin) => {
      owner.waiting.push(begin);
      this.#fillSoon();
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
      this.#fillSoon();
    }
  }

  /** Deferred, because several jobs may end at once and their owners may queue new ones in the same turn. */
  #fillSoon(): void {
    if (this.#isFilling) return;
    this.#isFilling = true;
    setImmediate(() => {
      this.#isFilling = false;
      for (const [name, { running, waiting }] of this.#owners)
        if (running + waiting.length === 0) this.#owners.delete(name);
      this.#fill();
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

  #fill(): void {
    while (this.#running < this.#width) {
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
      if (best === undefined || before(owner, best)) best = owner;
    }
    return best;
  }
}

function before(a: Owner, b: Owner): boolean {
  return a.usedMs < b.usedMs || (a.usedMs === b.usedMs && a.running < b.running);
}
