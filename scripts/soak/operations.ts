/** Operations of people, git and package managers on a repository. Each leaves a state that the others can start from. */

import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Repository } from "./repository.ts";

const BRANCHES = ["main", "feature", "other"];
const PACKAGES = 40;
const FILES_PER_PACKAGE = 8;
const MAX_FILES = 600;

type Operation = (repository: Repository) => void;

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  edit: (repository) => {
    for (let i = 0; i < 5; i++) repository.write(repository.pick(repository.paths()));
  },
  "new nested folders": (repository) => {
    const folder = `new_${repository.name()}/a/b/c`;
    repository.write(`${folder}/one.py`);
    repository.write(`${folder}/deeper/two.py`);
    repository.write(`${dirname(folder)}/three.py`);
  },
  "rename a file": (repository) => {
    const path = repository.pick(repository.paths());
    move(repository, path, `${dirname(path)}/renamed_${repository.name()}.py`);
  },
  "move a tree inside": (repository) => {
    const folder = repository.pick(repository.folders());
    move(repository, folder, `moved_${repository.name()}/${folder.split("/").at(-1) ?? ""}`);
  },
  "move a tree out and another one in": (repository) => {
    const folder = repository.pick(repository.folders());
    const away = join(dirname(repository.root), `away_${repository.name()}`);
    renameSync(join(repository.root, folder), away);
    cpSync(away, join(dirname(repository.root), "inbound"), { recursive: true });
    renameSync(
      join(dirname(repository.root), "inbound"),
      join(repository.root, `back_${repository.name()}`),
    );
    rmSync(away, { recursive: true });
  },
  "delete a folder and make it again": (repository) => {
    const folder = repository.pick(repository.folders());
    repository.remove(folder);
    repository.write(`${folder}/again_${repository.name()}.py`);
    repository.write(`${folder}/inner/again_${repository.name()}.py`);
  },
  "a branch is checked out": (repository) => {
    clean(repository);
    repository.git("checkout", "-q", repository.pick(BRANCHES));
  },
  "checkouts back and forth": (repository) => {
    clean(repository);
    for (const branch of ["feature", "main", "other", "feature"]) {
      repository.git("checkout", "-q", branch);
    }
  },
  "paths of another branch": (repository) => {
    clean(repository);
    const folder = repository.pick(repository.folders());
    repository.tryGit("checkout", repository.pick(BRANCHES), "--", folder);
  },
  rebase: (repository) => {
    clean(repository);
    repository.git("checkout", "-q", "-B", "topic", "main");
    for (let i = 0; i < 3; i++) {
      repository.write(`topic/${repository.name()}.py`);
      repository.commit(`topic ${i}`);
    }
    if (!repository.tryGit("rebase", "-q", "other")) repository.git("rebase", "--abort");
  },
  merge: (repository) => {
    clean(repository);
    const merged = repository.tryGit("merge", "-q", "-m", "merge", repository.pick(BRANCHES));
    if (!merged) repository.git("merge", "--abort");
  },
  "stash and pop": (repository) => {
    clean(repository);
    repository.write(repository.pick(repository.paths()));
    repository.write(`stashed/${repository.name()}.py`);
    repository.git("stash", "push", "-q", "-u");
    repository.git("checkout", "-q", repository.pick(BRANCHES));
    if (!repository.tryGit("stash", "pop", "-q")) {
      repository.git("reset", "-q", "--hard");
      repository.git("stash", "drop", "-q");
    }
  },
  "a worktree inside": (repository) => {
    repository.git("worktree", "prune");
    const tree = `trees/${repository.name()}`;
    repository.git("worktree", "add", "-q", "--detach", tree, repository.pick(BRANCHES));
    if (repository.chance() < 0.7) repository.git("worktree", "remove", "--force", tree);
  },
  "a submodule": (repository) => {
    clean(repository);
    const source = join(dirname(repository.root), "library");
    const path = `modules/${repository.name()}`;
    repository.git("submodule", "--quiet", "add", source, path);
    repository.commit("with a submodule");
    if (repository.chance() < 0.7) {
      repository.git("submodule", "--quiet", "deinit", "-f", path);
      repository.git("rm", "-q", "-f", path);
      repository.commit("without it");
    }
  },
  "sparse checkout": (repository) => {
    clean(repository);
    const folders = [repository.pick(repository.folders()), repository.pick(repository.folders())];
    repository.git("sparse-checkout", "set", ...folders);
    if (repository.chance() < 0.8) repository.git("sparse-checkout", "disable");
  },
  "clean and reset": (repository) => {
    repository.write(`untracked/${repository.name()}.py`);
    repository.write(repository.pick(repository.paths()));
    repository.git("reset", "-q", "--hard");
    repository.git("clean", "-q", "-ffdx");
  },
  "packages are installed": (repository) => {
    for (let i = 0; i < PACKAGES; i++) {
      for (let j = 0; j < FILES_PER_PACKAGE; j++) {
        repository.write(`node_modules/package${i}/lib/file${j}.py`);
      }
    }
    if (repository.chance() < 0.5) repository.remove("node_modules");
  },
  "vendored packages come and go": (repository) => {
    repository.remove("third_party");
    for (let i = 0; i < PACKAGES; i++) repository.write(`third_party/p${i}/src/file.py`);
    if (repository.chance() < 0.5) repository.remove("third_party");
  },
  "ignore rules change": (repository) => {
    clean(repository);
    const ignored =
      repository.chance() < 0.5 ? "ignored/\n*.tmp.py\n" : "*.tmp.py\nignored/\n# same\n";
    writeFileSync(join(repository.root, ".gitignore"), ignored);
    repository.write("ignored/a.py");
    repository.write("area0/x.tmp.py");
  },
  "the root is moved away and back": (repository) => {
    const away = `${repository.root}.away`;
    renameSync(repository.root, away);
    mkdirSync(repository.root);
    rmSync(repository.root, { recursive: true });
    renameSync(away, repository.root);
  },
  "everything is deleted and restored": (repository) => {
    clean(repository);
    for (const folder of repository.folders()) repository.remove(folder);
    repository.git("checkout", "-q", "-f", "HEAD", "--", ".");
  },
  "commits are collected": (repository) => {
    repository.commit("work");
    repository.git("gc", "-q", "--prune=now");
  },
};

/** Drops uncommitted changes; a branch with too many files is left for `main`. */
export function clean(repository: Repository): void {
  repository.tryGit("sparse-checkout", "disable");
  repository.git("reset", "-q", "--hard");
  repository.git("clean", "-q", "-ffdx");
  if (repository.paths().length > MAX_FILES) repository.git("checkout", "-q", "-f", "main");
}

function move(repository: Repository, from: string, to: string): void {
  mkdirSync(dirname(join(repository.root, to)), { recursive: true });
  renameSync(join(repository.root, from), join(repository.root, to));
}
