"""The tokenizer of the built-in model, written a second time from its definition in server/embedding/tokenize.ts.

Training reads text with this one, the server with the other; a test compares them on every script.
"""

import re
import unicodedata

import regex

# The same expressions; the first is the second for ASCII text, and many times as fast.
ASCII_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
WORD = regex.compile(
    r"\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}\p{M}]+"
)
NUMBER = regex.compile(r"\p{N}")
MARKS = re.compile("[\u0300-\u036f]")

# In units of UTF-16, as everywhere in the server.
LONGEST_PIECE = 14
LONGEST_WORD = 24
LONGEST_NUMBER = 4
LONGEST_RUN = 120


def words_of(text: str) -> list[str]:
    """The words of a text in order, composed and in lower case."""
    if text.isascii():
        return [word.lower() for word in ASCII_WORD.findall(text)]
    return [unicodedata.normalize("NFC", word).lower() for word in WORD.findall(text)]


def path_text(path: str) -> str:
    """The last four segments of a path, and the file's name without extension once more."""
    segments = path.split("/")[-4:]
    stem = re.sub(r"\.[^.]*$", "", segments[-1])
    return " ".join([*segments, stem])


class Encoder:
    """Turns words into numbers: whole words first, then pieces, then buckets for pairs of other characters."""

    def __init__(self, vocabulary: list[str], buckets: int):
        self.ids = {word: i for i, word in enumerate(vocabulary)}
        self.first_bucket = len(vocabulary)
        self.buckets = buckets
        self.known: dict[str, tuple[int, ...]] = {}

    def encode(self, word: str) -> tuple[int, ...]:
        """`word` as words_of gives it."""
        found = self.known.get(word)
        if found is None:
            whole = self.ids.get(word)
            found = (whole,) if whole is not None else tuple(self.pieces(without_marks(word)))
            self.known[word] = found
        return found

    def pieces(self, word: str) -> list[int]:
        word = take(word, 0, longest(word))
        found: list[int] = []
        at = 0
        while at < len(word):
            piece = take(word, at, LONGEST_PIECE)
            while piece and piece not in self.ids:
                piece = piece[:-1]
            if piece:
                found.append(self.ids[piece])
                at += len(piece)
                continue
            first = ord(word[at])
            second = ord(word[at + 1]) if at + 1 < len(word) else None
            if first > 127 and self.buckets and (second is not None or at == 0):
                found.append(self.first_bucket + bucket_of(first, second or 0, self.buckets))
            at += 1
        return found


def take(word: str, start: int, units: int) -> str:
    """As many characters from `start` as fit into a number of UTF-16 units, and one that they cut through."""
    end = start
    while end < len(word) and units > 0:
        units -= 2 if ord(word[end]) > 0xFFFF else 1
        end += 1
    return word[start:end]


def longest(word: str) -> int:
    if NUMBER.match(word):
        return LONGEST_NUMBER
    return LONGEST_WORD if word[:1].isascii() else LONGEST_RUN


def without_marks(word: str) -> str:
    if word.isascii():
        return word
    return unicodedata.normalize("NFC", MARKS.sub("", unicodedata.normalize("NFD", word)))


def bucket_of(first: int, second: int, buckets: int) -> int:
    """FNV-1a over the three low bytes of each code point."""
    value = 0x811C9DC5
    for point in (first, second):
        for shift in (0, 8, 16):
            value = ((value ^ ((point >> shift) & 0xFF)) * 0x01000193) & 0xFFFFFFFF
    return value % buckets
