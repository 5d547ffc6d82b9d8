/** Logging: a short constant message with fields, one JSON object per line, written to a sink. */

export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;
export type Level = "debug" | "info" | "warn" | "error";

export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

const ORDER: readonly Level[] = ["debug", "info", "warn", "error"];

/** Writes the entries whose level is at least `threshold`. */
export function createLog(write: (line: string) => void, threshold: Level): Log {
  const at =
    (level: Level) =>
    (message: string, fields: Fields = {}) => {
      if (ORDER.indexOf(level) < ORDER.indexOf(threshold)) return;
      const entry = { time: new Date().toISOString(), level, message, ...fields };
      write(`${JSON.stringify(entry)}\n`);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** A log that writes nothing. */
export const silent: Log = createLog(() => undefined, "error");
