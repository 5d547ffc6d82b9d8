/** A terminal that runs an editor, with keys to type and a screen to read. */

import { execFileSync, spawnSync } from "node:child_process";
import { until } from "../support/lsp-client.ts";
import type { Desk } from "./editor.ts";

/** Wide enough that no column of a picker is cut. */
const COLUMNS = 140;
const ROWS = 30;

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

export interface Terminal {
  press(...keys: string[]): void;
  type(text: string): void;
  screen(): string;
  /** Waits until this is on the screen. */
  shows(what: RegExp): Promise<void>;
  hasEnded(): boolean;
  /** Closes the window: the program in it receives a hang-up. */
  close(): void;
}

/** Terminals that are open at the same time have names of their own. */
export function terminal(person: Desk, command: readonly string[], name = "tmux"): Terminal {
  const socket = person.at(name);
  const tmux = (...args: string[]) =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      cwd: person.project,
      env: { ...person.env, TERM: "xterm-256color" },
      encoding: "utf8",
    });
  const size = ["-x", `${COLUMNS}`, "-y", `${ROWS}`];
  tmux("new-session", "-d", ...size, ...command);
  const screen = () => tmux("capture-pane", "-p");
  return {
    press: (...keys) => void tmux("send-keys", ...keys),
    type: (text) => void tmux("send-keys", "-l", text),
    screen,
    shows: async (what) => {
      try {
        await until(`${what}`, () => what.test(screen()));
      } catch (error) {
        throw new Error(`on the screen:\n${screen()}`, { cause: error });
      }
    },
    hasEnded: () => spawnSync("tmux", ["-S", socket, "has-session"]).status !== 0,
    close: () => void spawnSync("tmux", ["-S", socket, "kill-server"]),
  };
}
