"""What settings stand for: the given numbers, the mask and the scale."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from attention_core import (
    EXAMPLES,
    MASKS,
    AttentionError,
    Cell,
    Inputs,
    mask_from_text,
    mask_text,
    tokenize,
    toy_inputs,
)
from attention_core.inputs import MAX_SIZE
from attention_core.masks import MaskLike
from ui.lab_given import edited, limit_of
from ui.readers import OFF, ROOT
from ui.settings import CUSTOM, OWN_D_K, Settings, thawed


@lru_cache(maxsize=256)
def inputs_of(settings: Settings) -> tuple[Inputs, tuple[str, ...], Settings]:
    """The numbers that the settings stand for, with notices, and the settings that were used.

    Cached, since a class of learners opens the same few links; inputs are never changed.
    """
    notices: list[str] = []
    if settings.own:
        try:
            tokens = tokenize(settings.text, settings.split)
        except AttentionError as why:
            fallback = replace(settings, example="love", edits=())
            inputs, more, used = inputs_of(fallback)
            return inputs, (f"{why} Showing «I love AI» instead.", *more), used
        notices.extend(tokens.notices)
        inputs = toy_inputs(
            tokens.tokens, settings.seed, settings.d_model, settings.d_k or OWN_D_K, settings.d_v
        )
    else:
        inputs = EXAMPLES[settings.example].inputs
        if settings.d_k and settings.d_k != inputs.sizes["d_k"]:
            own = inputs.sizes["d_k"]
            inputs = inputs.with_d_k(settings.d_k, settings.seed)
            if settings.d_k > own:
                notices.append(
                    f"The example has d_k = {own}. Columns beyond {own} are toy numbers, not the "
                    "source's."
                )
    if settings.tied:
        inputs = inputs.with_tied()
    inputs, refused = edited(inputs, settings)
    notices += [
        f"The edit {cell}={dict(settings.edits)[cell]:g} was left out. {why}"
        for cell, why in refused
    ]
    lost = {cell for cell, _ in refused if not _may_come_back(cell, inputs)}
    kept = tuple(edit for edit in settings.edits if edit[0] not in lost)
    allow, fitted = _fitted(settings, len(inputs.tokens))
    if fitted:
        notices.append(fitted)
    return inputs, tuple(notices), replace(settings, edits=kept, allow=allow)


@lru_cache(maxsize=256)
def frozen_of(settings: Settings) -> tuple[Settings | None, tuple[str, ...]]:
    """The frozen state as it is used, with notices; ``None`` where nothing is frozen.

    >>> frozen_of(Settings(was="v=1&mask=causal"))[0].mask, frozen_of(Settings())[0]
    ('causal', None)
    """
    if not settings.was:
        return None, ()
    _, notices, used = inputs_of(thawed(settings.was))
    return used, tuple(f"Frozen state: {notice}" for notice in notices)


def typed_over(settings: Settings, cell: Cell, number: float) -> Settings:
    """The settings with one given number typed over.

    The number that stood there before is no edit. Errors: :class:`AttentionError` where the number
    cannot be typed there.

    >>> typed_over(Settings(), Cell("X", 0, 1), 2.5).query()
    {'v': '1', 'edits': 'X:0,1=2.5'}
    """
    others = tuple(edit for edit in settings.edits if edit[0] != cell)
    plain = inputs_of(replace(settings, edits=others))[0]
    plain.with_edit(cell, number, limit_of(cell.symbol))
    same = number == plain.given[cell.symbol][cell.row, cell.col]
    return replace(settings, edits=others if same else (*others, (cell, number)))


def _may_come_back(cell: Cell, inputs: Inputs) -> bool:
    """Whether an edit only waits for a larger size, or for keys to have numbers of their own."""
    given = inputs.given.get(cell.symbol)
    return given is not None and cell.row < len(given) and cell.col < MAX_SIZE


def _fitted(settings: Settings, n: int) -> tuple[str, str | None]:
    """The viewer's own mask in the size of the sentence, and what had to be done for it."""
    if settings.mask != CUSTOM:
        return settings.allow, None
    if not settings.allow:
        return mask_text(np.ones((n, n), dtype=bool)), None
    asked = mask_from_text(settings.allow)
    allowed = np.ones((n, n), dtype=bool)
    rows, cols = min(n, asked.shape[0]), min(n, asked.shape[1])
    allowed[:rows, :cols] = asked[:rows, :cols]
    if asked.shape == (n, n):
        return settings.allow, None
    was = f"{asked.shape[0]} × {asked.shape[1]}"
    return mask_text(allowed), (
        f"The mask of the link is {was} and there are {n} tokens. Pairs that it does not name may "
        "attend."
    )


def mask_of(settings: Settings, n: int) -> MaskLike:
    """The mask that settings stand for, for ``n`` tokens."""
    if settings.mask != CUSTOM:
        return MASKS[settings.mask][1](n)
    return mask_from_text(settings.allow) if settings.allow else None


def mask_now(settings: Settings) -> str:
    """The mask that settings stand for, written as one of the viewer's own."""
    inputs = inputs_of(settings)[0]
    mask = mask_of(settings, len(inputs.tokens))
    if mask is None:
        return mask_text(np.ones((len(inputs.tokens),) * 2, dtype=bool))
    array = np.asarray(mask)
    return mask_text(array if array.dtype == bool else np.isfinite(array))


def factor_of(settings: Settings) -> float | None:
    """What scores are multiplied by; ``None`` for 1/√d_k.

    >>> factor_of(Settings()), factor_of(Settings(scale="off")), factor_of(Settings(scale="0.5"))
    (None, 1.0, 0.5)
    """
    if settings.scale == ROOT:
        return None
    return 1.0 if settings.scale == OFF else float(settings.scale)
