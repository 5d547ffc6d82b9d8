"""Makes one table of several that were trained alike from different seeds: their errors differ, and so cancel out.

usage: combine.py PREPARED.npz OUT.npz DIMENSION TRAINED.npz...

Side by side, the tables give inner products that are the means of theirs. The directions in which the vectors of real
texts differ most keep nearly all of that in far fewer dimensions.
"""

import os
import sys

import numpy as np
from bags import Bags, Parameters
from train import load

# Texts whose vectors say which directions matter; more change nothing.
SAMPLE = 50_000


def main(prepared: str, out: str, size: str, *trained: str) -> None:
    tables = [np.load(file)["rows"] for file in trained]
    dimension = int(size)
    side_by_side = np.concatenate([table / np.linalg.norm(table, axis=1).mean() for table in tables], axis=1)
    pairs, _ = load(prepared, len(side_by_side))
    work = os.path.dirname(os.path.abspath(out))
    parameters = Parameters(side_by_side, np.ones(len(side_by_side), np.float32), work)
    rows = np.random.default_rng(0).permutation(len(pairs.query))[:SAMPLE]
    directions, kept = principal([unit_sums(parameters, bags.take(rows)) for bags in (pairs.query, pairs.body)], dimension)
    np.savez(out, rows=side_by_side @ directions)
    print(f"{len(tables)} tables in one of {dimension} dimensions: {kept:.1%} of the variance is kept")


def unit_sums(parameters: Parameters, bags: Bags) -> np.ndarray:
    sums = parameters.sum(bags)
    return sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)


def principal(vectors: list[np.ndarray], dimension: int) -> tuple[np.ndarray, float]:
    """Columns: the first directions of the second moment, and the share of it that they hold."""
    moment = sum(each.T @ each for each in vectors)
    values, directions = np.linalg.eigh(moment)
    kept = values[::-1][:dimension].sum() / values.sum()
    return directions[:, ::-1][:, :dimension].astype(np.float32), float(kept)


if __name__ == "__main__":
    main(*sys.argv[1:])
