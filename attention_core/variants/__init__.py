"""The variants of attention, in the order of the menu. A new one is a line here."""

from __future__ import annotations

from attention_core.variants.exact import EXACT
from attention_core.variants.heads import HEADS
from attention_core.variants.sink import SINK
from attention_core.variants.softcap import SOFTCAP
from attention_core.variants.variant import Option, Variant

VARIANTS: dict[str, Variant] = {variant.key: variant for variant in (HEADS, SOFTCAP, SINK, EXACT)}
# What can be set about them, by the name in the link; variants may share an option.
OPTIONS: dict[str, Option] = {
    option.name: option for variant in VARIANTS.values() for option in variant.options
}
