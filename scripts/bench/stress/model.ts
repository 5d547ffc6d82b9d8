/** A model of a repository of files with one function each, changed at random: the definitions on disk, with the time of their change. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A function, its file, and the time since it is there. */
export interface Definition {
  readonly name: string;
  readonly path: string;
  readonly since: number;
}

/** Every seventh file is another one on the second branch. */
const CHANGED_BY_BRANCH = 7;
const FOLDERS = 20;

export class Model {
  readonly root: string;
  changes = 0;
  switches = 0;
  readonly #files = new Map<string, Definition>();
  readonly #gone = new Map<string, number>();
  #state: number;
  #newest: Definition | undefined;
  #branch = 0;

  constructor(root: string, seed: number) {
    this.root = root;
    this.#state = seed;
  }

  /** The same numbers for the same seed (mulberry32). */
  random = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.random() * from.length)];
  }

  create(files: number): void {
    mkdirSync(this.root, { recursive: true });
    this.#git("init", "-q", "-b", "branch0");
    for (let i = 0; i < files; i++) this.write(`area${i % FOLDERS}/part${i}.py`);
    this.#commit();
    this.#git("checkout", "-q", "-b", "branch1");
    [...this.#files.keys()].forEach((path, i) => {
      if (i % CHANGED_BY_BRANCH === 0) this.write(path);
    });
    this.#commit();
    this.#git("checkout", "-q", "branch0");
    this.#read();
    this.changes = 0;
    this.#gone.clear();
  }

  /** A name that nothing else is like. */
  name(): string {
    const letters = Array.from({ length: 14 }, () =>
      String.fromCharCode(97 + Math.floor(this.random() * 26)),
    );
    return `do_${letters.join("")}`;
  }

  textOf(name: string): string {
    return `"""What ${name} is for."""\n\n\ndef ${name}(entries):\n    return [entry for entry in entries if entry]\n`;
  }

  write(path: string): void {
    const name = this.name();
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), this.textOf(name));
    this.#set(path, name);
  }

  /** One file that is open nowhere is edited, made, removed or renamed. */
  changeOne(isOpen: (path: string) => boolean): void {
    const dice = this.random();
    const path = this.pick([...this.#files.keys()].filter((each) => !isOpen(each)));
    if (path === undefined || dice < 0.1)
      this.write(`area${Math.floor(this.random() * FOLDERS)}/${this.name()}.py`);
    else if (dice < 0.2) {
      rmSync(join(this.root, path));
      this.#remove(path);
      this.changes++;
    } else if (dice < 0.3) {
      const to = `area${Math.floor(this.random() * FOLDERS)}/${this.name()}.py`;
      renameSync(join(this.root, path), join(this.root, to));
      const name = this.#files.get(path)?.name ?? "";
      this.#remove(path);
      this.#set(to, name);
    } else this.write(path);
  }

  switchBranch(): void {
    this.#commit();
    this.#branch = 1 - this.#branch;
    this.#git("checkout", "-q", `branch${this.#branch}`);
    this.#read();
    this.switches++;
  }

  /** The text that was written last, once. */
  newest(): Definition | undefined {
    const newest = this.#newest;
    this.#newest = undefined;
    return newest;
  }

  isCurrent({ name, path, since }: Definition): boolean {
    const now = this.#files.get(path);
    return now?.name === name && now.since === since;
  }

  whenIdle(before: number, isHidden: (path: string) => boolean): Definition[] {
    return [...this.#files.values()].filter(({ path, since }) => since < before && !isHidden(path));
  }

  gone(before: number): string[] {
    return [...this.#gone].filter(([, at]) => at < before).map(([name]) => name);
  }

  has(name: string): boolean {
    return !this.#gone.has(name);
  }

  /** From now on the text on disk counts again: a buffer that hid it was closed. */
  touched(path: string): void {
    const definition = this.#files.get(path);
    if (definition !== undefined)
      this.#files.set(path, { ...definition, since: performance.now() });
  }

  at(path: string): Definition | undefined {
    return this.#files.get(path);
  }

  paths(): string[] {
    return [...this.#files.keys()];
  }

  #set(path: string, name: string): void {
    this.#remove(path);
    const definition = { name, path, since: performance.now() };
    this.#files.set(path, definition);
    this.#gone.delete(name);
    this.#newest = definition;
    this.changes++;
  }

  #remove(path: string): void {
    const before = this.#files.get(path);
    if (before !== undefined) this.#gone.set(before.name, performance.now());
    this.#files.delete(path);
  }

  /** The text on disk after git has changed it. */
  #read(): void {
    const found = new Set<string>();
    for (const entry of readdirSync(this.root, { recursive: true, encoding: "utf8" })) {
      if (!entry.endsWith(".py")) continue;
      found.add(entry);
      const name = /^def (\w+)/m.exec(readFileSync(join(this.root, entry), "utf8"))?.[1] ?? "";
      if (this.#files.get(entry)?.name !== name) this.#set(entry, name);
    }
    for (const path of this.#files.keys()) if (!found.has(path)) this.#remove(path);
    // A function that moved from one file to another is not gone.
    for (const { name } of this.#files.values()) this.#gone.delete(name);
  }

  #commit(): void {
    this.#git("add", "-A");
    this.#git(
      "-c",
      "user.name=stress",
      "-c",
      "user.email=stress@localhost",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "work",
    );
  }

  #git(...args: readonly string[]): void {
    execFileSync("git", ["-C", this.root, ...args], { stdio: ["ignore", "ignore", "inherit"] });
  }
}
