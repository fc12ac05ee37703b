"""What the rows and columns of a matrix are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from attention_core.errors import AttentionError


@dataclass(frozen=True)
class Axis:
    """What the rows or columns of a matrix are: ``size`` labels, indexed by position.

    ``name`` is the paper's word for the size (``n``, ``d_model``, ``d_k`` …). A token is only a
    label: two equal labels stay two positions, and ``unique`` tells them apart.

    >>> Axis("n", ("the", "cat", "the"), tokens=True).unique(2)
    'the (3)'
    """

    name: str
    labels: tuple[str, ...]
    tokens: bool = False

    @property
    def size(self) -> int:
        return len(self.labels)

    def unique(self, index: int) -> str:
        """The label, with its position counted from 1 where another position shares it."""
        return self._unique[index]

    def part(self, start: int, stop: int, name: str = "") -> Axis:
        """Some of the labels, as an axis of its own.

        Where it could not tell equal ones apart as the whole does, they keep their places.

        >>> Axis("n", ("the", "cat", "the"), tokens=True).part(1, 3, "k").labels
        ('cat', 'the (3)')
        """
        labels, others = self.labels[start:stop], {*self.labels[:start], *self.labels[stop:]}
        if start or others.intersection(labels):
            labels = self._unique[start:stop]
        return Axis(name or self.name, labels, self.tokens)

    @cached_property
    def _unique(self) -> tuple[str, ...]:
        counts = Counter(self.labels)
        names = []
        for index, label in enumerate(self.labels):
            name = label if counts[label] == 1 else f"{label} ({index + 1})"
            while name != label and counts[name]:  # someone's own label looks like that
                name += "′"
            names.append(name)
        return tuple(names)


@lru_cache(maxsize=256)
def numbered(name: str, size: int) -> Axis:
    """An axis of components that have no names of their own.

    >>> numbered("d_k", 3).labels
    ('1', '2', '3')
    """
    return Axis(name, tuple(str(i + 1) for i in range(size)))


def token_axis(
    tokens: Iterable[str] | None, size: int, name: str = "n", what: str = "tokens"
) -> Axis:
    """The axis of a sequence: its tokens, or positions where no tokens are given.

    Errors: :class:`AttentionError`, which names the argument ``what``, when the number of tokens
    is not ``size``, and for a single text, which would fall apart into letters.

    >>> token_axis(("I", "love", "AI"), 3).tokens
    True
    """
    if isinstance(tokens, str) or not isinstance(tokens, Iterable | None):
        raise AttentionError(
            f"{what}: got {tokens!r}, wanted a list of texts such as ('I', 'love', 'AI')."
        )
    if tokens is None:
        return replace(numbered(name, size), tokens=True)
    labels = tuple(map(str, tokens))
    if len(labels) != size:
        raise AttentionError(
            f"{what}: got {len(labels)} tokens for {size} rows. Give one token a row."
        )
    return Axis(name, labels, tokens=True)
