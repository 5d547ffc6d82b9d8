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

/** Whether the process or the system has reached its limit of open files. The file in question is not the cause. */
export function isOutOfFiles(error: unknown): boolean {
  return isErrorCode(error, "EMFILE") || isErrorCode(error, "ENFILE");
}

/** Whether the error is about this file or folder, and not about the system as a whole. */
export function isRefusal(error: unknown): boolean {
  return isSystemError(error) && !isOutOfFiles(error);
}

export function outOfFiles(cause?: unknown): Unavailable {
  return new Unavailable(
    "the engine cannot open any more files",
    "raise the limit (ulimit -n 4096) where the editor is started, and run cocosearch-lsp doctor --restart there",
    { cause },
  );
}

/** Returns the error, or Unavailable with a remedy if the user can act on it. */
export function withRemedy(error: unknown): unknown {
  return isOutOfFiles(error) ? outOfFiles(error) : error;
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

/** Whether the error of a system call has this code: `ENOENT`, `EEXIST`. */
export function isErrorCode(error: unknown, code: string): boolean {
  return isSystemError(error) && error.code === code;
}
