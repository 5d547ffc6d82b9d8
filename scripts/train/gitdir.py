"""Reads git directories without a checkout."""

import os
import subprocess
from collections.abc import Iterator

# Nothing is fetched while it runs: what a partial clone lacks stays absent.
ENVIRONMENT = {**os.environ, "GIT_NO_LAZY_FETCH": "1"}


def git(git_dir: str, *args: str, stdin: bytes = b"") -> bytes:
    """What the command printed; nothing when it failed."""
    command = ["git", f"--git-dir={git_dir}", *args]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, env=ENVIRONMENT).stdout


def texts_of(git_dir: str, revision: str, folder: str, largest: int) -> Iterator[tuple[str, str]]:
    """Path and text of each file under the folder ("" for all), up to a number of bytes; binary files are left out."""
    listing = git(git_dir, "ls-tree", "-r", "-z", revision, *([f"{folder}/"] if folder else []))
    entries = [entry.split("\t", 1) for entry in listing.decode("utf-8", "replace").split("\0")]
    blobs = [(head.split(" ")[2], path) for head, path in (e for e in entries if len(e) == 2) if " blob " in head]
    answer = git(git_dir, "cat-file", "--batch", stdin="\n".join(blob for blob, _ in blobs).encode())
    at = 0
    for _, path in blobs:
        end = answer.index(b"\n", at)
        head = answer[at:end].split(b" ")
        at = end + 1
        if len(head) < 3:
            continue
        content = answer[at : at + int(head[2])]
        at += int(head[2]) + 1
        if len(content) <= largest and b"\0" not in content[:8000]:
            yield path, content.decode("utf-8", "replace")
