/**
 * Editors that are killed, or whose terminal closes, without `shutdown`: no process of ours remains.
 * @module-tag slow
 */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { MAIN } from "../support/engine.ts";
import { isRunning, until } from "../support/lsp-client.ts";
import { blocks, type Desk, desk, editorNamed, installEmacs, TIMEOUT_MS } from "./editor.ts";
import { hasTmux, type Terminal, terminal } from "./terminal.ts";

const TIMES = 3;

interface Editor {
  readonly name: string;
  readonly args: readonly string[];
  /** Makes it start the server, as its README says. */
  configure(person: Desk, program: string): void | Promise<unknown>;
}

const EDITORS: readonly Editor[] = [
  {
    name: "nvim",
    // Without a screen it is one process, also where a wrapper hides its program from it. Several on one
    // file would ask about each other's swap files.
    args: ["--headless", "-n", "src/pool.py"],
    configure: (person) =>
      person.install("neovim", "data/nvim/site/pack/cocosearch/start/cocosearch"),
  },
  {
    name: "hx",
    args: ["src/pool.py"],
    configure: (person, program) =>
      person.run(person.at("bin/cocosearch-lsp"), ["helix-config", "--write", "--hx", program]),
  },
  {
    name: "emacs",
    args: ["-nw", "src/pool.py", "--eval", "(cocosearch-status)"],
    configure: (person) => {
      installEmacs(person);
      person.write(".emacs.d/init.el", blocks("emacs/README.md", "elisp")[0] ?? "");
    },
  },
];

/** Writes down the process of each server that starts; `exec` keeps its number. */
function noteServers(person: Desk): void {
  const script = `echo $$ >> "${person.at("servers")}"; exec "${process.execPath}" "${MAIN}" "$@"`;
  person.write("bin/cocosearch-lsp", `#!/bin/sh\n${script}\n`);
}

function notedServers(person: Desk): number[] {
  const file = person.at("servers");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
}

/** The servers that have introduced themselves to the engine. */
function knownServers(person: Desk): number[] {
  if (!existsSync(person.engineLog)) return [];
  const clients = readFileSync(person.engineLog, "utf8").matchAll(
    /"message":"client","pid":(\d+)/g,
  );
  return [...clients].map(([, pid]) => Number(pid));
}

async function allAtWork(person: Desk, terminals: readonly Terminal[]): Promise<number[]> {
  try {
    return await until(`${TIMES} servers at work`, () => {
      const known = knownServers(person);
      const noted = notedServers(person).filter((pid) => known.includes(pid));
      return noted.length === TIMES ? noted : undefined;
    });
  } catch (error) {
    const servers = `started ${notedServers(person).join()}; known ${knownServers(person).join()}`;
    const screens = terminals.map((each) => each.screen().trimEnd()).join("\n---\n");
    throw new Error(`${servers}; on the screens:\n${screens}`, { cause: error });
  }
}

function parentOf(pid: number): number {
  return Number(execFileSync("ps", ["-o", "ppid=", "-p", `${pid}`], { encoding: "utf8" }));
}

type End = (servers: readonly number[], terminals: readonly Terminal[]) => void;

const killed: End = (servers) => {
  for (const pid of servers) process.kill(parentOf(pid), "SIGKILL");
};
const closed: End = (_servers, terminals) => {
  for (const each of terminals) each.close();
};

describe.each(EDITORS)("$name", ({ name, args, configure }) => {
  const program = editorNamed(name);

  it.skipIf(program === undefined || !hasTmux).each([
    ["killed", killed],
    ["with its terminal closed", closed],
  ])(
    `leaves nothing when it is %s, ${TIMES} times (COCOSEARCH_TEST_EDITORS names a folder with bin/${name}, and there is tmux)`,
    async (_how, end) => {
      const person = desk({ COCOSEARCH_LOG_LEVEL: "debug" });
      onTestFinished(() => person.clear());
      await configure(person, program ?? "");
      // An engine that is still making its database finishes that before it leaves.
      await person.run(person.at("bin/cocosearch-lsp"), ["index"]);
      noteServers(person);
      const terminals = Array.from({ length: TIMES }, (_, index) =>
        terminal(person, [program ?? "", ...args], `tmux-${index}`),
      );
      onTestFinished(() => terminals.forEach((each) => each.close()));
      const servers = await allAtWork(person, terminals);

      end(servers, terminals);
      await until("the end of the servers", () => !servers.some(isRunning));
      await person.left([]);
      expect(servers.filter(isRunning)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
