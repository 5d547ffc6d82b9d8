/** From initialize to exit: which requests are in order when, and how the process ends. */

import {
  ErrorCodes,
  type InitializeParams,
  Message,
  ResponseError,
  type WatchDog,
} from "vscode-languageserver";
import { isErrorCode } from "../common/errors.ts";
import { isObject } from "../common/is-object.ts";

/** How soon a server notices that its editor was killed without closing the channel. */
const PARENT_CHECK_MS = 3_000;

export class Lifecycle implements WatchDog {
  /** Set by the library with each `shutdown`, also one that is refused. */
  shutdownReceived = false;
  /** Whether the client can still be told anything. */
  isOpen = true;
  #initialized = false;
  #finished = false;
  readonly #end: (code: number) => void;
  #parentCheck: NodeJS.Timeout | undefined;

  constructor(end: (code: number) => void) {
    this.#end = end;
  }

  /** Why a request is out of order now; undefined when it is in order. */
  refusal(): ResponseError | undefined {
    if (!this.#initialized) {
      return new ResponseError(ErrorCodes.ServerNotInitialized, "initialize comes first");
    }
    if (!this.#finished) return undefined;
    return new ResponseError(ErrorCodes.InvalidRequest, "the server was shut down");
  }

  /** Whether a notification is out of order now: all but `exit` are dropped before `initialize` and after `shutdown`. */
  drops(message: Message): boolean {
    if (!Message.isNotification(message) || message.method === "exit") return false;
    return !this.#initialized || this.#finished;
  }

  /** Called by the library with each `initialize`; throws the response to one that cannot be taken. */
  initialize(params: InitializeParams): void {
    if (this.#initialized)
      throw new ResponseError(ErrorCodes.InvalidRequest, "initialize comes once");
    const wrong = whatIsWrong(params);
    if (wrong !== undefined) throw new ResponseError(ErrorCodes.InvalidParams, wrong);
    const { processId } = params;
    if (this.#parentCheck !== undefined || typeof processId !== "number") return;
    this.#parentCheck = setInterval(() => {
      if (!isAlive(processId)) this.exit();
    }, PARENT_CHECK_MS);
    this.#parentCheck.unref();
  }

  /** From here on requests are in order. */
  begin(): void {
    this.#initialized = true;
  }

  /** Takes a `shutdown`; throws the response to one that is out of order. */
  finish(): void {
    const refusal = this.refusal();
    if (refusal !== undefined) throw refusal;
    this.#finished = true;
  }

  /** Ends the process: with 0 only after a `shutdown` that was in order, as the protocol wants. */
  exit(): void {
    clearInterval(this.#parentCheck);
    this.isOpen = false;
    this.#end(this.#finished ? 0 : 1);
  }
}

/** The answer to a request that is not served. */
export function unknownMethod(method: string): ResponseError {
  return new ResponseError(ErrorCodes.MethodNotFound, `${method} is not served`);
}

/** The first parameter of `initialize` without which nothing can be made of it; undefined where all can be read. */
function whatIsWrong(params: unknown): string | undefined {
  if (!isObject(params)) return "parameters: expected an object";
  const { capabilities, clientInfo, workspaceFolders } = params;
  if (!isObject(capabilities)) return "capabilities: expected an object";
  const name = isObject(clientInfo) ? clientInfo["name"] : undefined;
  if (typeof (name ?? "") !== "string") return "clientInfo.name: expected a string";
  const folders = workspaceFolders ?? [];
  if (Array.isArray(folders) && folders.every(isObject)) return undefined;
  return "workspaceFolders: expected a list of folders";
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, and is owned by another user.
    return !isErrorCode(error, "ESRCH");
  }
}
