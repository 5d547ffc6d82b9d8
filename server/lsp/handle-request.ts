/** The error boundary of requests: maps exceptions and cancellation to errors of the protocol. */

import {
  type CancellationToken,
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
} from "vscode-languageserver";
import { BadRequest, messageOf, stackOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { orAborted } from "../common/or-aborted.ts";

/** Runs a request and returns its result or a ResponseError. A cancelled request is answered immediately. */
export async function handleRequest<T>(
  name: string,
  log: Log,
  token: CancellationToken,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T | ResponseError> {
  const controller = new AbortController();
  const { signal } = controller;
  const listening = token.onCancellationRequested(() => controller.abort());
  if (token.isCancellationRequested) controller.abort();
  try {
    return await orAborted(run(signal), signal);
  } catch (error) {
    if (signal.aborted) {
      return new ResponseError(LSPErrorCodes.RequestCancelled, `${name} was cancelled`);
    }
    return responseTo(name, log, error);
  } finally {
    listening.dispose();
  }
}

function responseTo(name: string, log: Log, error: unknown): ResponseError {
  if (error instanceof BadRequest)
    return new ResponseError(ErrorCodes.InvalidParams, error.message);
  if (error instanceof Unavailable) {
    return new ResponseError(LSPErrorCodes.RequestFailed, error.message);
  }
  log.error(`bug in ${name}`, { error: stackOf(error) });
  return new ResponseError(LSPErrorCodes.RequestFailed, `${name} failed; see the log`);
}

/** Runs work without awaiting it. A failure is logged, also if `work` throws synchronously. */
export function runDetached(what: string, log: Log, work: () => Promise<unknown>): void {
  const done = (async () => await work())();
  done.catch((error: unknown) => {
    const isExpected = error instanceof Unavailable || error instanceof BadRequest;
    log.warn(what, { error: isExpected ? messageOf(error) : stackOf(error) });
  });
}
