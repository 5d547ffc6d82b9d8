/** Sends each message of JSON-RPC in one write: its header and its content. */

import type { Writable } from "node:stream";

/**
 * A stream for the writer of a JSON-RPC connection. That writer waits until the header is written before it writes the
 * content, which costs a turn of the event loop here and a second waking of the process that reads.
 */
export class WholeMessages {
  readonly #stream: Writable;
  #header = "";

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** A header, which waits for its content, or a content. Rejects with the error of the stream. */
  async write(data: string | Uint8Array): Promise<void> {
    if (typeof data === "string") {
      this.#header += data;
      return;
    }
    const header = this.#header;
    this.#header = "";
    await new Promise<void>((resolve, reject) => {
      const stream = this.#stream;
      stream.cork();
      stream.write(header, "ascii");
      stream.write(data, (error) => (error ? reject(error) : resolve()));
      stream.uncork();
    });
  }

  end(): void {
    this.#stream.end();
  }

  onClose(listener: () => void): { dispose(): void } {
    return this.#on("close", listener);
  }

  onError(listener: (error: unknown) => void): { dispose(): void } {
    return this.#on("error", listener);
  }

  onEnd(listener: () => void): { dispose(): void } {
    return this.#on("end", listener);
  }

  #on(name: string, listener: (...args: unknown[]) => void): { dispose(): void } {
    this.#stream.on(name, listener);
    return { dispose: () => this.#stream.off(name, listener) };
  }
}
