/** The errors that a user can act on. Any other error is a bug and is logged as one. */

/** A service is needed and does not answer. `remedy` says what the user can do. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  readonly what: string;
  readonly remedy: string;

  constructor(what: string, remedy: string, options?: ErrorOptions) {
    super(`${what}: ${remedy}`, options);
    this.what = what;
    this.remedy = remedy;
  }
}

/** An invalid value from outside. The message names the value and the allowed values. */
export class BadRequest extends Error {
  override readonly name = "BadRequest";
  /** The parameter of the request that is invalid, as `limit` or `paths.0`. The message begins with it. */
  readonly parameter: string | undefined;
  /** The message without the parameter. */
  readonly problem: string;

  constructor(problem: string, { parameter, ...options }: BadRequestOptions = {}) {
    super(parameter === undefined ? problem : `${parameter}: ${problem}`, options);
    this.parameter = parameter;
    this.problem = problem;
  }
}

interface BadRequestOptions extends ErrorOptions {
  readonly parameter?: string | undefined;
}

/** The message of any thrown value, for a log or a `reason`. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The stack of any thrown value, for the log entry of a bug. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Whether a system call failed, as opposed to an error of this program. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error;
}

/** The result of system calls, or undefined if one fails. */
export async function trySystemCall<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** Like `trySystemCall`, for synchronous calls. */
export function trySystemCallSync<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** Whether the error of a system call has this code: `ENOENT`, `EEXIST`. */
export function isErrorCode(error: unknown, code: string): boolean {
  return isSystemError(error) && error.code === code;
}

/** Whether the user may not read a file or folder. */
export function isForbidden(error: unknown): boolean {
  return isErrorCode(error, "EACCES") || isErrorCode(error, "EPERM");
}

const MISSING = ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"];

/** Whether a path leads to no file. */
export function isMissing(error: unknown): boolean {
  return MISSING.some((code) => isErrorCode(error, code));
}

/**
 * Whether a read failed for a reason that stays until the file is changed. After any other system error (EIO, EMFILE), the
 * caller keeps what is stored and reads the file again later.
 */
export function isMissingOrForbidden(error: unknown): boolean {
  return isMissing(error) || isForbidden(error) || isErrorCode(error, "ENXIO");
}
