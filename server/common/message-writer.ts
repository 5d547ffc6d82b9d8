/** Writes each protocol message at once: a header of its own wakes the other side, and waits until it is written, for nothing. */

import type { Writable } from "node:stream";
import { type RAL, WriteableStreamMessageWriter } from "vscode-jsonrpc/node";

/** Searches over stdio and the engine's socket: 2.4 -> 2.2 ms, three messages of four being ours. */
export class WholeMessageWriter extends WriteableStreamMessageWriter {
  readonly #close: () => void;

  /** @param close called when no more is written. */
  constructor(stream: Writable, close = () => {}) {
    super(wholeWrites(stream));
    this.#close = close;
  }

  override dispose(): void {
    super.dispose();
    this.#close();
  }
}

/** The library writes a header as a string, and then what it announces. */
function wholeWrites(stream: Writable): RAL.WritableStream {
  let header = "";
  const on = (event: string, listener: (...args: unknown[]) => void) => {
    stream.on(event, listener);
    return { dispose: () => stream.off(event, listener) };
  };
  return {
    onClose: (listener) => on("close", listener),
    onError: (listener) => on("error", listener),
    onEnd: (listener) => on("end", listener),
    write(data: Uint8Array | string): Promise<void> {
      if (typeof data === "string") {
        header = data;
        return Promise.resolve();
      }
      const message = Buffer.concat([Buffer.from(header, "ascii"), data]);
      return new Promise((resolve, reject) => {
        stream.write(message, (error) => (error == null ? resolve() : reject(error)));
      });
    },
    end: () => stream.end(),
  };
}
