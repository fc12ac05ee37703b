"""From a sentence to numbers: tokens, toy embeddings and toy weights.

The toy numbers are small integers read off a hash, so that a token's embedding depends on nothing
but its text and the seed. They are not learned and mean nothing; they are easy to compute with.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from attention_core.attention import attention, self_attention
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.masks import MaskLike
from attention_core.matrix import Array, Cell, as_array

MAX_TOKENS = 12
MAX_TOKEN_LENGTH = 24
MAX_SIZE = 8  # on the board
MAX_TOY_SIZE = 32  # the bytes of a hash
EDIT_LIMIT = 1000.0
_TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_EMBEDDING = (-1, 0, 1, 2)
_WEIGHT = (-1, 0, 1)


@dataclass(frozen=True)
class Tokens:
    """The tokens of a sentence, and what had to be shortened to get them."""

    tokens: tuple[str, ...]
    notices: tuple[str, ...] = ()


def tokenize(text: str, split: str = "words") -> Tokens:
    """Split a sentence into ``words`` at white space, or into ``characters`` as readers count them.

    At most 12 tokens of 24 characters: a board of more cannot be read. What is left out is said
    in ``notices``. Real models split words into pieces; here a word stays whole.

    Errors: :class:`AttentionError` when nothing is left.

    >>> tokenize("I love AI").tokens
    ('I', 'love', 'AI')
    >>> tokenize("你好吗", "characters").tokens
    ('你', '好', '吗')
    """
    if split not in ("words", "characters"):
        raise AttentionError(f"split: got {split!r}, wanted 'words' or 'characters'.")
    visible = "".join(" " if _breaks(c) else c for c in text)
    words = [word for word in visible.split() if not all(map(_invisible, word))]
    tokens = words if split == "words" else [c for word in words for c in characters(word)]
    if not tokens:
        raise AttentionError("sentence: there is no token in it. Type at least one word.")
    notices = []
    if len(tokens) > MAX_TOKENS:
        notices.append(
            f"The sentence has {len(tokens)} tokens; the board shows the first {MAX_TOKENS}."
        )
    kept = [_shorten(token) for token in tokens[:MAX_TOKENS]]
    if kept != tokens[:MAX_TOKENS]:
        notices.append(f"Tokens are cut to {MAX_TOKEN_LENGTH} characters, ending in «…».")
    if split == "words" and len(tokens) == 1 and unspaced(tokens[0]):
        notices.append(
            "This text has no spaces, so it is one token. Choose «characters» to split it."
        )
    return Tokens(tuple(kept), tuple(notices))


def _breaks(c: str) -> bool:
    """Control characters, lone surrogates, and the marks that would turn text around them."""
    return unicodedata.category(c) in ("Cc", "Cs") or c in _TURNING


def _invisible(c: str) -> bool:
    return unicodedata.category(c)[0] in "CZ"


def characters(word: str) -> list[str]:
    """Characters as a reader counts them: marks, joiners and modifiers stay with their base.

    >>> len(characters("e\\u0301a")), len(characters("👩\\u200d🔬"))
    (2, 1)
    """
    found: list[str] = []
    for c in word:
        joins = (
            unicodedata.category(c) in ("Mn", "Mc", "Me", "Cf") or "\U0001f3fb" <= c <= "\U0001f3ff"
        )
        after_joiner = bool(found) and found[-1].endswith("\u200d")
        flag = "\U0001f1e6" <= c <= "\U0001f1ff"
        completes = (
            flag
            and bool(found)
            and len(found[-1]) == 1
            and "\U0001f1e6" <= found[-1] <= "\U0001f1ff"
        )
        if found and (joins or after_joiner or completes):
            found[-1] += c
        else:
            found.append(c)
    return found


def _shorten(token: str) -> str:
    parts = characters(token)
    return token if len(parts) <= MAX_TOKEN_LENGTH else "".join(parts[: MAX_TOKEN_LENGTH - 1]) + "…"


def unspaced(token: str) -> bool:
    """Whether a script is used that puts no spaces between words (Chinese, Japanese, Thai …)."""
    return len(characters(token)) > 1 and any(
        name.startswith(("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR"))
        for name in (unicodedata.name(c, "") for c in token)
    )


def toy_row(seed: int, name: str, size: int, choices: Sequence[int]) -> list[int]:
    """``size`` small integers that depend on the seed and the name only; longer rows start alike.

    >>> toy_row(1, "cat", 4, (0, 1, 2)) == toy_row(1, "cat", 8, (0, 1, 2))[:4]
    True
    """
    if not isinstance(size, int | np.integer) or not 1 <= size <= MAX_TOY_SIZE:
        raise AttentionError(
            f"{name.partition('|')[0]}: a toy size is a whole number from 1 to {MAX_TOY_SIZE}, got "
            f"{size!r}."
        )
    digest = hashlib.sha256(f"{seed}|{name}".encode("utf-8", "surrogatepass")).digest()
    return [choices[byte % len(choices)] for byte in digest[:size]]


@dataclass(frozen=True)
class Inputs:
    """Everything that is given before attention starts: tokens, and X with the weights or Q, K, V.

    ``W_O`` is no part of attention itself: `residual` takes it to write the output to the stream.

    ``tied`` says that W_K is W_Q (or K is Q, where these are given) and follows it. ``seed`` is
    that of toy numbers which stand beside these.

    >>> inputs = toy_inputs(("a", "b", "a"), seed=1, d_model=4, d_k=2, d_v=3)
    >>> inputs.graph()["O"].shape
    (3, 3)
    """

    tokens: tuple[str, ...]
    given: Mapping[str, Array]
    features: tuple[str, ...] | None = None
    tied: bool = False
    seed: int = 42

    def __post_init__(self) -> None:
        if self.tied:
            leader, follower = self._pair
            followed = {**self.given, follower: self.given[leader]}
            object.__setattr__(self, "given", followed)  # as a frozen dataclass sets its fields

    @property
    def _pair(self) -> tuple[str, str]:
        """What makes the queries, and what makes the keys."""
        return ("W_Q", "W_K") if "X" in self.given else ("Q", "K")

    @property
    def sizes(self) -> dict[str, int]:
        """d_k, d_v and (where there are embeddings) d_model."""
        first, last = ("W_Q", "W_V") if "X" in self.given else ("Q", "V")
        sizes = {"d_k": self.given[first].shape[1], "d_v": self.given[last].shape[1]}
        return sizes | ({"d_model": self.given["X"].shape[1]} if "X" in self.given else {})

    def graph(self, mask: MaskLike = None, scale: float | None = None) -> Graph:
        """The computation from these inputs."""
        given = self.given
        if "X" in given:
            X, W_Q, W_K, W_V = (given[key] for key in ("X", "W_Q", "W_K", "W_V"))
            return self_attention(X, W_Q, W_K, W_V, mask, scale, self.tokens, self.features)
        Q, K, V = (given[key] for key in "QKV")
        return attention(Q, K, V, mask, scale, self.tokens)

    def with_d_k(self, d_k: int, seed: int = 0) -> Inputs:
        """The same inputs with ``d_k`` query and key components.

        The first columns stay as they are; columns beyond the own ones are toy numbers.
        """
        return self._resized(self._pair, d_k, seed)

    def with_tied(self) -> Inputs:
        """The same inputs with W_K = W_Q (or K = Q), so that the scores are symmetric.

        >>> inputs = toy_inputs(("a", "b"), seed=1, d_model=4, d_k=2, d_v=3).with_tied()
        >>> inputs.graph().unlike("S") is None
        True
        """
        return replace(self, tied=True)

    def _resized(self, keys: Sequence[str], size: int, seed: int) -> Inputs:
        changed = dict(self.given)
        for key in keys:
            array = self.given[key]
            toy = np.array([toy_row(seed, f"{key}|{i}", size, _WEIGHT) for i in range(len(array))])
            toy = toy.astype(np.float64)
            toy[:, : array.shape[1]] = array[:, :size]
            changed[key] = toy
        return replace(self, given=changed)

    def with_edit(self, cell: Cell, value: float, limit: float = EDIT_LIMIT) -> Inputs:
        """One given number replaced.

        Errors: :class:`AttentionError` for a cell that is not given, does not exist or follows
        another, and for numbers that are not finite or larger than ``limit``.

        >>> inputs = toy_inputs(("a",), seed=1, d_model=2, d_k=1, d_v=1)
        >>> inputs.with_edit(Cell("X", 0, 1), 2.5).given["X"][0, 1].item()
        2.5
        """
        key, row, col = cell
        if key not in self.given:
            raise AttentionError(
                f"{key} is computed and cannot be typed over. Edit one of: {', '.join(self.given)}."
            )
        leader, follower = self._pair
        if self.tied and key == follower:
            raise AttentionError(f"{follower} follows {leader} here. Edit {leader}.")
        array = as_array(key, self.given[key])
        n, m = array.shape
        if not (0 <= row < n and 0 <= col < m):
            raise AttentionError(f"{key} has no row {row + 1}, column {col + 1}: it is {n}×{m}.")
        if not abs(value) <= limit:
            raise AttentionError(
                f"{key}: {value} is not a number from −{limit:.0f} to {limit:.0f}."
            )
        array[row, col] = value
        return replace(self, given={**self.given, key: array})


def toy_inputs(tokens: Sequence[str], seed: int, d_model: int, d_k: int, d_v: int) -> Inputs:
    """Toy embeddings and weights for any tokens: equal tokens get equal rows of X."""
    X = [toy_row(seed, f"X|{token}", d_model, _EMBEDDING) for token in tokens]
    weights = {
        key: [toy_row(seed, f"{key}|{i}", size, _WEIGHT) for i in range(d_model)]
        for key, size in (("W_Q", d_k), ("W_K", d_k), ("W_V", d_v))
    }
    given = {key: as_array(key, value) for key, value in ({"X": X} | weights).items()}
    return Inputs(tuple(tokens), given | {"W_O": np.eye(d_v, d_model)}, seed=seed)
