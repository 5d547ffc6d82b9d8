/** Handles SIGINT and SIGTERM: the first aborts the command, which restores the terminal; the second ends the process. */

export interface Interruption {
  readonly signal: AbortSignal;
  /** Rejects at the first signal; never resolves. */
  readonly happened: Promise<never>;
  stopListening(): void;
}

export function listenForInterrupt(): Interruption {
  const controller = new AbortController();
  const { signal } = controller;
  const interrupt = () => controller.abort();
  const happened = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  return {
    signal,
    happened,
    stopListening: () => {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", interrupt);
    },
  };
}
