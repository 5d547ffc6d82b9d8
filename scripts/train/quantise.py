"""Writes a trained table as the model file of the server: int8 rows with a scale each, and the manifest beside it.

usage: quantise.py TRAINED.npz PREPARED.npz.names OUT_FOLDER ID

The format is described in server/embedding/table.ts.
"""

import hashlib
import json
import os
import pickle
import struct
import sys

import numpy as np

FORMAT = 1


def main(trained: str, names: str, folder: str, model: str) -> None:
    rows = np.load(trained)["rows"]
    with open(names, "rb") as file:
        known = pickle.load(file)
    data = model_file(model, rows, known["vocabulary"], known["buckets"])
    digest = hashlib.sha256(data).hexdigest()
    with open(os.path.join(folder, f"{model}.bin"), "wb") as file:
        file.write(data)
    with open(os.path.join(folder, "manifest.json"), "w", encoding="utf-8") as file:
        json.dump({"file": f"{model}.bin", "sha256": digest}, file, indent=2)
        file.write("\n")
    print(f"{model}.bin: {len(data)} bytes, sha256 {digest}")


def model_file(model: str, rows: np.ndarray, words: list[str], buckets: int) -> bytes:
    """Header, scales as float32, rows as int8; numbers little-endian."""
    # The rows' common length says nothing: a vector is brought to length 1 in the end.
    rows = rows / np.abs(rows).max()
    scales = np.maximum(np.abs(rows).max(axis=1), 1e-12) / 127
    quantised = np.rint(rows / scales[:, None]).astype(np.int8)
    header = {"format": FORMAT, "id": model, "dimension": rows.shape[1], "words": words, "buckets": buckets}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    head = struct.pack("<I", len(text)) + text
    return head + b"\0" * (-len(head) % 4) + scales.astype("<f4").tobytes() + quantised.tobytes()


if __name__ == "__main__":
    main(*sys.argv[1:])
