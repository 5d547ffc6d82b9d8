/** Shares a number of places among several owners, by the time that each has used: small work is not behind large work. */

interface Owner {
  /** Time that its ended jobs took, in milliseconds, beginning with that of the owner who had used least when it came. */
  usedMs: number;
  running: number;
  /** What each waiting job is told by, in order. */
  readonly waiting: (() => void)[];
}

/** Of a job that has its place. */
interface Place {
  /** What the job takes of its owner's share. */
  use(ms: number): void;
}

export class FairTurns {
  readonly #width: number;
  /** Those that have jobs here. */
  readonly #owners = new Map<string, Owner>();
  #running = 0;
  #isFilling = false;

  /** `width` jobs have a place at once. */
  constructor(width: number) {
    this.#width = width;
  }

  /** How many have a place or wait for one. */
  get size(): number {
    let waiting = 0;
    for (const owner of this.#owners.values()) waiting += owner.waiting.length;
    return this.#running + waiting;
  }

  /** Runs once there is a place: that of the owner whose jobs took least, and of one owner in order. */
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

  /** Once those that have had a place have said what they do next: several jobs may end, and begin, at once. */
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

  /** Of those that used the same, the one with fewer places. */
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
