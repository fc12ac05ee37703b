"""Models of real size: what they keep of a text, and links that put them into the calculator."""

from __future__ import annotations

from dataclasses import replace

from attention_core import BYTES, cache, counted, in_units
from ui.lesson import Lesson
from ui.panels import choices
from ui.sayings import table
from ui.settings import BOARD_VIEW

# Name, layers, heads, heads of keys and values, d_k. Touvron et al. (2023), Jiang et al. (2023),
# Almazrouei et al. (2023).
_MODELS = (
    ("Llama 2 7B", 32, 32, 32, 128),
    ("Llama 2 70B", 80, 64, 8, 128),
    ("Mistral 7B", 32, 32, 8, 128),
    ("Falcon 7B", 32, 71, 1, 64),
)
_TOKENS, _SIZE = 4096, 2


def real_models() -> str:
    """What models of real size keep of a text."""
    rows = []
    for name, layers, heads, kv, width in _MODELS:
        kept, whole = (cache(_TOKENS, layers, heads, n, width, _SIZE) for n in (kv, heads))
        rows.append(
            [
                name,
                *(str(number) for number in (layers, heads, kv, width)),
                in_units(kept.token_bytes, BYTES),
                in_units(kept.bytes, BYTES),
                in_units(whole.bytes, BYTES),
                counted(kept.parameters),
            ]
        )
    told = ["", "layers", "heads", "heads of K and V", "d_k", "cache of one token"]
    told += [
        f"of {_TOKENS:,} tokens",
        "if each head had its own",
        "all W_K and W_V",
    ]
    return table(f"Caches of models, {_SIZE} bytes a number", told, rows)


def models_to_try(lesson: Lesson) -> str:
    """Links that put the models into the calculator."""
    ways = []
    for name, depth, heads, kv, width in _MODELS:
        model = replace(
            lesson.settings, depth=depth, heads=heads, width=width, context=_TOKENS, size=_SIZE
        )
        ways.append((name, model.query() | {"sweep": str(kv)}))
    return choices(lesson.page, *ways, keep=BOARD_VIEW)
