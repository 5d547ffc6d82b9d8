/** A repository whose files define one function each with a unique name. Its state is always read from disk. */

import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const FILES_PER_FOLDER = 20;

/** Folders that a search must not find. */
const IGNORED = ["node_modules", "ignored", ".git"];

export class Repository {
  readonly root: string;
  readonly #random: () => number;

  constructor(root: string, random: () => number) {
    this.root = root;
    this.#random = random;
  }

  /** Three branches: two differ from the first in every fourth and every third file. */
  create(files: number): void {
    mkdirSync(this.root, { recursive: true });
    this.git("init", "-q", "-b", "main");
    writeFileSync(join(this.root, ".gitignore"), "ignored/\n*.tmp.py\n");
    for (let i = 0; i < files; i++)
      this.write(`area${Math.floor(i / FILES_PER_FOLDER)}/part${i}.py`);
    this.commit("begin");
    for (const [branch, every] of [
      ["feature", 4],
      ["other", 3],
    ] as const) {
      this.git("checkout", "-q", "-b", branch, "main");
      this.paths().forEach((path, i) => {
        if (i % every === 0) this.write(path);
      });
      this.commit(branch);
    }
    this.git("checkout", "-q", "main");
  }

  chance(): number {
    return this.#random();
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new Error("nothing to pick from");
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  name(): string {
    return Array.from({ length: 14 }, () =>
      String.fromCharCode(97 + Math.floor(this.#random() * 26)),
    ).join("");
  }

  write(path: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    const name = `do_${this.name()}`;
    writeFileSync(
      file,
      `"""What ${name} is for."""\n\n\ndef ${name}(entries):\n    return [entry for entry in entries if entry]\n`,
    );
  }

  commit(message: string): void {
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", message);
  }

  git(...args: readonly string[]): string {
    return gitIn(this.root, ...args);
  }

  /** False where git refuses or finds a conflict. */
  tryGit(...args: readonly string[]): boolean {
    try {
      this.git(...args);
      return true;
    } catch (error) {
      if (error instanceof Error && "status" in error) return false;
      throw error;
    }
  }

  /** The functions on disk that a search has to find, by path. */
  functions(): Map<string, string> {
    const found = new Map<string, string>();
    for (const path of this.paths()) {
      const name = /^def (\w+)/m.exec(readFileSync(join(this.root, path), "utf8"))?.[1];
      if (name !== undefined) found.set(path, name);
    }
    return found;
  }

  paths(folder = ""): string[] {
    if (!existsSync(join(this.root, folder))) return [];
    const entries = readdirSync(join(this.root, folder), { withFileTypes: true });
    return entries.flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (IGNORED.includes(entry.name)) return [];
      if (entry.isDirectory()) return this.#isWorktree(path) ? [] : this.paths(path);
      return entry.name.endsWith(".py") && !entry.name.endsWith(".tmp.py") ? [path] : [];
    });
  }

  /** The index of a folder leaves out linked worktrees inside it, and contains submodules. */
  #isWorktree(folder: string): boolean {
    const file = join(this.root, folder, ".git");
    const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    return isFile && readFileSync(file, "utf8").includes("/worktrees/");
  }

  /** Folders that hold files, at any depth. */
  folders(): string[] {
    return [...new Set(this.paths().map((path) => dirname(path)))];
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true });
  }
}

function gitIn(folder: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=soak", "-c", "user.email=soak@localhost"];
  return execFileSync(
    "git",
    ["-C", folder, ...identity, "-c", "protocol.file.allow=always", ...args],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_EDITOR: "true" },
      maxBuffer: 100_000_000,
    },
  );
}
