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

/** Whether the system opens no more files for this process, or for any: what was to be opened has no part in it. */
export function isOutOfFiles(error: unknown): boolean {
  return isErrorCode(error, "EMFILE") || isErrorCode(error, "ENFILE");
}

/** Whether the system refuses what was asked of this file or folder, as it would not of every one. */
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

/** What was thrown, or Unavailable where the user can do something about it. */
export function withRemedy(error: unknown): unknown {
  return isOutOfFiles(error) ? outOfFiles(error) : error;
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

/** Whether a failed system call says this: `ENOENT`, `EEXIST`. */
export function isErrorCode(error: unknown, code: string): boolean {
  return isSystemError(error) && error.code === code;
}
