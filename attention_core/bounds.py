"""Numbers that callers give: whole ones and finite ones, within bounds, and what to say else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attention_core.errors import AttentionError

_LONG = 40  # characters of a number that is refused


def whole(what: str, name: str, number: Any, low: int = 1, high: int | None = None) -> int:
    """A whole number from ``low`` to ``high``, or on.

    >>> whole("cost", "n", 3, 1, 12)
    3
    >>> whole("cost", "n", 2.0)
    Traceback (most recent call last):
    ...
    attention_core.errors.AttentionError: cost: n is 2.0, wanted a whole number from 1 on.
    """
    fits = isinstance(number, int | np.integer) and not isinstance(number, bool)
    if not fits or number < low or (high is not None and number > high):
        end = "on" if high is None else f"to {high}"
        raise AttentionError(
            f"{what}: {name} is {shown(number)}, wanted a whole number from {low} {end}."
        )
    return int(number)


def place(what: str, name: str, index: Any, count: int) -> int:
    """The place of one of ``count`` rows or columns, counted from 0."""
    try:
        return whole(what, name, index, 0, count - 1)
    except AttentionError as why:
        raise AttentionError(f"{str(why)[:-1]}: there are {count}, counted from 0.") from None


def finite(
    what: str,
    name: str,
    number: Any,
    low: float = -np.inf,
    high: float = np.inf,
    *,
    above: float = -np.inf,
) -> float:
    """A finite number from ``low`` to ``high``, or ``above`` one.

    >>> finite("softcap", "the cap", "2", above=0)
    Traceback (most recent call last):
    ...
    attention_core.errors.AttentionError: softcap: the cap is '2', wanted a finite number above 0.
    """
    try:
        value = np.nan if isinstance(number, str | bytes | bool) else float(number)
    except (TypeError, ValueError, OverflowError):
        value = np.nan
    if not (np.isfinite(value) and low <= value <= high and value > above):
        bounds = f" above {above:g}" if np.isfinite(above) else ""
        if np.isfinite(low) and np.isfinite(high):
            bounds = f" from {low:g} to {high:g}"
        raise AttentionError(f"{what}: {name} is {shown(number)}, wanted a finite number{bounds}.")
    return value


def several(what: str, name: str, value: Any) -> tuple[float, ...]:
    """Finite numbers as they were given: one, or several in a list, an array or a tensor.

    >>> several("sink", "score", 0.5), several("sink", "score", [1, 0.5])
    ((0.5,), (1.0, 0.5))
    """
    plain = value.tolist() if hasattr(value, "tolist") else value
    if not isinstance(plain, Sequence) or isinstance(plain, str | bytes):
        return (finite(what, name, plain),)
    return tuple(finite(what, f"{name} {at}", number) for at, number in enumerate(plain, 1))


def one_a_head(what: str, name: str, count: int, heads: int, such_as: str) -> None:
    """Refuse another count of something than of heads.

    >>> one_a_head("sink", "score", 1, 2, "(0, 0)")
    Traceback (most recent call last):
    ...
    attention_core.errors.AttentionError: sink: got 1 score for 2 heads. Give one a head, such as \
(0, 0).
    """
    if count != heads:
        raise AttentionError(
            f"{what}: got {count} {name}{'s' * (count != 1)} for {heads} "
            f"head{'s' * (heads != 1)}. Give one a head, such as {such_as}."
        )


def shown(value: object) -> str:
    """What somebody gave, as it is quoted in a message.

    >>> shown(10**400)[-5:]
    '0000…'
    """
    try:
        text = repr(value)
    except ValueError:  # Python writes out no whole number of more than 4300 digits
        return "a number of thousands of digits"
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"
