"""Turns harvested pairs into the arrays that training reads: judged text excluded, a vocabulary chosen, words counted.

usage: prepare.py PAIRS_FOLDER JUDGED_RUNS.npy OUT.npz
"""

import glob
import json
import os
import pickle
import sys
from collections import Counter
from dataclasses import dataclass
from multiprocessing import Pool

import numpy as np
from exclusion import Runs
from tokenizer import Encoder, path_text, words_of

WORDS = 12_000
PIECES = 4_000
# For pairs of characters that no piece has; the server's format has them after the words.
BUCKETS = 512
LONGEST_QUERY = 48
LONGEST_CODE = 400
# A question has few words and all of them matter: they count this many times for the vocabulary.
QUERY_COUNT = 4
# Pieces come out of the words that have no row of their own; rarer ones are mostly noise.
PIECE_SOURCES = 80_000
KINDS = ["doc", "inline", "test", "path", "prose", "commit"]
FIELDS = ["query", "body", "path", "names"]


@dataclass
class Shard:
    """The pairs of one repository: for each field all words as numbers of `types`, and where each pair begins."""

    repository: str
    types: list[str]
    words: dict[str, np.ndarray]
    starts: dict[str, np.ndarray]
    kinds: np.ndarray
    languages: list[str]
    excluded: int


def main(pairs: str, judged: str, out: str) -> None:
    runs = Runs(np.load(judged))
    files = sorted(glob.glob(os.path.join(pairs, "*.jsonl")), key=os.path.getsize, reverse=True)
    with Pool(2, initializer=share, initargs=(runs,)) as pool:
        shards = sorted(pool.imap_unordered(read_shard, files), key=lambda shard: shard.repository)
    dropped = sum(shard.excluded for shard in shards)
    kept = sum(len(shard.kinds) for shard in shards)
    print(f"{kept} pairs of {len(shards)} repositories; {dropped} excluded for sharing 20 words with judged text")
    save(shards, out)


def share(runs: Runs) -> None:
    read_shard.runs = runs


def read_shard(file: str) -> Shard:
    types: dict[str, int] = {}
    columns = {field: [] for field in FIELDS}
    starts = {field: [0] for field in FIELDS}
    kinds: list[int] = []
    languages: list[str] = []
    excluded = 0
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            pair = json.loads(line)
            query = words_of(pair["query"])[:LONGEST_QUERY]
            body = words_of(pair["code"])[:LONGEST_CODE]
            if len(query) < 2 or len(body) < 5:
                continue
            if read_shard.runs.shares(query) or read_shard.runs.shares(body):
                excluded += 1
                continue
            texts = [query, body, words_of(path_text(pair["path"])), words_of(" ".join(pair["names"]))]
            for field, words in zip(FIELDS, texts, strict=True):
                columns[field].extend(types.setdefault(word, len(types)) for word in words)
                starts[field].append(len(columns[field]))
            kinds.append(KINDS.index(pair["kind"]))
            languages.append(pair["language"])
    return Shard(
        os.path.basename(file)[: -len(".jsonl")],
        list(types),
        {field: np.array(column, np.int32) for field, column in columns.items()},
        {field: np.array(start, np.int64) for field, start in starts.items()},
        np.array(kinds, np.int8),
        languages,
        excluded,
    )


def save(shards: list[Shard], out: str) -> None:
    counts = count_words(shards)
    vocabulary = choose_vocabulary(counts)
    encoder = Encoder(vocabulary, BUCKETS)
    rows = len(vocabulary) + BUCKETS
    arrays: dict[str, np.ndarray] = {"kind": np.concatenate([shard.kinds for shard in shards])}
    languages = sorted({language for shard in shards for language in shard.languages})
    place = {language: i for i, language in enumerate(languages)}
    arrays["language"] = np.array([place[each] for shard in shards for each in shard.languages], np.int16)
    arrays["repository"] = np.repeat(np.arange(len(shards)), [len(shard.kinds) for shard in shards]).astype(np.int32)
    encoded = [encode_types(shard.types, encoder) for shard in shards]
    for field in FIELDS:
        bags = [count_rows(shard, field, *code, rows) for shard, code in zip(shards, encoded, strict=True)]
        arrays[f"{field}_ids"] = np.concatenate([bag[0] for bag in bags])
        arrays[f"{field}_counts"] = np.concatenate([bag[1] for bag in bags])
        lengths = np.concatenate([bag[2] for bag in bags])
        arrays[f"{field}_starts"] = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    np.savez(out, **arrays)
    names = {"vocabulary": vocabulary, "buckets": BUCKETS, "languages": languages}
    with open(f"{out}.names", "wb") as file:
        pickle.dump({**names, "repositories": [shard.repository for shard in shards]}, file)
    print(f"{len(vocabulary)} words and pieces; {len(arrays['body_ids']) / 1e6:.1f} M counts of code words")


def count_words(shards: list[Shard]) -> Counter:
    counts: Counter = Counter()
    for shard in shards:
        size = len(shard.types)
        own = np.bincount(shard.words["body"], minlength=size)
        own += QUERY_COUNT * np.bincount(shard.words["query"], minlength=size)
        own += np.bincount(shard.words["path"], minlength=size) + np.bincount(shard.words["names"], minlength=size)
        counts.update(dict(zip(shard.types, own.tolist(), strict=True)))
    return counts


def choose_vocabulary(counts: Counter) -> list[str]:
    """The most frequent words, then characters, pairs of letters, and the most frequent runs of 3 to 5 in all others."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    words = [word for word, _ in ranked[:WORDS]]
    letters = "abcdefghijklmnopqrstuvwxyz"
    basic = [*letters, *"0123456789", *(a + b for a in letters for b in letters)]
    runs: Counter = Counter()
    for word, count in ranked[WORDS : WORDS + PIECE_SOURCES]:
        if word[0].isdigit():
            continue
        for size in (3, 4, 5):
            for start in range(len(word) - size + 1):
                # Longer pieces say more: a run of five counts nearly four times one of three.
                runs[word[start : start + size]] += np.log1p(count) * (size - 1.5)
    known = set(words)
    pieces = [piece for piece in basic if piece not in known]
    known.update(pieces)
    best = sorted(runs.items(), key=lambda item: (-item[1], item[0]))
    pieces += [piece for piece, _ in best if piece not in known][: PIECES - len(pieces)]
    return words + pieces


def encode_types(types: list[str], encoder: Encoder) -> tuple[np.ndarray, np.ndarray]:
    codes = [encoder.encode(word) for word in types]
    starts = np.concatenate([[0], np.cumsum([len(code) for code in codes])]).astype(np.int64)
    return starts, np.array([i for code in codes for i in code], np.int64)


def count_rows(
    shard: Shard, field: str, starts: np.ndarray, ids: np.ndarray, rows: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each pair the rows of its words, each once, with how often it occurs there: ids, counts, ids per pair."""
    words, begins = shard.words[field], shard.starts[field]
    lengths = (starts[1:] - starts[:-1])[words]
    ends = np.concatenate([[0], np.cumsum(lengths)])
    flat = ids[np.repeat(starts[words] - ends[:-1], lengths) + np.arange(ends[-1])]
    pairs = len(begins) - 1
    owner = np.repeat(np.arange(pairs), np.diff(ends[begins]))
    keys, counts = np.unique(owner * rows + flat, return_counts=True)
    per_pair = np.bincount(keys // rows, minlength=pairs)
    return (keys % rows).astype(np.int32), counts.astype(np.float32), per_pair


if __name__ == "__main__":
    main(*sys.argv[1:])
