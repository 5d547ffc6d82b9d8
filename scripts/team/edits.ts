/** Random edits of a work tree, as people make them: lines are added and changed, files are added, deleted, moved and restored. */

import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { workFiles } from "./questions.ts";

/** Files of texts that are edited; the rest of the repository stays as it is. */
const EDITED = /\.(?:c|h|go|java|js|md|php|py|rb|rs|rst|ts)$/;
const MAX_BYTES = 100_000;

interface Tree {
  readonly root: string;
  readonly random: () => number;
}

export function git(root: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=team", "-c", "user.email=team@localhost"];
  return execFileSync("git", ["-C", root, ...identity, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 2 ** 28,
  }).trim();
}

const pick = <T>(from: readonly T[], random: () => number) =>
  from[Math.floor(random() * from.length)] as T;

function word(random: () => number): string {
  return Array.from({ length: 9 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join(
    "",
  );
}

type Edit = (tree: Tree, path: string) => void;

const replace = ({ root }: Tree, path: string, change: (text: string) => string) =>
  writeFileSync(join(root, path), change(readFileSync(join(root, path), "utf8")));

/** Python and others take different comments; for an index each line is text. */
const EDITS: readonly Edit[] = [
  (tree, path) => {
    const [name, about] = [word(tree.random), word(tree.random)];
    const added = `\n\ndef ${name}(entries):\n    """Sorts the ${about} of all entries."""\n    return sorted(entries)\n`;
    replace(tree, path, (text) => text + added);
  },
  // A line in the middle is changed.
  (tree, path) =>
    replace(tree, path, (text) => {
      const lines = text.split("\n");
      const at = Math.floor(tree.random() * lines.length);
      return lines.toSpliced(at, 1, `${lines[at]} ${word(tree.random)}`).join("\n");
    }),
  // Lines go.
  (tree, path) =>
    replace(tree, path, (text) => {
      const lines = text.split("\n");
      return lines.toSpliced(Math.floor(tree.random() * lines.length), 5).join("\n");
    }),
  // The size stays.
  (tree, path) =>
    replace(tree, path, (text) =>
      text.replace(/[a-z](?=[^a-z]*$)/, (letter) => (letter === "q" ? "z" : "q")),
    ),
  ({ root, random }, path) => {
    const target = join(dirname(path), `${word(random)}${extname(path)}`);
    writeFileSync(join(root, target), readFileSync(join(root, path)));
  },
  ({ root }, path) => rmSync(join(root, path)),
  ({ root, random }, path) => {
    const folder = join(root, dirname(path), random() < 0.5 ? word(random) : "");
    mkdirSync(folder, { recursive: true });
    renameSync(join(root, path), join(folder, `${word(random)}${extname(path)}`));
  },
  // Back to the commit, where it has the file.
  ({ root }, path) => {
    if (git(root, "ls-tree", "HEAD", "--", path) !== "")
      git(root, "checkout", "-q", "HEAD", "--", path);
  },
];

export function edit(tree: Tree, count: number): void {
  for (let i = 0; i < count; i++) {
    const paths = workFiles(tree.root).filter((path) => isEdited(join(tree.root, path)));
    pick(EDITS, tree.random)(tree, pick(paths, tree.random));
  }
}

function isEdited(file: string): boolean {
  return EDITED.test(file) && lstatSync(file).size < MAX_BYTES;
}

/** Commits everything on the current branch; the hash. */
export function commitAll(root: string, message: string): string {
  git(root, "add", "-A");
  git(root, "commit", "-q", "--allow-empty", "-m", message);
  return git(root, "rev-parse", "HEAD");
}
