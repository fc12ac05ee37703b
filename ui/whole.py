"""The whole graph on one board, and places to start from."""

from __future__ import annotations

from ui.board.layout import Layout, Stage
from ui.readers import OFF
from ui.settings import CUSTOM, OWN, Settings


def _whole(mask: Stage) -> tuple[Stage, ...]:
    return (
        Stage("Embed and project", (("X",), ("W_Q", "W_K", "W_V"), ("Q", "K", "V"))),
        Stage("Score", (("S",),)),
        Stage("Scale", (("S_scaled",),)),
        mask,
        Stage("Softmax", (("A",),)),
        Stage("Mix", (("O",),)),
        Stage("Add to the stream", (("W_O",), ("U",), ("X_out",))),
    )


WHOLE_GRAPH = Layout("O", stages=_whole(Stage("Mask", (("S_masked",),))))
# In the playground the mask stands there too, and its cells can be clicked.
PLAYGROUND_GRAPH = Layout(
    "O", stages=_whole(Stage("Mask", (("M",), ("S_masked",)))), mask_edit=True
)


def starts() -> tuple[tuple[str, Settings], ...]:
    """Settings that are worth a look, the plain ones first: that is a reset."""
    return (
        ("Reset", Settings()),
        ("A sentence of your own", Settings(example=OWN)),
        ("One word, four times", Settings(example=OWN, text="no no no no")),
        ("Look back only", Settings(example="cat", mask="causal")),
        ("One query sees nothing", Settings(mask=CUSTOM, allow="111.000.111")),
        ("No scaling, eight components", Settings(example=OWN, scale=OFF, d_k=8)),
        ("Keys that are queries", Settings(tied=True)),
    )
