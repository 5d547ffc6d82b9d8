/**
 * Pictures for the READMEs, from the real editors on the PATH, in a terminal and a home of their own; of VS Code where
 * COCOSEARCH_TEST_VSCODE names a workbench (see test/editors/workbench.ts).
 *
 *   npm run screenshots -- FOLDER "QUESTION" WORD     FOLDER is copied; WORD is in the answer, README.md in FOLDER
 */

import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hasWorkbench, openWorkbench } from "../test/editors/workbench.ts";
import { svgOf } from "./screenshots/svg.ts";

/** Wide enough for the four columns of Helix's picker beside its preview. */
const COLUMNS = 150;
const ROWS = 28;

/** Indexing a large repository takes half a minute. */
const TIMEOUT_MS = 120_000;
const POLL_MS = 200;

/** Time for the last highlights and previews after the awaited text is there. */
const SETTLING_MS = 2_000;

/** Something to look at while one asks. */
const FIRST_FILE = "README.md";

const TOP = resolve(import.meta.dirname, "..");
const CLIENTS = join(TOP, "clients");

const [folder, question, word] = process.argv.slice(2);
if (folder === undefined || question === undefined || word === undefined) {
  process.stderr.write('usage: npm run screenshots -- FOLDER "QUESTION" WORD\n');
  process.exit(2);
}

const home = mkdtempSync(join(tmpdir(), "cocosearch-pictures-"));
const project = join(home, basename(folder));
const env = {
  ...process.env,
  HOME: home,
  PATH: `${join(home, "bin")}:${process.env["PATH"]}`,
  XDG_CONFIG_HOME: join(home, "config"),
  XDG_DATA_HOME: join(home, "data"),
  XDG_STATE_HOME: join(home, "state"),
  XDG_CACHE_HOME: join(home, "cache"),
  COCOSEARCH_HOME: join(home, "cocosearch"),
  COCOSEARCH_ENGINE_IDLE_SECONDS: "1",
  TERM: "xterm-256color",
  COLORTERM: "truecolor",
};
/** One for each picture: a terminal takes a moment to close. */
let socket = "";

function tmux(...args: string[]): string {
  const options = { cwd: project, env, encoding: "utf8" } as const;
  return execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], options);
}

const press = (...keys: string[]) => tmux("send-keys", ...keys);
const type = (text: string) => tmux("send-keys", "-l", text);
const screen = () => tmux("capture-pane", "-p");

async function shows(
  what: RegExp,
  again: () => Promise<void> = async () => undefined,
): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!what.test(screen())) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what} on\n${screen()}`);
    await delay(POLL_MS);
    await again();
  }
}

/** Runs the editor, types the question, and captures the screen. */
async function picture(
  name: string,
  command: readonly string[],
  ask: () => Promise<void>,
): Promise<void> {
  socket = join(home, `tmux-${name}`);
  tmux("new-session", "-d", "-x", `${COLUMNS}`, "-y", `${ROWS}`, ...command);
  try {
    await ask();
    await delay(SETTLING_MS);
    const file = join(CLIENTS, name, "screenshot.svg");
    writeFileSync(file, svgOf(tmux("capture-pane", "-e", "-N", "-p"), COLUMNS, ROWS));
    process.stdout.write(`${file}\n${screen()}\n`);
  } finally {
    spawnSync("tmux", ["-S", socket, "kill-server"]);
  }
}

async function neovim(): Promise<void> {
  const packages = join(home, "data/nvim/site/pack/cocosearch/start");
  mkdirSync(packages, { recursive: true });
  symlinkSync(join(CLIENTS, "neovim"), join(packages, "cocosearch"));
  const address = join(home, "nvim.sock");
  const args = ["--headless", "--listen", address, "+set termguicolors noruler nowrap"];
  const server = spawn("nvim", args, { cwd: project, env, stdio: "ignore" });
  try {
    // A screen of its own, because a wrapper may hide the program from itself.
    const show = `while ! test -S ${address}; do sleep 0.1; done; exec nvim --server ${address} --remote-ui`;
    await picture("neovim", ["sh", "-c", show], async () => {
      await shows(/\[No Name\]|~/);
      type(`:let g:cocosearch_picker="builtin" | CocoSearchPick ${question}`);
      press("Enter");
      await shows(new RegExp(`CocoSearch · \\d+ answers? ─[^]*${word}`));
    });
  } finally {
    server.kill();
  }
}

async function helix(): Promise<void> {
  const args = ["helix-config", "--write"];
  execFileSync(join(home, "bin/cocosearch-lsp"), args, { cwd: project, env, stdio: "ignore" });
  await picture("helix", ["hx", FIRST_FILE], async () => {
    await shows(/ NOR /);
    await shows(new RegExp(`> .*${word}`), async () => {
      press("Escape");
      await delay(POLL_MS);
      press("Space", "S");
      type(question ?? "");
      await delay(SETTLING_MS);
    });
  });
}

async function emacs(): Promise<void> {
  const readme = readFileSync(join(CLIENTS, "emacs/README.md"), "utf8");
  const [, init = ""] = /^```elisp\n(.*?)^```$/ms.exec(readme) ?? [];
  mkdirSync(join(home, ".emacs.d/lisp"), { recursive: true });
  for (const file of readdirSync(join(CLIENTS, "emacs")).filter((each) => each.endsWith(".el"))) {
    cpSync(join(CLIENTS, "emacs", file), join(home, ".emacs.d/lisp", file));
  }
  writeFileSync(
    join(home, ".emacs.d/init.el"),
    `${init}(menu-bar-mode -1)\n(setq suggest-key-bindings nil)\n`,
  );
  await picture("emacs", ["emacs", "-nw", "--no-splash", FIRST_FILE], async () => {
    await shows(new RegExp(FIRST_FILE));
    press("M-x");
    type("cocosearch-live");
    press("Enter");
    await shows(/Find:/);
    type(question ?? "");
    await shows(new RegExp(`^ \\d+ answers?\\s*$[^]*${word}`, "m"));
  });
}

async function vscode(): Promise<void> {
  const person = { at: (path: string) => join(home, path), project, env, clear: async () => {} };
  let end = person.clear;
  try {
    const workbench = await openWorkbench(person, (close) => {
      end = close;
    });
    await workbench.command("cocosearch: Ask");
    await workbench.shows(".quick-input-title", /Find code/);
    await workbench.type(question ?? "");
    await workbench.showsFirst(new RegExp(word ?? ""));
    await delay(SETTLING_MS);
    await workbench.picture(join(CLIENTS, "vscode", "screenshot.png"));
  } finally {
    await end();
  }
}

try {
  cpSync(folder, project, { recursive: true });
  mkdirSync(join(home, "bin"));
  const main = join(TOP, "dist/main.js");
  const program = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`;
  writeFileSync(join(home, "bin/cocosearch-lsp"), program, { mode: 0o700 });
  execFileSync(join(home, "bin/cocosearch-lsp"), ["index"], {
    cwd: project,
    env,
    stdio: "inherit",
  });
  await neovim();
  await helix();
  await emacs();
  if (hasWorkbench) await vscode();
} finally {
  await endEngine();
  rmSync(home, { recursive: true, force: true });
}

/** It would write into the home while that is deleted. */
async function endEngine(): Promise<void> {
  const args = ["status", "--json", "--root", project];
  const { stdout } = spawnSync(join(home, "bin/cocosearch-lsp"), args, { env, encoding: "utf8" });
  const { engine } = JSON.parse(stdout) as { engine: { pid: number } };
  process.kill(engine.pid);
  while (spawnSync("kill", ["-0", `${engine.pid}`]).status === 0) await delay(POLL_MS);
}
