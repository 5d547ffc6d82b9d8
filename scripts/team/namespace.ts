/** Runs programs that see a folder at a common path, each in a mount namespace of its own, as on another machine. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";

/** A user who is not the administrator gets a mount namespace with a user namespace around it. */
const COMMANDS = [
  ["unshare", "-m"],
  ["unshare", "-r", "-m"],
];

/** The command that opens a mount namespace here; undefined where none can be had. */
function unshareCommand(): readonly string[] | undefined {
  return COMMANDS.find(([program = "", ...options]) => {
    try {
      execFileSync(program, [...options, "mount", "--bind", "/tmp", "/mnt"], { stdio: "ignore" });
      return true;
    } catch (error) {
      if (error instanceof Error) return false;
      throw error;
    }
  });
}

export interface View {
  /** Where programs see the folder. */
  readonly root: string;
  start(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess;
}

/** `common` is an existing empty folder. Without namespaces each program sees the folder at its own path. */
export function viewer(common: string) {
  const unshare = unshareCommand();
  const view = (folder: string): View => {
    const start = (command: readonly string[], env: NodeJS.ProcessEnv) => {
      const [program = "", ...args] = command;
      return spawn(program, args, { env, stdio: ["ignore", "ignore", "inherit"] });
    };
    const plain = (args: readonly string[]) => [process.execPath, ...args];
    if (unshare === undefined)
      return { root: folder, start: (args, env) => start(plain(args), env) };
    const bind = 'mount --bind "$0" "$1" && shift && exec "$@"';
    const inside = [...unshare, "sh", "-c", bind, folder, common];
    return { root: common, start: (args, env) => start([...inside, ...plain(args)], env) };
  };
  return { view, areNamespaces: unshare !== undefined };
}
