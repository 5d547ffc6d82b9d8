/** The lifecycle from initialize to exit: refuses requests that are out of order, and ends the process. */

import {
  ErrorCodes,
  type InitializeParams,
  Message,
  ResponseError,
  type WatchDog,
} from "vscode-languageserver";
import { isErrorCode } from "../common/errors.ts";
import { isObject } from "../common/is-object.ts";

/** Interval of the check whether the process of the editor is alive. */
const PARENT_CHECK_MS = 3_000;

export class Lifecycle implements WatchDog {
  /** The library sets it at each `shutdown`, even a refused one. */
  shutdownReceived = false;
  /** Whether the client is connected. */
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
      return new ResponseError(ErrorCodes.ServerNotInitialized, "the server is not initialized");
    }
    if (!this.#finished) return undefined;
    return new ResponseError(ErrorCodes.InvalidRequest, "the server is shut down");
  }

  /** Whether a notification is out of order now: all but `exit` are dropped before `initialize` and after `shutdown`. */
  drops(message: Message): boolean {
    if (!Message.isNotification(message) || message.method === "exit") return false;
    return !this.#initialized || this.#finished;
  }

  /** Called by the library at each `initialize`; throws the ResponseError for an invalid one. */
  initialize(params: InitializeParams): void {
    if (this.#initialized)
      throw new ResponseError(ErrorCodes.InvalidRequest, "initialize may be sent only once");
    const problem = problemOf(params);
    if (problem !== undefined) throw new ResponseError(ErrorCodes.InvalidParams, problem);
    const { processId } = params;
    if (this.#parentCheck !== undefined || typeof processId !== "number") return;
    this.#parentCheck = setInterval(() => {
      if (!isAlive(processId)) this.exit();
    }, PARENT_CHECK_MS);
    this.#parentCheck.unref();
  }

  /** Accepts requests from now on. */
  begin(): void {
    this.#initialized = true;
  }

  /** Handles `shutdown`; throws the ResponseError if it is out of order. */
  finish(): void {
    const refusal = this.refusal();
    if (refusal !== undefined) throw refusal;
    this.#finished = true;
  }

  /** Ends the process, with code 0 only after a valid `shutdown`, as the protocol requires. */
  exit(): void {
    clearInterval(this.#parentCheck);
    this.isOpen = false;
    this.#end(this.#finished ? 0 : 1);
  }
}

/** The error for a request that is not served. */
export function unknownMethod(method: string): ResponseError {
  return new ResponseError(ErrorCodes.MethodNotFound, `${method} is not served`);
}

/** The first invalid parameter of `initialize`; undefined if all are valid. */
function problemOf(params: unknown): string | undefined {
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
    // EPERM: the process runs as another user.
    return !isErrorCode(error, "ESRCH");
  }
}
