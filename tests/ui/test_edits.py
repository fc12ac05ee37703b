"""What the board says was changed: numbers typed over, and cells of the mask clicked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import Cell
from ui.board.edits import edited
from ui.given import inputs_of
from ui.settings import Settings, read_settings

BLOCKED, OPEN = "-inf", "0"


def clicked(settings: Settings, **typed: str) -> Settings:
    """The settings after cells of M were clicked: ``M01="-inf"`` is row 0, column 1."""
    places = {f"M:{name[1]},{name[2]}": text for name, text in typed.items()}
    changed, refused = edited(settings, {"typed": places})
    assert refused == []
    return changed


def test_a_click_makes_the_mask_the_viewers_own() -> None:
    changed = clicked(Settings(), M01=BLOCKED)
    assert (changed.mask, changed.allow) == ("custom", "101.111.111")
    assert read_settings(changed.query()) == (changed, [])


@pytest.mark.parametrize(
    ("mask", "allow"),
    [
        ("none", "111.111.110"),
        ("causal", "100.110.110"),
        ("window", "100.110.010"),
        ("padding", "110.110.110"),
    ],
)
def test_it_starts_from_the_mask_of_now(mask: str, allow: str) -> None:
    assert clicked(Settings(mask=mask), M22=BLOCKED).allow == allow
    assert clicked(clicked(Settings(mask=mask), M22=BLOCKED), M22=OPEN).allow[-1] == "1"


def test_two_clicks_on_a_cell_give_back_what_was() -> None:
    causal = clicked(clicked(Settings(mask="causal"), M02=OPEN), M02=BLOCKED)
    assert causal.allow == "100.110.111"
    none = clicked(clicked(Settings(), M11=BLOCKED), M11=OPEN)
    assert none.allow == "111.111.111"


def test_clicks_told_together_and_one_after_another_are_all_kept() -> None:
    together = clicked(Settings(), M01=BLOCKED, M02=BLOCKED, M21=BLOCKED)
    after = clicked(clicked(Settings(), M01=BLOCKED), M02=BLOCKED, M21=BLOCKED)
    told_again = clicked(clicked(Settings(), M01=BLOCKED), M01=BLOCKED, M02=BLOCKED, M21=BLOCKED)
    assert together == after == told_again
    assert together.allow == "100.111.101"


def test_a_whole_row_may_be_blocked() -> None:
    assert clicked(Settings(), M10=BLOCKED, M11=BLOCKED, M12=BLOCKED).allow == "111.000.111"


def test_a_mask_of_another_size_is_fitted_first() -> None:
    own = Settings(example="own", text="a b c d", mask="custom", allow="10.11")
    assert clicked(own, M33=BLOCKED).allow == "1011.1111.1111.1110"


def test_numbers_and_cells_of_the_mask_may_come_together() -> None:
    changed, refused = edited(Settings(), {"typed": {"X:0,1": "2,5", "M:0,1": BLOCKED}})
    assert changed.edits == ((Cell("X", 0, 1), 2.5),)
    assert changed.allow == "101.111.111"
    assert refused == []


def test_the_number_that_stood_there_is_no_edit_and_reset_keeps_the_mask() -> None:
    settings = Settings(edits=((Cell("X", 0, 1), 2.5),), mask="custom", allow="101.111.111")
    assert edited(settings, {"typed": {"X:0,1": "0"}})[0].edits == ()
    reset = edited(settings, {"reset": True})[0]
    assert (reset.edits, reset.mask, reset.allow) == ((), "custom", "101.111.111")


@pytest.mark.parametrize(
    ("place", "text", "said"),
    [
        ("M:99,99", BLOCKED, "M:99,99 was not changed: the mask is 3 × 3"),
        ("M:0,3", OPEN, "the mask is 3 × 3"),
        ("M:0,0", "7", "wanted 0 (may attend) or -inf (blocked)"),
        ("M:0,0", "-Infinity", "wanted 0"),
        ("M:0,0", "<b>", "wanted 0"),
        ("M:-1,0", BLOCKED, "wanted a cell such as S:0,1"),
        ("M", BLOCKED, "wanted a cell such as S:0,1"),
        ("S_masked:0,0", BLOCKED, "wanted a finite number"),
        ("X:0,0", "-inf", "wanted a finite number"),
        ("S:0,0", "7", "S is computed and cannot be typed over"),
        ("X:99,0", "7", "X has no row 100"),
        ("X:0,0", "5000", "X: 5000.0 is not a number from"),
        ("x" * 900, "7", "was not changed: wanted a cell"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name_and_changes_nothing(
    place: str, text: str, said: str
) -> None:
    changed, refused = edited(Settings(mask="causal"), {"typed": {place: text}})
    assert changed == Settings(mask="causal")
    assert len(refused) == 1
    assert said in refused[0]
    assert len(refused[0]) < 300


def test_what_can_be_used_is_used_beside_what_cannot() -> None:
    changed, refused = edited(Settings(), {"typed": {"M:9,9": BLOCKED, "M:0,1": BLOCKED}})
    assert changed.allow == "101.111.111"
    assert len(refused) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["typed", "reset", "M:0,1", "X:0,0", "M:5,5", "?"]), inner
        )
    ),
    max_leaves=6,
)


@given(JSON)
def test_whatever_the_browser_says_gives_settings_that_can_be_used(said: Any) -> None:
    changed, _ = edited(Settings(), said)
    assert read_settings(changed.query()) == (changed, [])
    assert inputs_of(changed)[1] == ()
