"""Bags of words as numpy sees them, and the loops of bag.c that work on them."""

import ctypes
import os
import subprocess
from dataclasses import dataclass

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
THREADS = 2


class CBags(ctypes.Structure):
    _fields_ = [("starts", ctypes.c_void_p), ("ids", ctypes.c_void_p), ("values", ctypes.c_void_p), ("count", ctypes.c_int64)]


class Moments(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("value", "gradient", "first", "second")]


class Step(ctypes.Structure):
    _fields_ = [(name, ctypes.c_float) for name in ("rate", "log_rate", "beta1", "beta2", "correct1", "correct2")]


@dataclass
class Bags:
    """Compressed rows: bag b has the entries starts[b] to starts[b + 1] of ids (int32) and values (float32)."""

    starts: np.ndarray
    ids: np.ndarray
    values: np.ndarray

    def __len__(self) -> int:
        return len(self.starts) - 1

    def take(self, rows: np.ndarray) -> "Bags":
        begins = self.starts[rows]
        lengths = self.starts[rows + 1] - begins
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        at = np.repeat(begins - starts[:-1], lengths) + np.arange(starts[-1])
        return Bags(starts, self.ids[at], self.values[at])

    def scaled(self, factors: np.ndarray) -> "Bags":
        """All values of a bag times its factor."""
        return Bags(self.starts, self.ids, (self.values * np.repeat(factors, np.diff(self.starts))).astype(np.float32))

    def dropped(self, share: float, random: np.random.Generator) -> "Bags":
        """Without a share of the entries, chosen at random."""
        kept = random.random(len(self.values)) >= share
        return Bags(self.starts, self.ids, (self.values * kept).astype(np.float32))

    def c(self) -> CBags:
        return CBags(address(self.starts), address(self.ids), address(self.values), len(self))


class Parameters:
    """A table of word vectors and a weight for each, with what Adam keeps of them."""

    def __init__(self, table: np.ndarray, weight: np.ndarray, work: str):
        self.table = np.ascontiguousarray(table, np.float32)
        self.weight = np.ascontiguousarray(weight, np.float32)
        self.log_weight = np.log(self.weight)
        rows, self.dimension = self.table.shape
        self.gradient, self.first, self.second = (np.zeros_like(self.table) for _ in range(3))
        self.none, self.log_first, self.log_second = (np.zeros(rows, np.float32) for _ in range(3))
        self.touched = np.zeros(rows, np.uint8)
        self.lib = compiled(work)

    def sum(self, bags: Bags) -> np.ndarray:
        """One row a bag: the weighted sum of its words' vectors."""
        out = np.empty((len(bags), self.dimension), np.float32)
        self.lib.bag_forward(
            address(self.table), address(self.weight), ctypes.c_int64(self.dimension), ctypes.byref(bags.c()), address(out)
        )
        return out

    def learn(self, bags: Bags, upstream: np.ndarray) -> None:
        """Adds the gradient of a sum."""
        upstream = np.ascontiguousarray(upstream, np.float32)
        self.lib.bag_backward(
            address(self.weight), ctypes.c_int64(self.dimension), ctypes.byref(bags.c()), address(upstream),
            address(self.gradient), address(self.touched), ctypes.c_int64(THREADS),
        )  # fmt: skip

    def step(self, number: int, rate: float, log_rate: float) -> None:
        beta1, beta2 = 0.9, 0.999
        step = Step(rate, log_rate, beta1, beta2, 1 / (1 - beta1**number), 1 / (1 - beta2**number))
        table = Moments(*(address(each) for each in (self.table, self.gradient, self.first, self.second)))
        weight = Moments(*(address(each) for each in (self.log_weight, self.none, self.log_first, self.log_second)))
        rows, dimension = self.table.shape
        self.lib.step_rows(
            table, weight, address(self.weight), address(self.touched), ctypes.c_int64(rows), ctypes.c_int64(dimension), step
        )


def compiled(work: str) -> ctypes.CDLL:
    """The library, built once into the working folder."""
    source, library = os.path.join(HERE, "bag.c"), os.path.join(work, "libbag.so")
    if not os.path.exists(library) or os.path.getmtime(library) < os.path.getmtime(source):
        flags = ["-O3", "-march=native", "-ffast-math", "-fopenmp", "-shared", "-fPIC"]
        subprocess.run([os.environ.get("CC", "cc"), *flags, source, "-o", library, "-lm"], check=True)
    return ctypes.CDLL(library)


def address(array: np.ndarray) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)
