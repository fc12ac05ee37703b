"""The playground's two states: numbers, words, questions and links; and no effect elsewhere."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from attention_core import Cell
from tests.ui.test_numbers import check, everything
from tests.ui.test_pages import board, open_page, prose
from ui.board.payload import contents
from ui.given import frozen_of, inputs_of
from ui.pages import PAGES, PLAYGROUND, SCORE, WHOLE
from ui.settings import KEPT, Settings, read_settings
from ui.whole import PLAYGROUND_GRAPH, starts

Array = NDArray[np.float64]
Query = dict[str, str]
TWELVE = "a b c d e f g h i j k l"
# What was and what is.
PAIRS: dict[str, tuple[Query, Query]] = {
    "mask": ({}, {"mask": "causal"}),
    "mask opened": ({"mask": "causal"}, {"decimals": "2"}),
    "two masks": ({"mask": "window"}, {"mask": "custom", "allow": "010.110.101"}),
    "blocked then": ({"mask": "custom", "allow": "111.000.111"}, {}),
    "blocked now": ({}, {"mask": "custom", "allow": "000.110.011"}),
    "blocked in both": (
        {"mask": "custom", "allow": "000.110.011", "scale": "off"},
        {"mask": "custom", "allow": "000.111.011"},
    ),
    "scale": ({"scale": "off"}, {"scale": "-0.75", "decimals": "4"}),
    "tied": ({"tied": "1"}, {}),
    "wider": ({}, {"d_k": "6", "seed": "3"}),
    "narrower": ({"d_k": "5"}, {"d_k": "2", "mask": "padding"}),
    "edits then": ({"edits": "X:0,0=9;W_V:1,1=-2.5"}, {"edits": "X:0,0=8"}),
    "edits of W_O": ({}, {"edits": "W_O:0,1=2.5"}),
    "hand": ({"example": "hand"}, {"example": "hand", "mask": "padding", "edits": "Q:0,0=3"}),
    "hand to love": ({"example": "hand"}, {}),
    "love to hand": ({}, {"example": "hand", "mask": "causal"}),
    "cat": ({"example": "cat"}, {"example": "cat", "d_k": "3", "edits": "W_Q:0,0=2"}),
    "other example": ({"mask": "causal"}, {"example": "cat"}),
    "own": ({"text": "to be or not"}, {"text": "to be or what", "mask": "causal"}),
    "own, one more": ({"text": "to be"}, {"text": "to be or"}),
    "one token": ({"text": "one"}, {"text": "one", "edits": "X:0,1=7", "scale": "off"}),
    "seed": ({"text": TWELVE, "d_k": "8"}, {"text": TWELVE, "d_k": "8", "seed": "7"}),
    "large": ({"edits": "X:0,0=1000;W_Q:0,0=1000"}, {"scale": "1000", "edits": "X:0,0=999.5"}),
    "repeated": ({"text": "no no no no"}, {"text": "no no no no", "mask": "causal"}),
}
LINKS = {"Freeze these numbers", "Go back to before", "Swap before and now", "Unfreeze"}
STAGES = ("X", "W_Q", "W_K", "W_V", "Q", "K", "V", "S", "S_scaled", "M", "S_masked", "A", "O")
every_pair = pytest.mark.parametrize(("was", "now"), PAIRS.values(), ids=PAIRS)


def frozen(query: Query) -> str:
    return read_settings(query)[0].frozen()


def open_both(was: Query, now: Query) -> AppTest:
    return open_page(PLAYGROUND.file, **now, was=frozen(was))


def links(app: AppTest) -> dict[str, Query]:
    """What the links of the page say, by their text."""
    found = re.findall(r'<a data-go href="(Playground[^"]*)"[^>]*>([^<]*)</a>', prose(app))
    return {text: dict(parse_qsl(urlsplit(unescape(href)).query)) for href, text in found}


def told(app: AppTest) -> str:
    """What is said above the board, as plain text."""
    return unescape(re.sub("<[^>]+>", "", prose(app)))


def less(now: Array, was: Array) -> Array:
    """Cell by cell; what is blocked in both does not differ, and neither do last bits."""
    out = np.zeros_like(now)
    for place in np.ndindex(*now.shape):
        one, other = float(now[place]), float(was[place])
        apart = 0.0 if one == other else one - other
        size = max((abs(x) for x in (one, other) if np.isfinite(x)), default=0.0)
        out[place] = apart if abs(apart) > 1e-12 * size else 0.0
    return out


def both(was: Query, now: Query) -> tuple[dict[str, Array], dict[str, Array]]:
    """Each state computed alone, without the core."""
    return everything(now), everything(was)


@every_pair
def test_every_number_is_the_computed_one(was: Query, now: Query) -> None:
    message = board(open_both(was, now))
    after, before = both(was, now)
    expected = after | {f"{key}_was": value for key, value in before.items()}
    expected["K_was_T"] = before["K_T"]
    expected |= {
        f"{key}_diff": less(after[key], value)
        for key, value in before.items()
        if key in after and after[key].shape == value.shape
    }
    check(message, expected, int(now.get("decimals", "3")))
    assert not any("n" in text for m in message["matrices"].values() for row in m["cells"]
                   for text in row), "no NaN"  # fmt: skip


@every_pair
def test_each_stage_that_differs_has_a_line_and_no_other(was: Query, now: Query) -> None:
    app = open_both(was, now)
    message = board(app)
    after, before = both(was, now)
    tokens = [inputs_of(read_settings(query)[0])[0].tokens for query in (was, now)]
    lines = {e["of"].partition("_diff")[0]: e for e in message["equations"] if "origin" not in e}
    moved = [
        key
        for key in STAGES
        if key in after and key in before
        if after[key].shape != before[key].shape
        or less(after[key], before[key]).any()
        or (tokens[0] != tokens[1] and not key.startswith("W_"))
    ]
    if not moved:
        assert "W_O_diff" in {e["of"] for e in message["equations"]} or message["stages"]
        return
    stages = [key for key in lines if key in STAGES]
    assert stages == moved
    for key in stages:
        items = [item.get("m", item.get("sign")) for item in lines[key]["items"]]
        if items[1] == "−":
            assert items == [key, "−", f"{key}_was", "=", f"{key}_diff"]
        else:
            assert items == [key, "instead of", f"{key}_was"]
            assert "there is no difference to take" in told(app)
    assert lines.keys() - set(STAGES) <= {"W_O", "U", "X_out"}


def test_where_nothing_is_frozen_the_board_is_as_ever() -> None:
    for query in ({}, {"example": "hand", "mask": "causal"}, {"text": "to be", "largest": "1"}):
        settings = read_settings(query)[0]
        message = board(open_page(PLAYGROUND.file, **query))
        plain = contents(settings, "whole", PLAYGROUND_GRAPH)
        stages = [{**s, "columns": [list(c) for c in s["columns"]]} for s in plain["stages"]]
        del plain["why"]  # the pinned cell's own may stand there, too
        assert {key: message[key] for key in plain} == plain | {"stages": stages}
        assert message["ask"] is None


def test_just_frozen_nothing_differs_and_the_plain_board_stands() -> None:
    app = open_both({"mask": "causal"}, {"mask": "causal", "decimals": "1", "largest": "1"})
    assert "Nothing differs yet. Change something." in told(app)
    assert board(app)["stages"]
    assert links(app).keys() & LINKS == {"Unfreeze"}


def test_a_setting_that_changes_no_number_is_told_so() -> None:
    app = open_both({"d_k": "1"}, {"d_k": "1", "scale": "off"})
    assert "scale: ÷ √dk → off. Yet no number differs. Change something." in told(app)
    assert board(app)["stages"]


WORDS = [
    ({}, {"mask": "causal"}, "Both are of «I love AI». From before to now: mask: none → causal."),
    ({"d_k": "2"}, {}, "From before to now: dk: 2 → 3."),
    ({}, {"scale": "-0.5", "tied": "1"}, "scale: ÷ √dk → times −0.5 · WK = WQ: off → on."),
    ({"example": "hand"}, {"example": "hand", "tied": "1"}, "From before to now: K = Q: off → on."),
    ({"edits": "X:0,0=3;X:0,1=5"}, {"edits": "X:0,0=2;X:0,1=5;X:1,1=4"}, "now: 2 edited numbers."),
    ({}, {"edits": "X:0,0=3"}, "From before to now: 1 edited number."),
    ({"text": "a b"}, {"text": "a c", "seed": "7"}, "before, of «a b». Now it is «a c». From"),
    ({"mask": "custom", "allow": "111.011.111"}, {"mask": "custom", "allow": "111.111.111"},
     "From before to now: other cells of the mask."),
    ({}, {"mask": "causal"}, "The same before and now: X, WQ, WK, WV, Q, K, V, S, Sscaled. "
     "The change begins at M and reaches Smasked, A, O."),
    ({}, {"edits": "X:0,0=3", "mask": "causal"}, "The change begins at X, M and reaches Q, K, V, "),
    ({"text": "no no"}, {"text": "no no", "mask": "causal"}, "It does not reach O."),
    ({}, {"example": "hand"}, "Only before there is X, WQ, WK, WV. The change begins"),
    ({"mask": "custom", "allow": "111.000.111"}, {}, "Before, every key is blocked for «love»"),
]  # fmt: skip


@pytest.mark.parametrize(("was", "now", "words"), WORDS, ids=[w for _, _, w in WORDS])
def test_it_says_in_words_what_differs(was: Query, now: Query, words: str) -> None:
    assert words in told(open_both(was, now))


@every_pair
def test_the_links_freeze_go_back_swap_and_let_go(was: Query, now: Query) -> None:
    shown = {"decimals": "1", "largest": "1", "order": "swapped", "edits": "s:0,0=2;" +
             now.get("edits", "")}  # fmt: skip
    settings = read_settings(now | shown)[0]
    plain = open_page(PLAYGROUND.file, **now | shown)
    first = links(plain)["Freeze these numbers"]
    assert read_settings(first) == (replace(settings, was=frozen(now)), [])
    if frozen(was) == frozen(now):
        return
    app = links(open_page(PLAYGROUND.file, **now | shown, was=frozen(was)))
    back, swapped, gone = (
        read_settings(app[text])
        for text in ("Go back to before", "Swap before and now", "Unfreeze")
    )
    for settings_, notices in (back, swapped, gone):
        assert notices == []
        for name in Settings.__dataclass_fields__.keys() - {*KEPT, "was"}:
            assert getattr(settings_, name) == getattr(settings, name), "what is shown stays"
    assert replace(back[0], edits=back[0].edits[:-1]).frozen() == frozen(was)
    assert (back[0].edits[-1], back[0].was) == ((Cell("s", 0, 0), 2.0), frozen(was))
    assert swapped[0].was == frozen(now)
    assert gone[0] == settings
    again = links(open_page(PLAYGROUND.file, **app["Swap before and now"]))["Swap before and now"]
    assert read_settings(again)[0].was == frozen(was)


def test_reset_lets_go_and_other_starts_are_compared() -> None:
    by_name = dict(starts("v=1&mask=causal"))
    assert by_name.pop("Reset") == Settings()
    assert {settings.was for settings in by_name.values()} == {"v=1&mask=causal"}


@pytest.mark.parametrize("page", [p for p in PAGES if p != PLAYGROUND], ids=lambda p: p.title)
def test_elsewhere_a_frozen_state_is_carried_and_has_no_effect(page: Any) -> None:
    was = frozen({"text": "to be", "mask": "causal"})
    without, app = open_page(page.file), open_page(page.file, was=was)
    if page.board:
        assert board(app)["id"] == board(without)["id"]
    text = unescape(prose(app))
    assert f"Playground?v=1&was={urlencode({'': was})[1:]}" in text
    assert "Frozen state" not in text


HOSTILE = [
    ("d_k=99", "The frozen state of the link says d_k=99: wanted a whole number from 1 to 8."),
    ("mask=<script>alert(1)</script>", "says mask=<script>alert(1)</script>: wanted one of none"),
    ("v=1&was=v%3D1", "The frozen state of the link says was=v=1: there is no such setting."),
    ("v=1&decimals=2", "The frozen state of the link says decimals=2: there is no such setting."),
    ("", "The link says was=: wanted the settings of a state, such as v=1&mask=causal. Nothing"),
    ("nonsense", "The link says was=nonsense: wanted the settings of a state"),
    ("%FF%00=%", "wanted the settings of a state"),
    ("v=1&" + "&".join(f"a{i}=1" for i in range(5000)), "wanted at most 12000 characters"),
    ("v=1&" + "&".join(f"a{i}=1" for i in range(50)), "wanted the settings of a state"),
    ("v=0&mask=causal", "The frozen state of the link says v=0: it was made by another version"),
    ("text=" + "word " * 200, "The frozen sentence has 1000 characters. The first 400 are used."),
    ("text=%20", "The frozen state of the link says text= : wanted at least one word."),
    ("text=%00&example=own", "Frozen state: sentence: there is no token in it."),
    ("text=a+b+c+d+e+f+g+h+i+j+k+l+m", "Frozen state: The sentence has 13 tokens"),
    ("edits=X:9,9=1", "Frozen state: The edit X:9,9=1 was left out."),
    ("edits=X:0,0=nan", "The frozen state of the link says edits=X:0,0=nan: wanted a finite"),
    ("mask=custom&allow=1", "Frozen state: The mask of the link is 1 × 1 and there are 3 tokens."),
    ("d_k=5", "Frozen state: The example has d_k = 3. Columns beyond 3 are toy numbers"),
]


@pytest.mark.parametrize(("was", "notice"), HOSTILE, ids=[w[:24] for w, _ in HOSTILE])
def test_a_bad_frozen_state_is_named_and_there_is_a_page(was: str, notice: str) -> None:
    app = open_page(PLAYGROUND.file, was=was)
    assert notice in told(app)
    assert "<script>alert" not in prose(app)
    assert board(app)["matrices"]["S"]["cells"][0] == ["1", "5", "3"]
    elsewhere = told(open_page(SCORE.file, was=was))
    assert (notice in elsewhere) == ("Frozen state" not in notice)


@given(st.text(max_size=60) | st.dictionaries(st.sampled_from([*KEPT, "was", "x"]),
       st.text(max_size=20), max_size=9).map(urlencode))  # fmt: skip
def test_any_frozen_state_is_read_once_and_then_stays(text: str) -> None:
    settings, notices = read_settings({"was": text})
    assert read_settings(settings.query()) == (settings, [])
    state, more = frozen_of(settings)
    assert (state is None) == (settings.was == "")
    assert all(isinstance(notice, str) for notice in (*notices, *more))


def test_half_a_character_in_a_frozen_state_becomes_a_question_mark() -> None:
    settings, notices = read_settings({"was": "text=\ud800"})
    assert (settings.was, notices) == ("v=1&example=own&text=%3F", [])


def test_a_state_that_was_written_here_is_never_too_long() -> None:
    cells = [Cell("W_Q", i, j) for i in range(8) for j in range(8)]
    cells += [Cell("W_K", i, j) for i in range(4) for j in range(8)]
    edits = tuple((cell, -999.0123456789012 - k / 7) for k, cell in enumerate(cells))
    full = Settings(example="own", text="👩" * 400, d_model=8, d_k=8, d_v=8, mask="custom",
                    allow=".".join(["1" * 12] * 12), scale="-0.123456789", edits=edits)  # fmt: skip
    settings, notices = read_settings({"was": full.frozen()})
    assert (settings.was, notices) == (full.frozen(), [])


def test_the_facts_and_the_hatched_cells_are_those_of_each_state() -> None:
    message = board(open_both({"mask": "causal", "d_k": "5", "edits": "X:0,0=3"}, {}))
    facts = {str(label): value for label, value in message["facts"]}
    assert facts["mask"] == "none"
    assert facts["['row', ['i', 'd'], ['sub', 'k']]"] == "3", "not that of A"
    blocked = {key: m.get("blocked") for key, m in message["matrices"].items()}
    assert {key for key, cells in blocked.items() if cells} == {
        "S_was", "S_scaled_was", "M_was", "S_masked_was", "A_was",
    }  # fmt: skip
    assert blocked["A_was"] == [[0, 1], [0, 2], [1, 2]]
    other = board(open_both({}, {"mask": "causal", "edits": "X:0,0=3"}))["matrices"]
    hatched = {key for key, m in other.items() if m.get("blocked")}
    assert hatched == {"S", "S_scaled", "M", "S_masked", "A", "M_diff", "S_masked_diff"}
    assert other["S_masked_diff"]["blocked"] == other["M"]["blocked"]


def test_what_is_can_be_changed_and_what_was_cannot() -> None:
    matrices = board(open_both({"edits": "X:0,0=3"}, {"mask": "causal", "edits": "X:0,0=5"}))[
        "matrices"
    ]
    assert {key for key, m in matrices.items() if m.get("given")} == {"X", "W_Q", "W_K", "W_V"}
    assert {key for key, m in matrices.items() if m.get("toggles")} == {"M"}
    assert matrices["X"]["edited"] == {"0,0": 5.0}
    assert "edited" not in matrices["X_was"]


@every_pair
def test_it_asks_whose_output_changes_most(was: Query, now: Query) -> None:
    message = board(open_both(was, now))
    ask = message["ask"]
    after, before = both(was, now)
    if after["O"].shape != before["O"].shape or "O_diff" not in message["matrices"]:
        assert ask is None
        return
    apart = abs(less(after["O"], before["O"]))
    decimals = int(now.get("decimals", "3"))
    totals = [at(x, decimals) for x in apart.sum(axis=1)]
    by_hand = [sum(at(x, decimals) for x in row) for row in apart]
    right = [x == max(totals) for x in totals]
    if all(right) or max(by_hand) == 0 or [x == max(by_hand) for x in by_hand] != right:
        assert ask is None
        return
    assert [correct for _, correct in ask["options"]] == right
    n, d_v = after["O"].shape
    every = {f"{key}:{i},{j}" for key in ("O", "O_diff") for i in range(n) for j in range(d_v)}
    assert set(message["hidden"]) == every
    assert not {"U", "U_diff", "X_out", "X_out_diff"} & message["matrices"].keys()
    assert ask["pin"] in every
    assert message["view"]["cell"] not in every
    assert f"add up to {max(totals):f}".rstrip("0").rstrip(".") in ask["right"]
    if len([x for x in right if x]) == 1:
        assert (max(by_hand) != max(totals)) == (f" gives {max(by_hand):f}" in ask["right"])


def at(x: float, decimals: int) -> Decimal:
    """A number as it is shown."""
    return Decimal(repr(float(x))).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


# Where the differences, as they are shown, do not tell whose are the largest.
UNDECIDED: dict[str, tuple[Query, Query]] = {
    "all show 0": ({}, {"decimals": "0", "edits": "W_V:0,0=1.0001"}),
    "all but sums show 0": ({}, {"decimals": "0", "mask": "padding"}),
    "all show 0 at 3": ({}, {"edits": "X:0,0=1.0001"}),
}
both_ways = pytest.mark.parametrize(("was", "now"), UNDECIDED.values(), ids=UNDECIDED)


@both_ways
def test_it_does_not_ask_what_nothing_on_screen_decides(was: Query, now: Query) -> None:
    message = board(open_both(was, now))
    assert "O_diff" in message["matrices"]
    assert message["ask"] is None


def test_what_looks_alike_is_equally_right() -> None:
    now = {"example": "cat", "decimals": "2", "mask": "padding", "scale": "-2", "d_k": "6"}
    ask = board(open_both({"example": "cat"}, now))["ask"]
    assert {text for text, right in ask["options"] if right} == {"sat", "down"}


def test_where_the_shown_differences_add_up_to_another_number_it_says_so() -> None:
    ask = board(open_both({}, {"mask": "causal", "decimals": "1"}))["ask"]
    assert "add up to 2.6, signs left out. 0 + 1.6 + 0.9 gives 2.5. Before rounding" in ask["right"]


@pytest.mark.parametrize("edits", ["X:0,0=9999", "X:0,0=1", "X:0,0=9999;s:0,0=5"])
def test_a_typed_number_that_is_not_used_does_not_count(edits: str) -> None:
    for was, now in (({"edits": edits}, {}), ({}, {"edits": edits})):
        said = told(open_both(was, now))
        assert "edited number" not in said
        assert "Nothing differs yet." in said


def test_the_board_is_the_one_of_the_whole_form() -> None:
    """A frozen state costs nothing where it is not compared: Whole sends the very same numbers."""
    assert (
        board(open_page(WHOLE.file, was="v=1&mask=causal"))["id"]
        == (board(open_page(WHOLE.file))["id"])
    )
