"""Prints the part of the model card that the data decides, as Markdown.

usage: card.py PREPARED.npz SOURCES.tsv
"""

import pickle
import sys
from collections import defaultdict

import numpy as np
from prepare import KINDS

# Languages with fewer pairs are summed up.
SMALLEST = 1000


def main(prepared: str, sources: str) -> None:
    arrays = np.load(prepared)
    with open(f"{prepared}.names", "rb") as file:
        names = pickle.load(file)
    kinds, languages = arrays["kind"], arrays["language"]
    print("| language | " + " | ".join(KINDS) + " | all |\n|---|" + "---:|" * (len(KINDS) + 1))
    counts = np.zeros((len(names["languages"]), len(KINDS)), int)
    np.add.at(counts, (languages, kinds), 1)
    order = np.argsort(-counts.sum(axis=1))
    large = [i for i in order if counts[i].sum() >= SMALLEST]
    small = [i for i in order if counts[i].sum() < SMALLEST]
    for i in large:
        print(row(names["languages"][i], counts[i]))
    print(row(f"{len(small)} others", counts[small].sum(axis=0)))
    print(row("all", counts.sum(axis=0)))
    by_license = defaultdict(list)
    with open(sources, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                kind, name, _, license = line.rstrip("\n").split("\t")
                by_license[license].append(name if kind == "git" else f"{name} ({kind})")
    for license, found in sorted(by_license.items(), key=lambda item: -len(item[1])):
        print(f"\n- **{license}** ({len(found)}): {', '.join(found)}.")


def row(name: str, counts: np.ndarray) -> str:
    return f"| {name} | " + " | ".join(f"{count:,}" for count in [*counts, counts.sum()]) + " |"


if __name__ == "__main__":
    main(*sys.argv[1:])
