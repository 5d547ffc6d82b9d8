"""Learns the table: the vector of a question shall be nearest to the vector of the code that it was written about.

usage: train.py PREPARED.npz OUT.npz [--seed N] [--epochs N] ...

Symmetric InfoNCE (van den Oord et al., 2018) over batches of pairs. A document is what the server makes of a chunk:
norm(norm(body) + PATH norm(path words) + NAMES norm(names)); see server/embedding/bag.ts.
"""

import argparse
import os
import pickle
import time
from dataclasses import dataclass

import numpy as np
from bags import Bags, Parameters
from initial import initial_table
from prepare import KINDS

# As in server/embedding/bag.ts.
PATH_WEIGHT = 0.5
NAMES_WEIGHT = 0.3
# Of a/(a+p), the smooth inverse frequency of Arora et al. (ICLR 2017): where word weights begin.
SMOOTHING = 1e-3
WARM_UP = 100


@dataclass
class Pairs:
    query: Bags
    body: Bags
    path: Bags
    names: Bags
    repository: np.ndarray
    kind: np.ndarray
    # Equal for pairs that ask the same.
    question: np.ndarray


def main() -> None:
    options = read_options()
    random = np.random.default_rng(options.seed)
    work = os.path.dirname(os.path.abspath(options.out))
    with open(f"{options.prepared}.names", "rb") as file:
        names = pickle.load(file)
    rows = len(names["vocabulary"]) + names["buckets"]
    pairs, frequency = load(options.prepared, rows)
    started = time.time()
    table = initial_table(pairs.query, pairs.body, rows, options.dimension, random)
    print(f"initial table: {time.time() - started:.0f} s", flush=True)
    weight = SMOOTHING / (SMOOTHING + frequency)
    parameters = Parameters(table, np.maximum(weight / weight.mean(), 1e-3), work)
    chosen = np.flatnonzero(~np.isin(pairs.kind, [KINDS.index(kind) for kind in options.without]))
    fit(parameters, pairs, chosen, options, random)
    print(f"trained on {len(chosen)} pairs in {time.time() - started:.0f} s", flush=True)
    np.savez(options.out, rows=parameters.table * parameters.weight[:, None])


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add = parser.add_argument
    add("prepared")
    add("out")
    add("--seed", type=int, default=0)
    add("--dimension", type=int, default=256)
    add("--epochs", type=float, default=2)
    add("--batch", type=int, default=1024)
    add("--block", type=int, default=64, help="pairs of one repository side by side in a batch")
    add("--rate", type=float, default=5e-3)
    add("--log-rate", type=float, default=1e-2)
    add("--temperature", type=float, default=0.05)
    add("--drop", type=float, default=0.1, help="share of words left out of a question and a body")
    add("--field-drop", type=float, default=0.5, help="share of documents without their path, and without their names")
    add("--leak", type=float, default=0.2, help="share of documents that get half of their question's words")
    add("--without", nargs="*", default=[], choices=KINDS)
    return parser.parse_args()


def load(file: str, rows: int) -> tuple[Pairs, np.ndarray]:
    """The pairs with the roots of their counts, and each row's share of all words of code."""
    arrays = np.load(file)
    fields = {}
    for field in ("query", "body", "path", "names"):
        counts = np.sqrt(arrays[f"{field}_counts"]).astype(np.float32)
        fields[field] = Bags(arrays[f"{field}_starts"], arrays[f"{field}_ids"], counts)
    df = np.bincount(fields["body"].ids, minlength=rows) + 1.0
    key = np.random.default_rng(0).integers(1, 1 << 62, rows)
    query = fields["query"]
    owner = np.repeat(np.arange(len(query)), np.diff(query.starts))
    question = np.zeros(len(query), np.int64)
    np.add.at(question, owner, key[query.ids])
    return Pairs(**fields, repository=arrays["repository"], kind=arrays["kind"], question=question), df / df.sum()


def fit(parameters: Parameters, pairs: Pairs, chosen: np.ndarray, options: argparse.Namespace, random: np.random.Generator) -> None:
    steps = int(len(chosen) // options.batch * options.epochs)
    number = 0
    losses = []
    started = time.time()
    while number < steps:
        order = shuffled(chosen, pairs.repository, options.block, random)
        for at in range(0, len(order) - options.batch + 1, options.batch):
            if number == steps:
                break
            losses.append(learn_batch(parameters, pairs, order[at : at + options.batch], options, random))
            number += 1
            share = min(1, number / WARM_UP) * max(0.02, 1 - number / steps)
            parameters.step(number, options.rate * share, options.log_rate * share)
            if number % 500 == 0:
                print(f"step {number} of {steps}: loss {np.mean(losses[-500:]):.3f}, {time.time() - started:.0f} s", flush=True)


def shuffled(chosen: np.ndarray, repository: np.ndarray, block: int, random: np.random.Generator) -> np.ndarray:
    """In blocks of one repository: what is told apart then is what a search of that repository must tell apart."""
    order = random.permutation(chosen)
    order = order[np.argsort(repository[order], kind="stable")]
    cuts = np.flatnonzero(np.diff(repository[order])) + 1
    blocks = [part[at : at + block] for part in np.split(order, cuts) for at in range(0, len(part), block)]
    return np.concatenate([blocks[i] for i in random.permutation(len(blocks))])


def learn_batch(parameters: Parameters, pairs: Pairs, rows: np.ndarray, options: argparse.Namespace, random: np.random.Generator) -> float:
    """One batch forward and backward; its loss in nats."""
    count = len(rows)
    asked = pairs.query.take(rows)
    query = asked.dropped(options.drop, random)
    body = pairs.body.take(rows).dropped(options.drop, random)
    leaked = asked.dropped(0.5, random).scaled(random.random(count) < options.leak)
    path = pairs.path.take(rows).scaled((random.random(count) >= options.field_drop) & (pairs.kind[rows] != KINDS.index("path")))
    names = pairs.names.take(rows).scaled(random.random(count) >= options.field_drop)

    u, u_length = unit(parameters.sum(query))
    fields = [(parameters.sum(body) + parameters.sum(leaked), 1.0), (parameters.sum(path), PATH_WEIGHT), (parameters.sum(names), NAMES_WEIGHT)]
    units = [(*unit(field), weight) for field, weight in fields]
    v, v_length = unit(sum(weight * direction for direction, _, weight in units))

    loss, to_logits = contrast(u @ v.T / options.temperature, pairs.question[rows])
    to_logits /= options.temperature
    parameters.learn(query, through_unit(to_logits @ v, u, u_length))
    to_sum = through_unit(to_logits.T @ u, v, v_length)
    to_fields = [weight * through_unit(to_sum, direction, length) for direction, length, weight in units]
    for bags, gradient in zip((body, leaked, path, names), (to_fields[0], *to_fields), strict=True):
        parameters.learn(bags, gradient)
    return loss


def unit(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    length = np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-6)
    return x / length, length


def through_unit(gradient: np.ndarray, direction: np.ndarray, length: np.ndarray) -> np.ndarray:
    """The gradient before a vector was brought to length 1; none for a bag that was empty."""
    inner = (gradient * direction).sum(axis=1, keepdims=True)
    return np.where(length > 1e-6, (gradient - inner * direction) / length, 0)


def contrast(logits: np.ndarray, question: np.ndarray) -> tuple[float, np.ndarray]:
    """The loss in both directions, and its gradient. Pairs that ask the same are not told apart."""
    same = question[:, None] == question[None, :]
    np.fill_diagonal(same, False)
    logits = np.where(same, -1e4, logits)
    by_row = np.exp(logits - logits.max(axis=1, keepdims=True))
    by_column = np.exp(logits - logits.max(axis=0, keepdims=True))
    by_row /= by_row.sum(axis=1, keepdims=True)
    by_column /= by_column.sum(axis=0, keepdims=True)
    own = np.log(np.maximum(np.diag(by_row), 1e-20)) + np.log(np.maximum(np.diag(by_column), 1e-20))
    gradient = (by_row + by_column).astype(np.float32)
    gradient[np.diag_indices(len(gradient))] -= 2
    return float(-own.mean() / 2), gradient / (2 * len(gradient))


if __name__ == "__main__":
    main()
