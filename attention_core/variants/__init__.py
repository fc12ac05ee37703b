"""The variants of attention. A new one is a name here."""

from __future__ import annotations

from attention_core.variants.cache import CACHE
from attention_core.variants.convention import CONVENTION
from attention_core.variants.cross import CROSS
from attention_core.variants.exact import EXACT
from attention_core.variants.gradients import GRADIENTS
from attention_core.variants.grouped import GROUPED
from attention_core.variants.heads import HEADS
from attention_core.variants.online import ONLINE
from attention_core.variants.positions import POSITIONS
from attention_core.variants.sink import SINK
from attention_core.variants.softcap import SOFTCAP
from attention_core.variants.variant import Option, Variant

_EVERY = (
    HEADS,
    GROUPED,
    CROSS,
    POSITIONS,
    CACHE,
    ONLINE,
    GRADIENTS,
    EXACT,
    CONVENTION,
    SOFTCAP,
    SINK,
)
VARIANTS: dict[str, Variant] = {variant.key: variant for variant in _EVERY}
# What can be set about them, by the name in the link; variants may share an option.
OPTIONS: dict[str, Option] = {
    option.name: option for variant in VARIANTS.values() for option in variant.options
}
