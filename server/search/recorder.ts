/** Notes what each stage of a search did, for `analyze`. */

import type { Stage } from "../contracts/session.ts";

type Outcome = Omit<Stage, "name" | "ms">;

export class Recorder {
  readonly stages: Stage[] = [];
  /** False where nobody will read it: then nothing is described, and hits do not note their ranks. */
  readonly isRecording: boolean;

  constructor({ isRecording }: { readonly isRecording: boolean }) {
    this.isRecording = isRecording;
  }

  /** Runs a stage and notes its time and what `describe` says of its result. */
  async stage<T>(
    name: string,
    run: () => Promise<T> | T,
    describe: (result: T) => Outcome,
  ): Promise<T> {
    if (!this.isRecording) return await run();
    const start = performance.now();
    const result = await run();
    this.note(name, performance.now() - start, describe(result));
    return result;
  }

  note(name: string, ms: number, outcome: Outcome): void {
    this.stages.push({ name, ms: Math.round(ms * 1000) / 1000, ...outcome });
  }
}
