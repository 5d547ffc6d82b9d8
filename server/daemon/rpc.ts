/** The JSON-RPC messages between client and engine: session methods, handshake, and errors that keep their class. */

import type { Socket } from "node:net";
import {
  createMessageConnection,
  ErrorCodes,
  type MessageConnection,
  NotificationType,
  RequestType,
  ResponseError,
  SocketMessageReader,
  WriteableStreamMessageWriter,
} from "vscode-jsonrpc/node";
import { BadRequest, messageOf, Unavailable } from "../common/errors.ts";
import { WholeMessages } from "../common/whole-messages.ts";
import type { SessionEvent, SessionMethod } from "../contracts/session.ts";

/** Incremented when a message changes. */
export const PROTOCOL = 2;

export interface Handshake {
  readonly protocol: number;
  readonly version: string;
  readonly pid: number;
}

/** The first message of a connection. Its name and the next one's never change, so that engines of all versions understand them. */
export const handshake = new RequestType<Handshake, Handshake, void>("engine/hello");
/** Asks the engine to exit: a newer version of the program replaces it. */
export const requestShutdown = new RequestType<null, null, void>("engine/leave");
/** Answered by an engine that is busy but not stuck. */
export const ping = new RequestType<null, null, void>("engine/ping");
export const event = new NotificationType<SessionEvent>("session/event");

/** Each method of the session is a request `session/NAME` with its arguments. */
export const call = (method: SessionMethod): RequestType<{ args: unknown[] }, unknown, ErrorData> =>
  new RequestType(`session/${method}`);

/** The class and fields of an error, so that the client can throw the same error. */
type ErrorData =
  | { readonly kind: "bug" }
  | { readonly kind: "BadRequest"; readonly parameter?: string }
  | { readonly kind: "Unavailable"; readonly what: string; readonly remedy: string };

export function connectionOver(socket: Socket): MessageConnection {
  const reader = new SocketMessageReader(socket);
  // The reader's timer for partial messages would outlive a client that died while it sent one.
  reader.partialMessageTimeout = 0;
  return createMessageConnection(reader, new SocketWriter(socket));
}

class SocketWriter extends WriteableStreamMessageWriter {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super(new WholeMessages(socket));
    this.#socket = socket;
  }

  /** Ends the connection, as the reader does. */
  override dispose(): void {
    super.dispose();
    this.#socket.destroy();
  }
}

export function toResponseError(error: unknown): ResponseError<ErrorData> {
  return new ResponseError(ErrorCodes.InternalError, messageOf(error), errorData(error));
}

function errorData(error: unknown): ErrorData {
  if (error instanceof BadRequest) {
    const { parameter } = error;
    return { kind: "BadRequest", ...(parameter === undefined ? {} : { parameter }) };
  }
  if (!(error instanceof Unavailable)) return { kind: "bug" };
  return { kind: "Unavailable", what: error.what, remedy: error.remedy };
}

export function fromResponseError(error: unknown): unknown {
  if (!(error instanceof ResponseError) || error.data === undefined) return error;
  const data = error.data as ErrorData;
  if (data.kind === "BadRequest") {
    const { parameter } = data;
    const problem =
      parameter === undefined ? error.message : error.message.slice(`${parameter}: `.length);
    return new BadRequest(problem, { cause: error, parameter });
  }
  if (data.kind === "Unavailable") return new Unavailable(data.what, data.remedy, { cause: error });
  return error;
}
