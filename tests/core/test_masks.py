"""Masks as text, for links."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import AttentionError, attention, causal, mask_from_text, mask_text
from attention_core.inputs import MAX_TOKENS
from attention_core.masks import MAX_SIDE

pytestmark = pytest.mark.filterwarnings("error")
sizes = st.integers(1, MAX_SIDE)


def test_as_many_rows_as_a_board_has_tokens() -> None:
    assert MAX_SIDE == MAX_TOKENS


@given(st.data())
def test_what_is_written_is_read(data: st.DataObject) -> None:
    n, m = data.draw(sizes), data.draw(sizes)
    cells = data.draw(st.lists(st.booleans(), min_size=n * m, max_size=n * m))
    allowed = np.array(cells).reshape(n, m)
    text = mask_text(allowed)
    assert len(text) == n * m + n - 1
    read = mask_from_text(text)
    assert read.dtype == bool
    assert read.tolist() == allowed.tolist()


def test_one_means_may_attend() -> None:
    read = mask_from_text("100.110.111")
    graph = attention(np.eye(3), np.eye(3), np.eye(3), read)
    assert graph["M"].value.tolist() == causal(3).tolist()
    assert mask_text(np.isfinite(causal(3))) == "100.110.111"


@given(st.text(alphabet="01.", max_size=30) | st.text(max_size=8))
def test_any_text_is_a_mask_or_is_refused(text: str) -> None:
    try:
        read = mask_from_text(text)
    except AttentionError:
        return
    assert mask_text(read) == text


HOW = "Write a row for each query, 1 where it may attend and 0 where not, as in 10.11."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"mask: the text is empty. {HOW}"),
        ("10,11", f"mask: ',' is not one of 0, 1 and the dot. {HOW}"),
        ("1 0", f"mask: ' ' is not one of 0, 1 and the dot. {HOW}"),
        ("12", f"mask: '2' is not one of 0, 1 and the dot. {HOW}"),
        ("1²", f"mask: '²' is not one of 0, 1 and the dot. {HOW}"),
        ("10.1", f"mask: the rows are 2, 1 long, and must be equally long. {HOW}"),
        ("10.", f"mask: the rows are 2, 0 long, and must be equally long. {HOW}"),
        (".", f"mask: the rows are 0, 0 long, and must be equally long. {HOW}"),
        (
            "1" * 13,
            "mask: the text has 1 rows and up to 13 columns. There are at most 12 of each.",
        ),
        (
            ".".join("1" * 13),
            "mask: the text has 13 rows and up to 1 columns. There are at most 12 of each.",
        ),
    ],
)
def test_a_text_that_is_no_mask_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(AttentionError) as error:
        mask_from_text(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    "allowed", [causal(2), [[1, 0]], [True], [[]], np.ones((13, 1), dtype=bool)]
)
def test_only_a_small_boolean_array_is_written(allowed: object) -> None:
    with pytest.raises(AttentionError, match=r"^mask: only True and False in 1 to 12 rows"):
        mask_text(allowed)  # type: ignore[arg-type]
