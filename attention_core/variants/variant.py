"""A variant of attention as something to look at: its composition, and what can be set about it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from attention_core.bounds import finite, shown, whole
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.inputs import MAX_TOKENS, Inputs

Value = bool | int | float | str
Chosen = Mapping[str, Value]


@dataclass(frozen=True)
class Option:
    """What can be set about variants: a parameter of the link, and a control on the page.

    ``label`` names the control. What it holds is read off the rest: one of a few values with
    ``among`` (each with what it is called), the place of a token with ``token``, on or off with a
    default of ``True`` or ``False``, a number from ``low`` to ``high`` with a default that is one,
    and else a text. A default may never change: old links would change their meaning.

    ``fits`` says which values there are for the viewer's numbers and the options before this one.
    Where the wanted one is not among them, the next larger one is used, or else the last. With
    ``same`` the numbers stay and only stand elsewhere: what a viewer pinned stays pinned.
    """

    name: str
    label: str
    default: Value
    among: Mapping[Value, str] = field(default_factory=dict, hash=False)
    low: float = 0.0
    high: float = 0.0
    token: bool = False
    same: bool = False
    fits: Callable[[Inputs, Chosen], Sequence[Value]] | None = None

    def fitting(self, inputs: Inputs, chosen: Chosen) -> tuple[Value, ...]:
        """The values that can be chosen; none where any can that the link's reader takes."""
        if self.token:
            return tuple(range(len(inputs.tokens)))
        return tuple(self.fits(inputs, chosen) if self.fits else self.among)

    def check(self, value: Value) -> Value:
        """The value, where the option can hold it.

        Errors: :class:`AttentionError` for another kind, and for numbers out of bounds.

        >>> Option("block", "Keys in a block", 2, low=1, high=12).check(0)
        Traceback (most recent call last):
        ...
        attention_core.errors.AttentionError: option: block is 0, wanted a whole number from 1 to \
12.
        """
        if self.among:
            wanted = ", ".join(map(repr, self.among))
            fits = type(value) is not bool and isinstance(value, Hashable) and value in self.among
        elif isinstance(self.default, bool | str):
            wanted = "a text" if isinstance(self.default, str) else "True or False"
            fits = isinstance(value, type(self.default))
        elif self.token:
            return whole("option", self.name, value, 0, MAX_TOKENS - 1)
        elif isinstance(self.default, int):
            return whole("option", self.name, value, int(self.low), int(self.high))
        else:
            return finite("option", self.name, value, self.low, self.high)
        if not fits:
            raise AttentionError(f"option: {self.name} is {shown(value)}, wanted {wanted}.")
        return value

    def used(self, inputs: Inputs, chosen: Chosen, wanted: Value) -> Value:
        """The value that is used where ``wanted`` is asked for."""
        fitting = self.fitting(inputs, chosen)
        if not fitting or wanted in fitting:
            return wanted
        if isinstance(wanted, str):
            return fitting[0]
        larger = (value for value in fitting if not isinstance(value, str) and value > wanted)
        return next(larger, fitting[-1])


@dataclass(frozen=True)
class Variant:
    """A composition on top of plain attention.

    ``key`` names it in code, ``title`` in the menu. ``build`` gets the attention of the viewer's
    settings (mask, scale and edits are in it), what that was made from, and a value for each of
    the ``options``. It returns the graph with the variant's matrices. ``masks`` says that the
    viewer's mask has a meaning here, ``exact`` that every derivation ends in the exact number.
    """

    key: str
    title: str
    build: Callable[[Graph, Inputs, Chosen], Graph]
    options: tuple[Option, ...] = ()
    masks: bool = True
    exact: bool = False

    def chosen(self, inputs: Inputs, wanted: Chosen) -> dict[str, Value]:
        """A value for each option: the wanted one or its default, or the next that fits.

        >>> from attention_core import EXAMPLES, VARIANTS
        >>> VARIANTS["heads"].chosen(EXAMPLES["cat"].inputs, {"h": 3})
        {'h': 4}
        """
        return chosen(self.options, inputs, wanted)

    def graph(self, graph: Graph, inputs: Inputs, wanted: Chosen) -> Graph:
        """The variant on top of a graph of these inputs.

        Errors: :class:`AttentionError` for an option that cannot hold its value.

        >>> from attention_core import EXAMPLES, VARIANTS
        >>> cat = EXAMPLES["cat"].inputs
        >>> VARIANTS["heads"].graph(cat.graph(), cat, {"h": 2})["O_2"].shape
        (4, 2)
        """
        return self.build(graph, inputs, self.chosen(inputs, wanted))


def chosen(options: Sequence[Option], inputs: Inputs, wanted: Chosen) -> dict[str, Value]:
    """A value for each of some options, one after the other."""
    values: dict[str, Value] = {}
    for option in options:
        value = option.check(wanted.get(option.name, option.default))
        values[option.name] = option.used(inputs, values, value)
    return values
