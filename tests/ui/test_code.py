"""The code of every page: it runs as it stands, and computes what the page's board shows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ui.test_pages import board, open_page
from ui.pages import (
    PAGES,
    PLAYGROUND,
    SCORE,
    SHARPEN,
    SOFTMAX,
    START,
    WHOLE,
    Page,
    variant,
)

# Weights that are computed step by step, changed or needed for gradients are no single call.
NO_CALL = [START, SOFTMAX, SHARPEN, variant("gradients")]
LINES = [p for p in PAGES if p.board and p not in (START, PLAYGROUND, WHOLE)]


@pytest.mark.parametrize(
    "query", [{"mask": "causal"}, {"example": "hand", "decimals": "1"}], ids=str
)
@pytest.mark.parametrize("page", LINES, ids=lambda page: page.title)
def test_the_code_of_a_page_computes_what_its_board_shows(
    page: Page, query: dict[str, str]
) -> None:
    app = open_page(page.file, **query, code="numpy")
    names: dict[str, Any] = {}
    exec(app.code[-1].value, names)
    for key, matrix in board(app)["matrices"].items():
        assert np.asarray(names[key]).shape == np.asarray(matrix["cells"]).shape


def test_a_form_that_a_page_does_not_offer_is_not_drawn() -> None:
    app = open_page(SCORE.file, code="module")
    assert list(app.exception) == []
    assert list(app.code) == []
    assert app.button_group(key="set_code").value is None


def test_pytorchs_own_module_or_why_not() -> None:
    page = variant("heads")
    own = {"text": "a b c", "d_model": "4", "d_k": "4", "d_v": "4"}
    assert "nn.MultiheadAttention(4, 2" in open_page(page.file, **own, code="mha").code[-1].value
    app = open_page(page.file, example="cat", code="mha")
    assert any("X has 8, Q has 4" in text.value for text in app.markdown)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.title)
def test_pytorchs_own_attention_wherever_it_says_the_same(page: Page) -> None:
    app = open_page(page.file, mask="causal", decimals="2", code="sdpa")
    if page in NO_CALL or not page.board:
        assert list(app.code) == []
        return
    assert "F.scaled_dot_product_attention(" in app.code[-1].value
    exec(app.code[-1].value, {})


def test_a_notebook_can_be_downloaded() -> None:
    app = open_page(SCORE.file, code="numpy")
    (button,) = app.get("download_button")
    assert button.proto.label == "Download as a notebook"
