"""The pages of the small variants: what they ask, and what they say of these numbers."""

from __future__ import annotations

import re

import pytest

from tests.ui.test_pages import board, open_page, prose
from ui.pages import variant

CAP, SINK = variant("softcap"), variant("sink")


@pytest.mark.parametrize("query", [{}, {"example": "cat"}, {"example": "hand", "cap": "0.5"}])
def test_what_the_cap_does_to_the_largest_weight_is_answered_by_the_board(
    query: dict[str, str],
) -> None:
    message = board(open_page(CAP.file, **query))
    key, row, col = re.split("[:,]", message["ask"]["pin"])
    before, after = (
        float(message["matrices"][name]["cells"][int(row)][int(col)]) for name in ("A", key)
    )
    assert [right for _, right in message["ask"]["options"]] == [
        after > before,
        after < before,
        False,
    ]
    assert f"{key}:{row},{col}" in message["hidden"]


@pytest.mark.parametrize("query", [{"cap": "100"}, {"text": "one"}, {"scale": "0"}])
def test_a_cap_that_changes_nothing_that_is_shown_is_not_asked_about(query: dict[str, str]) -> None:
    assert board(open_page(CAP.file, **query))["ask"] is None


def test_the_sink_gets_what_the_tokens_leave() -> None:
    message = board(open_page(SINK.file, sink="1.5"))
    cells = message["matrices"]["A_all"]["cells"][2]
    low, high = message["ask"]["within"]
    assert low < 1 - sum(map(float, cells[:-1])) < high
    assert message["hidden"] == ["A_all:2,3"]


def test_a_row_that_is_all_blocked_goes_to_the_sink() -> None:
    app = open_page(SINK.file, mask="custom", allow="000.111.111")
    assert board(app)["matrices"]["A_all"]["cells"][0] == ["0", "0", "0", "1"]
    assert "Every key is blocked for «I»" in prose(app)
    assert "Every key is blocked" not in prose(open_page(SINK.file))


def test_an_option_that_cannot_be_used_is_named() -> None:
    app = open_page(SINK.file, sink="99")
    assert "The link says sink=99: wanted a number from -20 to 20" in prose(app)
