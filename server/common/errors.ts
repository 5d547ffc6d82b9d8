/** The errors that a user can act on. Everything else that is thrown is a bug and is logged as one. */

/** A service that is needed does not answer. The remedy says what the user can do. */
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

/** A value that came from outside is not what is allowed; the message names it and says what is. */
export class BadRequest extends Error {
  override readonly name = "BadRequest";
  /** The one value of a request that it is about, as `limit` or `paths.0`; the message begins with it. */
  readonly parameter: string | undefined;
  /** The rest of the message. */
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

/** The message of anything that was thrown, for a log or a `reason`. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The stack of anything that was thrown, for the log line of a bug. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Whether a system call failed, and not our code. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error;
}

/** Whether an error has this code: `ENOENT`, `EEXIST`. */
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
