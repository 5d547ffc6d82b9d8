/** Notes what each stage of a search did: what `analyze` shows, and what the log says of a slow search. */

import type { Stage } from "../contracts/session.ts";

type Outcome = Omit<Stage, "name" | "ms">;

export class Recorder {
  readonly stages: Stage[] = [];

  /** Runs a stage and notes its time and what `describe` says of its result. */
  async stage<T>(
    name: string,
    run: () => Promise<T> | T,
    describe: (result: T) => Outcome,
  ): Promise<T> {
    const start = performance.now();
    const result = await run();
    this.note(name, performance.now() - start, describe(result));
    return result;
  }

  note(name: string, ms: number, outcome: Outcome): void {
    this.stages.push({ name, ms: Math.round(ms * 1000) / 1000, ...outcome });
  }
}
