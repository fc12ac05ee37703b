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


def starts(was: str) -> tuple[tuple[str, Settings], ...]:
    """Settings that are worth a look, the plain ones first: that is a reset.

    The others leave a frozen state ``was`` where it is, to be compared with.
    """
    return (
        ("Reset", Settings()),
        ("A sentence of your own", Settings(example=OWN, was=was)),
        ("One word, four times", Settings(example=OWN, text="no no no no", was=was)),
        ("Look back only", Settings(example="cat", mask="causal", was=was)),
        ("One query sees nothing", Settings(mask=CUSTOM, allow="111.000.111", was=was)),
        ("No scaling, eight components", Settings(example=OWN, scale=OFF, d_k=8, was=was)),
        ("Keys that are queries", Settings(tied=True, was=was)),
    )
