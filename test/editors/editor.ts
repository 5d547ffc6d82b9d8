/** Real editors, in a home of their own with `cocosearch-lsp` on the PATH, in front of a small project. */

import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { MAIN, testEngine } from "../support/engine.ts";
import { isRunning, until } from "../support/lsp-client.ts";
import { SHOP } from "../support/shops.ts";
import { write as writeFiles } from "../support/workspace.ts";

const CLIENTS = resolve(import.meta.dirname, "../../clients");

const OTHER_SERVER = fileURLToPath(new URL("../support/other-server.ts", import.meta.url));
const SLOW_SERVER = fileURLToPath(new URL("../support/slow-server.ts", import.meta.url));

/** Runs TypeScript. */
const loader = import.meta.resolve("tsx");

/** The command of a shell that becomes the server. */
export const SERVER = `exec "${process.execPath}" "${MAIN}" "$@"`;

/** Starting, indexing and asking takes ten seconds; a busy machine may take thirty times as long. */
export const TIMEOUT_MS = 300_000;

export const QUESTION = "where are receipts sent to the customer";

/** The editor's programs in the folders that COCOSEARCH_TEST_EDITORS names, in the form of a PATH: newest first. */
export function editorsNamed(name: string): string[] {
  const folders = (process.env["COCOSEARCH_TEST_EDITORS"] ?? "").split(delimiter);
  return folders
    .filter((folder) => folder !== "")
    .map((folder) => resolve(folder, "bin", name))
    .filter((program) => existsSync(program));
}

/** The first editor that is installed, if any. */
export function editorNamed(name: string): string | undefined {
  return editorsNamed(name)[0];
}

/** A folder with packages of Emacs, each in a folder of its name. */
const EMACS_PACKAGES = process.env["COCOSEARCH_TEST_EMACS_PACKAGES"] ?? "";

export function hasEmacsPackages(names: readonly string[]): boolean {
  return names.every((name) => existsSync(join(EMACS_PACKAGES, name, `${name}.el`)));
}

/** The lines of an init file that load them. */
export function withEmacsPackages(names: readonly string[]): string {
  const folders = names.map((name) => JSON.stringify(join(EMACS_PACKAGES, name)));
  return `(dolist (each '(${folders.join(" ")})) (add-to-list 'load-path each))\n`;
}

/** A person's home with nothing in it but the server and one project. */
export interface Desk {
  readonly env: NodeJS.ProcessEnv;
  readonly project: string;
  readonly engineLog: string;
  /** A path in the home. */
  at(path: string): string;
  write(path: string, text: string): void;
  /** Puts another language server on the PATH, as people have one for each language. */
  installOther(name: string): void;
  /** Replaces `cocosearch-lsp` on the PATH by one whose first answer takes at least this long. */
  slowDown(ms: number): void;
  /** Replaces it by one that does not start before the function is called. */
  holdServer(): () => void;
  /** Replaces `cocosearch-lsp` on the PATH by a shell script. */
  replaceServer(script: string): void;
  /** Lets a folder of clients/ appear at a path of the home. */
  install(client: string, path: string): void;
  /** Runs an editor in the project until it exits; returns its output. */
  run(program: string, args: readonly string[], extra?: NodeJS.ProcessEnv): Promise<string>;
  /** Runs an editor with a script that writes its observations as JSON, and returns them. */
  seenBy<T extends object>(
    program: string,
    args: readonly string[],
    extra?: NodeJS.ProcessEnv,
  ): Promise<T>;
  /** Waits until these processes and the engine have left by themselves. */
  left(pids: readonly number[]): Promise<void>;
  clear(): Promise<void>;
}

export function desk(settings: NodeJS.ProcessEnv = {}, files: string = SHOP): Desk {
  const engine = testEngine(settings);
  const home = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-desk-")));
  const at = (path: string) => join(home, path);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text, { mode: 0o700 });
  };
  const replaceServer = (script: string) => write("bin/cocosearch-lsp", `#!/bin/sh\n${script}\n`);
  replaceServer(SERVER);
  const project = at("shop");
  writeFiles(project, files);
  const env = {
    ...engine.env,
    HOME: home,
    PATH: `${at("bin")}:${process.env["PATH"]}`,
    XDG_CONFIG_HOME: at("config"),
    XDG_DATA_HOME: at("data"),
    XDG_STATE_HOME: at("state"),
    XDG_CACHE_HOME: at("cache"),
  };
  return {
    env,
    project,
    engineLog: engine.home.log,
    at,
    write,
    replaceServer,
    holdServer: () => {
      replaceServer(`while [ ! -e "${at("released")}" ]; do sleep 0.1; done; ${SERVER}`);
      return () => write("released", "");
    },
    slowDown: (ms) =>
      replaceServer(
        `exec "${process.execPath}" --import "${loader}" "${SLOW_SERVER}" ${ms} "${MAIN}" "$@"`,
      ),
    installOther: (name) => {
      const line = `exec "${process.execPath}" --import "${loader}" "${OTHER_SERVER}"`;
      write(`bin/${name}`, `#!/bin/sh\n${line}\n`);
    },
    install: (name, path) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      symlinkSync(join(CLIENTS, name), at(path));
    },
    run: (program, args, extra = {}) => run(program, args, project, { ...env, ...extra }),
    seenBy: async <T extends object>(
      program: string,
      args: readonly string[],
      extra: NodeJS.ProcessEnv = {},
    ) => {
      const file = at("seen.json");
      await run(program, args, project, { ...env, ...extra, COCOSEARCH_TEST_SEEN: file });
      const seen = JSON.parse(readFileSync(file, "utf8")) as T & { problem?: string };
      if (seen.problem !== undefined) throw new Error(seen.problem);
      return seen;
    },
    left: async (pids) => {
      await until("the end of the processes", () => !pids.some(isRunning));
      await engine.left();
    },
    clear: async () => {
      await engine.dispose();
      rmSync(home, { recursive: true });
    },
  };
}

/** A file of clients/. */
export function client(path: string): string {
  return readFileSync(join(CLIENTS, path), "utf8");
}

/** Copies our packages for Emacs to where its README says. */
export function installEmacs(person: Pick<Desk, "write">): void {
  for (const file of readdirSync(join(CLIENTS, "emacs")).filter((each) => each.endsWith(".el"))) {
    person.write(`.emacs.d/lisp/${file}`, client(`emacs/${file}`));
  }
}

/** The blocks of one language in a README of clients/: what its readers copy. */
export function blocks(path: string, language: string): string[] {
  const fenced = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms");
  return [...client(path).matchAll(fenced)].map(([, code = ""]) => code);
}

async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const running = promisify(execFile)(program, [...args], { cwd, env, timeout: TIMEOUT_MS });
  running.child.stdin?.end();
  const { stdout, stderr } = await running;
  return stdout + stderr;
}

/** Indexing takes several seconds: the user has asked and moved down the list before it ends. */
const CRATE_FILES = 1500;
const CRATES = Array.from(
  { length: 40 },
  (_, n) => `def weigh_crate_${n}():\n    return ${n}\n`,
).join("\n");

/** Puts many files into the project. */
export function writeCrates(person: Desk): void {
  for (let n = 0; n < CRATE_FILES; n++) person.write(`shop/crates/${n}.py`, CRATES);
}
