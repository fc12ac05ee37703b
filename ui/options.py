"""What can be set by an option: the options of the variants, and those of worksheets."""

from __future__ import annotations

from attention_core import OPTIONS as OF_VARIANTS
from attention_core import Inputs, Option
from attention_core.variants.variant import Chosen

# Where a worksheet can begin, with the keys of what is given from there on.
STARTS: dict[str, tuple[str, ...]] = {"X": (), "QKV": ("Q", "K", "V")}


def _starts(inputs: Inputs, chosen: Chosen) -> tuple[str, ...]:
    """From X where there is one."""
    return tuple(STARTS) if "X" in inputs.given else ("QKV",)


OF_WORKSHEETS = (
    Option(
        "blanks",
        "Empty cells",
        "row",
        among={"row": "one token’s", "half": "every second", "all": "all"},
        same=True,
    ),
    Option(
        "start",
        "Begin with",
        "X",
        among={"X": "X and the weights", "QKV": "Q, K and V"},
        same=True,
        fits=_starts,
    ),
    Option("answers", "Show the answer key", default=False, same=True),
)
# By the name in the link.
OPTIONS: dict[str, Option] = OF_VARIANTS | {option.name: option for option in OF_WORKSHEETS}
