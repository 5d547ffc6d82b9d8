/** Makes the working trees that agents see: a repository at a commit with its history, or a strange one without. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { SourceFile } from "./rename/own-names.ts";
import { createRenamer, type Renamer } from "./rename/renamer.ts";
import type { Repository } from "./tasks.ts";

export interface Tree {
  readonly root: string;
  /** The same only for the same contents. */
  readonly stamp: string;
  /** How the names of this tree differ from the repository's; undefined where they do not. */
  readonly renamer: Renamer | undefined;
}

const WORD_LISTS = join(import.meta.dirname, "../../test/agents");
/** Longer files are data. */
const MAX_BYTES = 1_000_000;
/** The same hash of the only commit in every run. */
const COMMIT_ENVIRONMENT = {
  GIT_AUTHOR_NAME: "Author",
  GIT_AUTHOR_EMAIL: "author@example.com",
  GIT_AUTHOR_DATE: "2020-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "Author",
  GIT_COMMITTER_EMAIL: "author@example.com",
  GIT_COMMITTER_DATE: "2020-01-01T00:00:00Z",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

/** The repository as it is, with its history up to the commit. */
export function plainTree(repository: Repository, clones: string, work: string): Tree {
  const root = join(work, "plain", basename(repository.name));
  if (!existsSync(join(root, ".git"))) {
    mkdirSync(dirname(root), { recursive: true });
    git(dirname(root), "clone", "--quiet", "--no-checkout", cloneOf(repository.name, clones), root);
    git(root, "remote", "remove", "origin");
    if (repository.paths !== undefined)
      git(root, "sparse-checkout", "set", "--no-cone", ...repository.paths);
    git(root, "checkout", "--quiet", "--detach", repository.commit);
  }
  if (git(root, "rev-parse", "HEAD").trim() !== repository.commit)
    throw new Error(`${root} is not at ${repository.commit}; delete it`);
  return { root, stamp: repository.commit, renamer: undefined };
}

/** The repository with other names and one commit; it is made once for a seed. */
export async function strangeTree(
  repository: Repository,
  seed: number,
  clones: string,
  work: string,
): Promise<Tree> {
  const files = filesAt(repository, cloneOf(repository.name, clones));
  const renamer = await createRenamer(files, {
    seed,
    identity: repository.identity,
    lists: wordLists(),
  });
  const renamed = files.map(({ path, text }) => ({
    path: renamer.path(path),
    text: renamer.text(path, text),
  }));
  const stamp = createHash("sha256").update(JSON.stringify(renamed)).digest("hex").slice(0, 12);
  const root = join(work, `strange-${stamp}`, renamer.path(basename(repository.name)));
  if (!existsSync(join(root, ".git"))) writeTree(root, renamed);
  return { root, stamp, renamer };
}

function wordLists() {
  const linesOf = (file: string) => readFileSync(join(WORD_LISTS, file), "utf8").trim().split("\n");
  return {
    synonyms: linesOf("synonyms.txt").map((line) => line.split(" ")),
    words: linesOf("words.txt"),
  };
}

function writeTree(root: string, files: readonly SourceFile[]): void {
  rmSync(root, { recursive: true, force: true });
  for (const { path, text } of files) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    if (existsSync(file)) throw new Error(`two files are renamed to ${path}; choose another seed`);
    writeFileSync(file, text);
  }
  git(root, "init", "--quiet", "--initial-branch=main");
  git(root, "add", "--all", "--force");
  git(root, "-c", "commit.gpgsign=false", "commit", "--quiet", "--message=Import");
}

/** Files that reveal the project and say nothing about its code. */
const TELLING =
  /(?:^|\/)(?:LICENSE|AUTHORS|CONTRIBUTORS|NEWS|CHANGELOG|HISTORY|SECURITY|README|CODE_OF_CONDUCT|CONTRIBUTING|AGENTS|CLAUDE)[^/]*$|^\.|\/\.|(?:^|\/)news\.rst$|\.lock$|(?:^|\/)go\.sum$|package-lock\.json$|\/locales?\//i;

/** The text files of the repository at its commit. */
function filesAt({ commit, paths = [] }: Repository, clone: string): SourceFile[] {
  const listing = git(
    clone,
    "ls-tree",
    "-r",
    "-l",
    "-z",
    commit,
    ...(paths.length === 0 ? [] : ["--", ...paths]),
  );
  const names = listing.split("\0").flatMap((line) => {
    const [, mode, size, path] = /^(\d+) blob \w+ +(\d+)\t(.*)$/s.exec(line) ?? [];
    const isFile = path !== undefined && mode !== "120000" && Number(size) <= MAX_BYTES;
    return isFile && !TELLING.test(path) ? [path] : [];
  });
  const request = names.map((path) => `${commit}:${path}\n`).join("");
  const answer = execFileSync("git", ["-C", clone, "cat-file", "--batch"], {
    input: request,
    maxBuffer: 1e9,
  });
  const files: SourceFile[] = [];
  let at = 0;
  for (const path of names) {
    const end = answer.indexOf(10, at);
    const size = Number(answer.subarray(at, end).toString().split(" ")[2]);
    const bytes = answer.subarray(end + 1, end + 1 + size);
    if (!bytes.includes(0)) files.push({ path, text: bytes.toString("utf8") });
    at = end + 1 + size + 1;
  }
  return files;
}

/** A git directory or a checkout in the folder of clones, as `owner+name`, `owner/name` or `name`. */
export function cloneOf(name: string, clones: string): string {
  const candidates = [name.replace("/", "+"), name, basename(name)].map((each) =>
    resolve(clones, each),
  );
  for (const folder of candidates) {
    for (const inside of ["", ...foldersIn(folder)]) {
      const found = join(folder, inside);
      if (existsSync(join(found, "HEAD")) || existsSync(join(found, ".git"))) return found;
    }
  }
  throw new Error(
    `no clone of ${name} in ${clones}: git clone https://github.com/${name} ${candidates[0]}`,
  );
}

function foldersIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", ["-C", folder, ...args], {
    encoding: "utf8",
    maxBuffer: 1e9,
    env: { ...process.env, ...COMMIT_ENVIRONMENT },
  });
}
