/** Records the stages of a search for `analyze`, and yields to other work between two stages. */

import { createPause } from "../common/slices.ts";
import type { Stage } from "../contracts/session.ts";

type Outcome = Omit<Stage, "name" | "ms">;

/** A stage that has begun. */
export interface StageSpan {
  /** Records the elapsed time and the outcome; `describe` runs only if the recorder records. */
  end(describe: () => Outcome): void;
}

interface RecorderOptions {
  readonly isRecording: boolean;
  readonly signal?: AbortSignal | undefined;
}

const UNRECORDED: StageSpan = { end: () => {} };

export class Recorder {
  readonly stages: Stage[] = [];
  /** Whether the search is an analysis; otherwise no stage is described and hits do not record their ranks. */
  readonly isRecording: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #pause = createPause();

  constructor({ isRecording, signal }: RecorderOptions) {
    this.isRecording = isRecording;
    this.#signal = signal;
  }

  /** Yields to the event loop after each slice of work; rejects with the signal's reason if the search was cancelled. */
  readonly pause = async (): Promise<void> => {
    await this.#pause();
    this.#signal?.throwIfAborted();
  };

  /** Pauses, then starts the clock of a stage. A stage that throws is not recorded. */
  async start(name: string): Promise<StageSpan> {
    await this.pause();
    if (!this.isRecording) return UNRECORDED;
    const start = performance.now();
    return { end: (describe) => this.note(name, performance.now() - start, describe()) };
  }

  /** Adds a stage whose duration, in milliseconds, the caller measured. */
  note(name: string, ms: number, outcome: Outcome): void {
    this.stages.push({ name, ms: Math.round(ms * 1000) / 1000, ...outcome });
  }
}
