"""Computes vectors of a corpus by the training code's own tokenizer, for a comparison with the server's.

usage: verify.py MODEL.bin CORPUS.json OUT.json [RANDOM_TEXTS]

CORPUS.json is a list of {path, text, names}. Writes for each its document and query vector (float32, base64; null for a
text without any known word). With RANDOM_TEXTS, that many texts of random characters of many scripts are added.
"""

import base64
import json
import random
import struct
import sys
import unicodedata

import numpy as np
from tokenizer import Encoder, path_text, words_of
from train import NAMES_WEIGHT, PATH_WEIGHT

# First and last character of the scripts that random texts are made of; the last are broken surrogates.
SCRIPTS = [
    (0x20, 0x7E), (0xA0, 0x17F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x4FF), (0x590, 0x5FF), (0x600, 0x6FF),
    (0x900, 0x97F), (0xE00, 0xE7F), (0x1100, 0x11FF), (0x1E00, 0x1EFF), (0x2000, 0x206F), (0x2160, 0x2188),
    (0x3040, 0x30FF), (0x4E00, 0x4FFF), (0xAC00, 0xAD00), (0xFB00, 0xFB1F), (0xFF00, 0xFFEF), (0x10400, 0x1044F),
    (0x1D400, 0x1D7FF), (0x1F300, 0x1F64F), (0x20000, 0x20100), (0xD800, 0xDFFF),
]  # fmt: skip


class Model:
    """The model file as training understands it."""

    def __init__(self, file: str):
        with open(file, "rb") as source:
            data = source.read()
        end = 4 + struct.unpack("<I", data[:4])[0]
        header = json.loads(data[4:end])
        rows = len(header["words"]) + header["buckets"]
        start = end + -end % 4
        scales = np.frombuffer(data, "<f4", rows, start).astype(np.float64)
        table = np.frombuffer(data, np.int8, offset=start + 4 * rows).reshape(rows, header["dimension"])
        self.rows = table * scales[:, None]
        self.encoder = Encoder(header["words"], header["buckets"])

    def bag(self, text: str) -> np.ndarray:
        """The unit vector of one field; zero where no word is known."""
        ids = [i for word in words_of(text) for i in self.encoder.encode(word)]
        rows, counts = np.unique(np.array(ids, np.int64), return_counts=True)
        return unit((self.rows[rows] * np.sqrt(counts)[:, None]).sum(axis=0))

    def document(self, path: str, text: str, names: list[str]) -> np.ndarray:
        fields = self.bag(text) + PATH_WEIGHT * self.bag(path_text(path)) + NAMES_WEIGHT * self.bag(" ".join(names))
        return unit(fields)


def unit(vector: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(vector)
    return vector / length if length > 0 else vector


def random_text(source: random.Random) -> str:
    script = source.sample(SCRIPTS, 3)
    return readable("".join(chr(source.randint(*source.choice(script))) for _ in range(source.randint(1, 60))))


def readable(text: str) -> str:
    """Without characters that only newer versions of Unicode know: what they are depends on the runtime.

    Two halves of a pair that meet are one character to a reader of the file, so they are joined here.
    """
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    kept = "".join(point for point in joined if unicodedata.category(point) != "Cn")
    return kept if kept == text else readable(kept)


def main(model_file: str, corpus: str, out: str, count: str = "0") -> None:
    model = Model(model_file)
    with open(corpus, encoding="utf-8") as file:
        texts = json.load(file)
    source = random.Random(0)
    texts += [{"path": random_text(source), "text": random_text(source), "names": [random_text(source)]} for _ in range(int(count))]
    for text in texts:
        text["document"] = packed(model.document(text["path"], text["text"], text["names"]))
        text["query"] = packed(model.bag(text["text"]))
    with open(out, "w", encoding="utf-8") as file:
        json.dump(texts, file, separators=(",", ":"))
        file.write("\n")


def packed(vector: np.ndarray) -> str | None:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode() if vector.any() else None


if __name__ == "__main__":
    main(*sys.argv[1:])
