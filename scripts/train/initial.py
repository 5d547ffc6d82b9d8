"""Where training begins: words that occur in the same pairs are near each other, by a factorisation of their PPMI."""

import numpy as np
import scipy.sparse as sparse
from bags import Bags

# More pairs change nothing that training does not change again.
SAMPLE = 200_000
MOST_QUERY_WORDS = 20
MOST_BODY_WORDS = 30
# Of Levy, Goldberg and Dagan (TACL 2015): contexts smoothed by this power.
CONTEXT_POWER = 0.75
# Rows of words that the sample lacks, beside those of length about 1.
SMALL = 0.3


def initial_table(query: Bags, body: Bags, rows: int, dimension: int, random: np.random.Generator) -> np.ndarray:
    """rows x dimension, float32."""
    sample = random.permutation(len(query))[:SAMPLE]
    seen = words_in(query, sample, MOST_QUERY_WORDS, rows, random) + words_in(body, sample, MOST_BODY_WORDS, rows, random)
    seen.data[:] = 1
    vectors = factorise(ppmi(seen), dimension, random)
    known = np.linalg.norm(vectors, axis=1) > 0
    table = (SMALL * random.standard_normal((rows, dimension)) / np.sqrt(dimension)).astype(np.float32)
    table[known] = vectors[known] / np.linalg.norm(vectors[known], axis=1).mean()
    return table


def words_in(bags: Bags, sample: np.ndarray, most: int, rows: int, random: np.random.Generator) -> sparse.csr_matrix:
    """One row per pair, 1 where a word occurs in it; of long texts some words chosen at random."""
    taken = bags.take(sample)
    owner = np.repeat(np.arange(len(sample)), np.diff(taken.starts))
    order = np.lexsort((random.random(len(owner)), owner))
    place = np.arange(len(owner)) - taken.starts[owner]
    kept = order[place < most]
    return sparse.csr_matrix((np.ones(len(kept), np.float32), (owner[kept], taken.ids[kept])), shape=(len(sample), rows))


def ppmi(seen: sparse.csr_matrix) -> sparse.csr_matrix:
    """Positive pointwise mutual information of words in one pair; what meets once is chance."""
    together = (seen.T @ seen).tocoo()
    often = together.data >= 2
    row, column, count = together.row[often], together.col[often], together.data[often].astype(np.float64)
    size = together.shape[0]
    per_row = np.bincount(row, count, size)
    context = np.bincount(column, count, size) ** CONTEXT_POWER
    context *= count.sum() / context.sum()
    value = np.log(count * count.sum() / (per_row[row] * context[column]))
    positive = value > 0
    return sparse.csr_matrix((value[positive].astype(np.float32), (row[positive], column[positive])), shape=together.shape)


def factorise(matrix: sparse.csr_matrix, dimension: int, random: np.random.Generator) -> np.ndarray:
    """Randomised SVD (Halko, Martinsson and Tropp, 2011): left vectors times the roots of the singular values."""
    basis = matrix @ random.standard_normal((matrix.shape[1], dimension + 16)).astype(np.float32)
    for _ in range(2):
        basis, _ = np.linalg.qr(basis)
        basis = matrix @ (matrix.T @ basis)
    basis, _ = np.linalg.qr(basis)
    left, values, _ = np.linalg.svd((matrix.T @ basis).T, full_matrices=False)
    return (basis @ left)[:, :dimension] * np.sqrt(values[:dimension])
