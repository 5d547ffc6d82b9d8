/** How much of a question each commit has in any of the lanes, be it in its message or only in what it changed. */

export class Coverage {
  readonly #sums: Float32Array;
  /** By commit: the last term that was counted for it, and how far. */
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

  /** What is added from now on has this term. */
  begin(weight: number): void {
    this.#term++;
    this.#weight = weight;
    this.#total += weight;
  }

  /** The largest share of a term counts. */
  add(commit: number, share: number): void {
    const isKnown = this.#counted[commit] === this.#term;
    const before = isKnown ? (this.#shares[commit] as number) : 0;
    if (share <= before) return;
    this.#counted[commit] = this.#term;
    this.#shares[commit] = share;
    this.#sums[commit] = (this.#sums[commit] as number) + (share - before) * this.#weight;
  }

  /** 0 to 1, by weight. */
  of(commit: number): number {
    return this.#total === 0 ? 0 : (this.#sums[commit] ?? 0) / this.#total;
  }
}
