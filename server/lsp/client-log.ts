/** The log of the language server: window/logMessage notifications, which editors show in a file or a panel. */

import type { Connection } from "vscode-languageserver";
import type { Fields, Level, Log } from "../common/log.ts";

const ORDER: readonly Level[] = ["debug", "info", "warn", "error"];

/** Drops lines after the client has disconnected. */
export function createClientLog(
  { console }: Connection,
  isOpen: () => boolean,
  threshold: string | undefined,
): Log {
  const lowest = ORDER.find((level) => level === threshold) ?? "info";
  const at =
    (level: Level, write: (line: string) => void) =>
    (message: string, fields: Fields = {}): void => {
      if (ORDER.indexOf(level) < ORDER.indexOf(lowest) || !isOpen()) return;
      write(lineOf(message, fields));
    };
  return {
    debug: at("debug", (line) => console.log(line)),
    info: at("info", (line) => console.info(line)),
    warn: at("warn", (line) => console.warn(line)),
    error: at("error", (line) => console.error(line)),
  };
}

function lineOf(message: string, fields: Fields): string {
  const parts = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`);
  return [message, ...parts].join(" ");
}
