"""Brings the sources of a list together as git directories, and refuses those whose license is not permissive.

usage: sources.py SOURCES.tsv JUDGED_LIST MIRROR OUT.txt

Each row is: kind, name, revision, license. `git` is a repository of GitHub at a commit, `pypi` the wheel of a package at
a version, `judged` comes from JUDGED_LIST and is brought but not learned from. MIRROR holds `owner+name/repo`; what it
lacks is downloaded. Writes `name=gitdir@revision` for every source that may be learned from.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

from exclusion import read_list
from gitdir import git
from licenses import LICENSE_FILE, judge

# What harvest.ts reads of a history.
DEPTH = 2000


def main(list_file: str, judged_file: str, mirror: str, out: str) -> int:
    judged = {name for name, _ in read_list(judged_file)}
    for name in judged:
        bring_repository(name, "HEAD", folder_of(mirror, name))
    accepted, refused = [], []
    with open(list_file, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    for kind, name, revision, license in rows:
        folder = folder_of(mirror, name if kind == "git" else f"{kind}/{name}")
        if kind == "git":
            bring_repository(name, revision, folder)
        else:
            revision = bring_wheel(name, revision, folder)
        problem = "the model is judged on it" if name in judged else judge(folder, revision, license).problem
        if problem:
            refused.append(f"{name}: {problem}")
        else:
            accepted.append(f"{kind}/{name}={folder}@{revision}" if kind != "git" else f"{name}={folder}@{revision}")
    with open(out, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in accepted)
    print(f"{len(accepted)} sources may be learned from, {len(refused)} are refused")
    print("\n".join(refused))
    return 1 if refused else 0


def folder_of(mirror: str, name: str) -> str:
    return os.path.join(mirror, name.replace("/", "+"), "repo")


def bring_repository(name: str, revision: str, folder: str) -> None:
    if git(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"):
        return
    subprocess.run(["git", "init", "--quiet", "--bare", folder], check=True)
    fetch = ["fetch", "--quiet", f"--depth={DEPTH}", f"https://github.com/{name}", revision]
    subprocess.run(["git", f"--git-dir={folder}", *fetch], check=True)
    if revision == "HEAD":
        subprocess.run(["git", f"--git-dir={folder}", "update-ref", "refs/heads/judged", "FETCH_HEAD"], check=True)
        subprocess.run(["git", f"--git-dir={folder}", "symbolic-ref", "HEAD", "refs/heads/judged"], check=True)


def bring_wheel(name: str, version: str, folder: str) -> str:
    """The wheel's files as a repository of one commit, licenses at its root; that commit."""
    if not git(folder, "rev-parse", "--verify", "--quiet", f"refs/tags/{version}"):
        with tempfile.TemporaryDirectory() as work:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
            subprocess.run([*pip, "--dest", work, f"{name}=={version}"], check=True)
            (wheel,) = (os.path.join(work, file) for file in os.listdir(work))
            import_wheel(wheel, version, folder)
    return git(folder, "rev-parse", f"refs/tags/{version}").decode().strip()


def import_wheel(wheel: str, version: str, folder: str) -> None:
    tree = f"{wheel}.tree"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tree, [name for name in archive.namelist() if is_text(name)])
    for path, _, files in os.walk(tree):
        for file in files:
            if ".dist-info" in path and LICENSE_FILE.match(file):
                shutil.copy(os.path.join(path, file), os.path.join(tree, f"LICENSE-{file}"))
    subprocess.run(["git", "init", "--quiet", "--bare", folder], check=True)
    command = ["git", f"--git-dir={folder}", f"--work-tree={tree}", "-c", "user.name=train", "-c", "user.email=train@localhost"]
    subprocess.run([*command, "add", "--all", "--force", "."], check=True, cwd=tree)
    date = "2000-01-01T00:00:00Z"
    environment = {**os.environ, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    subprocess.run([*command, "commit", "--quiet", "-m", version], check=True, env=environment, cwd=tree)
    subprocess.run([*command, "tag", version], check=True, cwd=tree)


def is_text(name: str) -> bool:
    return name.endswith((".py", ".pyi", ".md", ".txt", ".rst")) or ".dist-info/" in name


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
