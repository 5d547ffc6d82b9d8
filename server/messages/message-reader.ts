/**
 * Reads messages from a stream of bytes, and finds its way back after what is none.
 *
 * The library's reader drops what it cannot read without an answer, and after one wrong length hears nothing more.
 */

import type { Readable } from "node:stream";
import {
  AbstractMessageReader,
  type DataCallback,
  type Disposable,
  ErrorCodes,
  type Message,
  type ResponseMessage,
} from "vscode-jsonrpc/node";

/** Of bytes without a header this many are kept, since one may begin in the last of them. */
const MAX_HEADER_BYTES = 8_192;

const HEADER_END = "\r\n\r\n";

/** Something that came and is no message; the client gets it back as a response. */
export class BrokenMessage extends Error {
  override readonly name = "BrokenMessage";
  readonly code: number;
  /** Of the request that it may have been. */
  readonly id: string | number | null;

  constructor(code: number, message: string, id: unknown = null) {
    super(message);
    this.code = code;
    this.id = isId(id) ? id : null;
  }
}

/** The response to it. */
export function refusalOf({ code, id, message }: BrokenMessage): ResponseMessage {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

export class StreamReader extends AbstractMessageReader {
  readonly #stream: Readable;
  readonly #maxBytes: number;
  /** What came and has not been read; joined only when there may be enough of it. */
  #pieces: Buffer[] = [];
  #length = 0;
  /** How much must be there before there is something to read. */
  #wanted = 1;
  /** Of the body that comes next, once its header has been read. */
  #size: number | undefined;
  /** After something broken, until the next header: then the client has been told already. */
  #isLost = false;

  /** Longer messages are broken ones: what waits for its end is held in memory. */
  constructor(stream: Readable, maxBytes = Number.POSITIVE_INFINITY) {
    super();
    this.#stream = stream;
    this.#maxBytes = maxBytes;
  }

  listen(callback: DataCallback): Disposable {
    const onData = (bytes: Buffer) => {
      this.#pieces.push(bytes);
      this.#length += bytes.length;
      if (this.#length >= this.#wanted) this.#read(callback);
    };
    this.#stream.on("data", onData);
    this.#stream.on("error", (error) => this.fireError(error));
    this.#stream.on("close", () => this.fireClose());
    return { dispose: () => void this.#stream.off("data", onData) };
  }

  #read(callback: DataCallback): void {
    let bytes = Buffer.concat(this.#pieces);
    for (;;) {
      const size = this.#size;
      if (size === undefined) {
        const end = bytes.indexOf(HEADER_END);
        if (end < 0) {
          if (bytes.length > MAX_HEADER_BYTES) this.#lost("bytes without a header");
          return this.#keep(bytes.subarray(-MAX_HEADER_BYTES));
        }
        this.#size = this.#sizeIn(
          bytes.toString("latin1", Math.max(0, end - MAX_HEADER_BYTES), end),
        );
        bytes = bytes.subarray(end + HEADER_END.length);
      } else if (bytes.length < size) {
        return this.#keep(bytes, size);
      } else {
        this.#size = undefined;
        // What is broken may be cut off, and the next message begin before its end.
        if (this.#give(bytes.subarray(0, size), callback)) bytes = bytes.subarray(size);
      }
    }
  }

  #keep(rest: Buffer, wanted = rest.length + 1): void {
    this.#pieces = [rest];
    this.#length = rest.length;
    this.#wanted = wanted;
  }

  /** Of the body; undefined where none can be had. Before the header there may be the rest of a broken message. */
  #sizeIn(header: string): number | undefined {
    const lines = header.split("\r\n");
    const [, digits] =
      /Content-Length:[ \t]*(\d+)[ \t]*$/im.exec(lines.findLast(isLength) ?? "") ?? [];
    if (digits === undefined) return this.#lost("a header without Content-Length");
    if (Number(digits) > this.#maxBytes) return this.#lost(`a message of ${digits} bytes`);
    if (!lines.every((line) => /^[\w-]+:/.test(line))) this.#lost("bytes before a header");
    this.#isLost = false;
    return Number(digits);
  }

  /** Whether the body was one of JSON. */
  #give(body: Buffer, callback: DataCallback): boolean {
    let value: unknown;
    try {
      value = JSON.parse(body.toString("utf8"));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.#lost("a message that is not JSON");
      return false;
    }
    const wrong = whatIsWrong(value);
    if (wrong === undefined) this.#pass(value as Message, callback);
    else {
      const { id } = (value ?? {}) as { id?: unknown };
      this.fireError(new BrokenMessage(ErrorCodes.InvalidRequest, wrong, id));
    }
    return true;
  }

  /** The library throws at a cancellation of nothing. */
  #pass(message: Message, callback: DataCallback): void {
    try {
      callback(message);
    } catch (error) {
      this.fireError(error);
    }
  }

  #lost(what: string): undefined {
    if (!this.#isLost) this.fireError(new BrokenMessage(ErrorCodes.ParseError, what));
    this.#isLost = true;
  }
}

const isLength = (line: string) => /Content-Length:/i.test(line);

/** Undefined for a request, a notification or a response. */
function whatIsWrong(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "a message is one object";
  }
  const { jsonrpc = "2.0", id, method } = value as Record<string, unknown>;
  if (jsonrpc !== "2.0") return 'jsonrpc: expected "2.0"';
  const isResponse = method === undefined && ("result" in value || "error" in value);
  if (isResponse)
    return isId(id) || id === null ? undefined : "id: expected an integer or a string";
  if (typeof method !== "string") return "method: expected a string";
  return isId(id) || id === undefined ? undefined : "id: expected an integer or a string";
}

function isId(id: unknown): id is string | number {
  return typeof id === "string" || Number.isInteger(id);
}
