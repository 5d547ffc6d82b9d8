/** Writes each message of the protocol at once, in the order in which they are given. */

import type { Writable } from "node:stream";
import { AbstractMessageWriter, type Message, type MessageWriter } from "vscode-jsonrpc/node";

/**
 * The library's writer writes header and body one after the other, each message after the one before has been handed over,
 * and waits a turn of the event loop before it begins. A stream keeps the order by itself.
 */
export class StreamWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #stream: Writable;

  constructor(stream: Writable) {
    super();
    this.#stream = stream;
    stream.on("error", (error) => this.fireError(error));
    stream.on("close", () => this.fireClose());
  }

  /** Resolves when the stream has handed it over. */
  async write(message: Message): Promise<void> {
    const body = JSON.stringify(message);
    const header = `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    await new Promise<void>((resolve, reject) => {
      this.#stream.write(header + body, "utf8", (error) => {
        if (error == null) resolve();
        // In a turn of its own: what is written to say that writing failed would leave no turn for the end.
        else setImmediate(reject, error);
      });
    });
  }

  end(): void {
    this.#stream.end();
  }
}
