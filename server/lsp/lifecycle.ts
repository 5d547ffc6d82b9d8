/** From initialize to exit: which requests are in order when, and how the process ends. */

import {
  ErrorCodes,
  type InitializeParams,
  ResponseError,
  type WatchDog,
} from "vscode-languageserver";
import { isErrorCode } from "../errors.ts";

/** How soon a server notices that its editor was killed without closing the channel. */
const PARENT_CHECK_MS = 3_000;

export class Lifecycle implements WatchDog {
  /** Set by the library with each `shutdown`, also one that is refused. */
  shutdownReceived = false;
  /** Whether the client can still be told anything. */
  isOpen = true;
  private initialized = false;
  private finished = false;
  private readonly end: (code: number) => void;
  private parentCheck: NodeJS.Timeout | undefined;

  constructor(end: (code: number) => void) {
    this.end = end;
  }

  /** Why a request is out of order now; undefined when it is in order. */
  refusal(): ResponseError | undefined {
    if (!this.initialized) {
      return new ResponseError(ErrorCodes.ServerNotInitialized, "initialize comes first");
    }
    if (!this.finished) return undefined;
    return new ResponseError(ErrorCodes.InvalidRequest, "the server was shut down");
  }

  /** Called by the library with each `initialize`. */
  initialize({ processId }: InitializeParams): void {
    if (this.parentCheck !== undefined || typeof processId !== "number") return;
    this.parentCheck = setInterval(() => {
      if (!isAlive(processId)) this.exit();
    }, PARENT_CHECK_MS);
    this.parentCheck.unref();
  }

  /** Takes an `initialize`; throws the response to one that is out of order. */
  begin(): void {
    if (this.initialized) {
      throw new ResponseError(ErrorCodes.InvalidRequest, "initialize comes once");
    }
    this.initialized = true;
  }

  /** Takes a `shutdown`; throws the response to one that is out of order. */
  finish(): void {
    const refusal = this.refusal();
    if (refusal !== undefined) throw refusal;
    this.finished = true;
  }

  /** Ends the process: with 0 only after a `shutdown` that was in order, as the protocol wants. */
  exit(): void {
    clearInterval(this.parentCheck);
    this.isOpen = false;
    this.end(this.finished ? 0 : 1);
  }
}

/** The answer to a request that nobody serves. */
export function unknownMethod(method: string): ResponseError {
  return new ResponseError(ErrorCodes.MethodNotFound, `${method} is not served`);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, and belongs to somebody else.
    return !isErrorCode(error, "ESRCH");
  }
}
