/** What client and engine say to each other: the methods of Session by name, the handshake, and errors that keep their kind. */

import type { Socket } from "node:net";
import {
  createMessageConnection,
  ErrorCodes,
  type MessageConnection,
  NotificationType,
  RequestType,
  ResponseError,
  SocketMessageReader,
  SocketMessageWriter,
} from "vscode-jsonrpc/node";
import { BadRequest, messageOf, Unavailable } from "../common/errors.ts";
import type { Session, SessionEvent } from "../contracts/session.ts";

/** Raised whenever a message changes its meaning. */
export const PROTOCOL = 2;

export interface Handshake {
  readonly protocol: number;
  readonly version: string;
  readonly pid: number;
}

/** Asks who is there; the first message of a connection. */
export const handshake = new RequestType<Handshake, Handshake, void>("engine/hello");
/** Asks the engine to leave: a newer program wants to take its place. */
export const requestShutdown = new RequestType<null, null, void>("engine/leave");
export const event = new NotificationType<SessionEvent>("session/event");

/** The methods of Session that travel; each is a request `session/NAME` with its arguments. */
export const METHODS = [
  "configure",
  "openFolders",
  "search",
  "analyze",
  "symbols",
  "status",
  "why",
  "excluded",
  "list",
  "languages",
  "reindex",
  "clear",
  "pause",
  "resume",
  "whenIdle",
  "filesChanged",
  "buffer",
  "doctor",
] as const satisfies readonly (keyof Session)[];
export type Method = (typeof METHODS)[number];

export const call = (method: Method): RequestType<{ args: unknown[] }, unknown, ErrorData> =>
  new RequestType(`session/${method}`);

/** Which class of error it was on the other side. */
type ErrorData =
  | { readonly kind: "BadRequest" | "bug" }
  | { readonly kind: "Unavailable"; readonly what: string; readonly remedy: string };

export function connectionOver(socket: Socket): MessageConnection {
  return createMessageConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket));
}

export function toResponseError(error: unknown): ResponseError<ErrorData> {
  return new ResponseError(ErrorCodes.InternalError, messageOf(error), errorData(error));
}

function errorData(error: unknown): ErrorData {
  if (error instanceof BadRequest) return { kind: "BadRequest" };
  if (!(error instanceof Unavailable)) return { kind: "bug" };
  return { kind: "Unavailable", what: error.what, remedy: error.remedy };
}

export function fromResponseError(error: unknown): unknown {
  if (!(error instanceof ResponseError) || error.data === undefined) return error;
  const data = error.data as ErrorData;
  if (data.kind === "BadRequest") return new BadRequest(error.message, { cause: error });
  if (data.kind === "Unavailable") return new Unavailable(data.what, data.remedy, { cause: error });
  return error;
}
