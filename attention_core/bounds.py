"""Numbers that callers give: whole ones and finite ones, within bounds, and what to say else."""

from __future__ import annotations

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
