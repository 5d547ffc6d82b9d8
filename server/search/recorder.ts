/** Runs the stages of a search: between two of them others have their turn. For `analyze`, notes what each did. */

import { createPause } from "../common/slices.ts";
import type { Stage } from "../contracts/session.ts";

type Outcome = Omit<Stage, "name" | "ms">;

interface RecorderOptions {
  readonly isRecording: boolean;
  readonly signal?: AbortSignal | undefined;
}

export class Recorder {
  readonly stages: Stage[] = [];
  /** False where nobody will read it: then nothing is described, and hits do not note their ranks. */
  readonly isRecording: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #pause = createPause();

  constructor({ isRecording, signal }: RecorderOptions) {
    this.isRecording = isRecording;
    this.#signal = signal;
  }

  /**
   * Where the search has kept the thread for a slice, lets it hear what came in. Rejects as the signal says: of a search
   * that was taken back, nothing more is run.
   */
  readonly pause = async (): Promise<void> => {
    await this.#pause();
    this.#signal?.throwIfAborted();
  };

  /** Pauses, runs a stage, and notes its time and what `describe` says of its result. */
  async stage<T>(
    name: string,
    run: () => Promise<T> | T,
    describe: (result: T) => Outcome,
  ): Promise<T> {
    await this.pause();
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
