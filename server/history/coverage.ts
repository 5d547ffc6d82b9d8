/** The share of a query's words that each commit has in any of the lanes, weighted by rarity. */

export class Coverage {
  readonly #sums: Float32Array;
  /** By commit: the last term that was counted for it; `#shares` has the share of that term. */
  readonly #counted: Uint16Array;
  readonly #shares: Float32Array;
  #term = 0;
  #weight = 0;
  #total = 0;

  constructor(commits: number) {
    this.#sums = new Float32Array(commits);
    this.#counted = new Uint16Array(commits);
    this.#shares = new Float32Array(commits);
  }

  /** Begins the next term of the query. */
  begin(weight: number): void {
    this.#term++;
    this.#weight = weight;
    this.#total += weight;
  }

  /** Adds a commit's share of the current term, 0 to 1; the largest share over the lanes counts. */
  add(commit: number, share: number): void {
    const isKnown = this.#counted[commit] === this.#term;
    const before = isKnown ? (this.#shares[commit] as number) : 0;
    if (share <= before) return;
    this.#counted[commit] = this.#term;
    this.#shares[commit] = share;
    this.#sums[commit] = (this.#sums[commit] as number) + (share - before) * this.#weight;
  }

  /** The coverage of a commit, 0 to 1. */
  of(commit: number): number {
    return this.#total === 0 ? 0 : (this.#sums[commit] ?? 0) / this.#total;
  }
}
