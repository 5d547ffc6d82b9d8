"""Excludes training pairs that share a run of words with the repositories on which the model is judged.

usage: exclusion.py JUDGED_LIST MIRROR OUT.npy

Writes the hashes of all runs of 20 words in the judged repositories, which MIRROR holds as `owner+name/repo`.
"""

import hashlib
import json
import os
import re
import sys
from functools import lru_cache
from multiprocessing import Pool

import numpy as np
from gitdir import texts_of
from tokenizer import words_of

RUN = 20
# Odd, so that no word's bits are lost; the sum is taken modulo 2^64.
BASE = 0x9E3779B97F4A7C15
BYTE = np.uint64(37)
# The code of CoSQA is one file of 5 MB.
LARGEST_BYTES = 8_000_000
DATA = re.compile(r"\.(html|svg|json|lock|xml|csl|native|t?tok|snap|pbxproj|storyboard|api)$")


def main(judged: str, mirror: str, out: str) -> None:
    with Pool(2) as pool:
        found = pool.starmap(runs_in, [(mirror, *row) for row in read_list(judged)])
    hashes = np.unique(np.concatenate(found))
    np.save(out, hashes)
    print(f"{len(hashes)} runs of 20 words in judged text")


class Runs:
    """The runs as a set that answers quickly. `hashes`: uint64, sorted."""

    def __init__(self, hashes: np.ndarray):
        self.hashes = hashes
        # One bit a run, by its high bits: nearly every question ends here.
        self.bits = np.zeros(1 << 27, np.uint8)
        np.bitwise_or.at(self.bits, self.hashes >> BYTE, bit_of(self.hashes))

    def shares(self, words: list[str]) -> bool:
        runs = runs_of(word_hashes(words))
        runs = runs[self.bits[runs >> BYTE] & bit_of(runs) > 0]
        if len(runs) == 0:
            return False
        at = np.minimum(np.searchsorted(self.hashes, runs), len(self.hashes) - 1)
        return bool((self.hashes[at] == runs).any())


def read_list(file: str) -> list[tuple[str, str]]:
    """Name and folder of each line; the folder is "" where all of the repository is judged."""
    with open(file, encoding="utf-8") as lines:
        rows = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    return [(row[0], row[1] if len(row) > 1 else "") for row in rows]


def bit_of(runs: np.ndarray) -> np.ndarray:
    return (np.uint8(1) << (runs >> np.uint64(34) & np.uint64(7)).astype(np.uint8)).astype(np.uint8)


def runs_in(mirror: str, name: str, folder: str) -> np.ndarray:
    git_dir = os.path.join(mirror, name.replace("/", "+"), "repo")
    found = [np.empty(0, np.uint64)]
    for path, text in texts_of(git_dir, "HEAD", folder, LARGEST_BYTES):
        if not DATA.search(path):
            found.append(runs_of(word_hashes(words_of(text))))
        # The code of CoSQA is the keys of a JSON object, in which line feeds are escaped.
        if path.endswith("code_idx_map.txt"):
            found.extend(runs_of(word_hashes(words_of(code))) for code in json.loads(text))
    if len(found) == 1:
        raise SystemExit(f"{git_dir} has no text: fetch {name}")
    return np.unique(np.concatenate(found))


@lru_cache(maxsize=2_000_000)
def word_hash(word: str) -> int:
    data = word.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def word_hashes(words: list[str]) -> np.ndarray:
    return np.array([word_hash(word) for word in words], np.uint64)


def runs_of(hashes: np.ndarray) -> np.ndarray:
    """One polynomial hash for each 20 words in a row; none for fewer."""
    count = len(hashes) - RUN + 1
    if count <= 0:
        return np.empty(0, np.uint64)
    value = np.zeros(count, np.uint64)
    for offset in range(RUN):
        value = value * np.uint64(BASE) + hashes[offset : offset + count]
    return value


if __name__ == "__main__":
    main(*sys.argv[1:])
