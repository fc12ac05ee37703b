"""The page on the cache: what it asks and hides, what it says of masks, and what it counts."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest

from attention_core import EXAMPLES, cached, cached_layers
from tests.ui.test_pages import board, open_page, prose
from ui import cache
from ui.given import inputs_of
from ui.lesson import Lesson, graph_of
from ui.pages import variant
from ui.settings import Settings, read_settings

CACHE = variant("cache")
OPEN = {"causal": "0"}
SECOND = {"K_2_kept", "K_2_diff", "O_2_new", "O_2_last", "O_2_gap"}


def lesson_of(query: dict[str, str]) -> Lesson:
    _, _, used = inputs_of(read_settings(query)[0])
    return Lesson(CACHE, used, inputs_of(used)[0], graph_of(used, CACHE.form))


def words(**query: str) -> str:
    text = re.sub("<[^>]+>", "", prose(open_page(CACHE.file, **query)))
    return unescape(text).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("query", "shape"),
    [
        ({}, "1\u00a0×\u00a03"),
        ({"at": "1"}, "1\u00a0×\u00a01"),
        ({"example": "cat", "at": "4"}, "1\u00a0×\u00a04"),
        ({"example": "cat", "at": "12"}, "1\u00a0×\u00a04"),
        ({"text": "one", "at": "2"}, "1\u00a0×\u00a01"),
        ({"text": "a b c d e f g h i j k l", "at": "12"}, "1\u00a0×\u00a012"),
    ],
)
def test_a_step_has_one_row_and_a_score_for_each_token_read(
    query: dict[str, str], shape: str
) -> None:
    assert board(open_page(CACHE.file, **query))["matrices"]["S_new"]["shape"] == shape


def test_the_control_offers_as_many_tokens_as_there_are_and_the_board_grows() -> None:
    app = open_page(CACHE.file, example="cat", at="2")
    assert app.button_group(key="set_at").options == ["1", "2", "3", "4"]
    rows = [board(app)["matrices"]["K_kept"]["rows"]["labels"]]
    for at in (3, 4):
        app.button_group(key="set_at").set_value(at).run()
        rows.append(board(app)["matrices"]["K_kept"]["rows"]["labels"])
    assert rows == [["The"], ["The", "cat"], ["The", "cat", "sat"]]
    assert app.query_params["at"] == "4"


def test_the_switch_takes_the_mask_away() -> None:
    app = open_page(CACHE.file)
    app.toggle(key="set_causal").set_value(False).run()
    assert app.query_params["causal"] == "0"
    assert "The causal mask is off" in prose(app)


def test_a_token_that_is_not_there_is_named() -> None:
    assert "The link asks for 9 tokens, and the sentence has 3." in words(at="9")
    assert "The link asks" not in words()
    assert "The link asks" not in words(text="one") + words(at="2")


def test_what_is_read_kept_and_to_come() -> None:
    said = words(example="cat", at="3")
    assert "«sat» is being read. Kept from before: 2 rows of K and of V" in said
    assert "1 token to come." in said
    assert "to come." not in words(), "all are read"
    assert "«The» is being read. Nothing is kept yet. 3 tokens to come." in words(
        example="cat", at="1"
    )


@pytest.mark.parametrize("mask", ["none", "causal", "window", "padding", "custom"])
@pytest.mark.parametrize("causal", ["0", "1"])
def test_the_mask_of_the_sidebar_is_not_used_and_that_is_said(mask: str, causal: str) -> None:
    app = open_page(CACHE.file, mask=mask, causal=causal, allow="000.000.000")
    said = re.sub("<[^>]+>", "", prose(app))
    assert ("«" + mask + "», is not used on this page." in said) == (mask != "none")
    assert ("This page uses a causal mask" in said) == (causal == "1")
    assert ("The causal mask is off" in said) == (causal == "0")
    A = board(app)["matrices"]["A"]
    assert A["cells"][0] == (["1", "0", "0"] if causal == "1" else ["0.070", "0.707", "0.223"])
    assert A.get("blocked", []) == ([[0, 1], [0, 2], [1, 2]] if causal == "1" else [])


def test_it_asks_whether_an_earlier_output_changes_and_hides_what_tells() -> None:
    for query, answer in (({}, "It stays"), (OPEN, "It changes")):
        message = board(open_page(CACHE.file, **query))
        ask, hidden = message["ask"], {cell.partition(":")[0] for cell in message["hidden"]}
        assert ask["title"] == "«AI» comes. Will the output of «I» change?"
        assert [name for name, right in ask["options"] if right] == [answer]
        assert hidden == {"O_was", "O_diff", "K_2_kept", "K_2_diff", "O_2_new", "O_2_gap"}
        for key in hidden:
            cells = message["matrices"][key]["cells"]
            count = sum(cell.startswith(f"{key}:") for cell in message["hidden"])
            assert count == len(cells) * len(cells[0])
        assert ask["pin"].startswith("O_diff:0,")
    assert "a weight of 0.223." in board(open_page(CACHE.file, **OPEN))["ask"]["given"]


def test_it_does_not_ask_where_nothing_can_be_seen() -> None:
    assert board(open_page(CACHE.file, at="1"))["ask"] is None
    assert board(open_page(CACHE.file, text="one", **OPEN))["ask"] is None
    seen = board(open_page(CACHE.file, decimals="0", **OPEN))
    assert seen["ask"] is None, "all differences show as 0 and are none"
    assert seen["matrices"]["O_diff"]["cells"][0] == ["0", "0", "0"]


def test_equal_values_change_nothing_and_it_says_why() -> None:
    ask = board(open_page(CACHE.file, text="no no no", **OPEN))["ask"]
    assert [right for _, right in ask["options"]] == [True, False]
    assert "but with these numbers its blend is the same" in ask["given"]
    assert "With these numbers nothing changes." in words(text="no no no", **OPEN)


def test_what_it_says_of_the_second_layer_is_so() -> None:
    assert "with the causal mask K2,diff and O2,gap are 0." in words()
    assert "of the second layer are out of date" in words(**OPEN)
    assert "no second layer to show here" in words(example="hand")
    assert "Nothing is kept for the first token." in words(at="1")


def test_each_sentence_on_the_second_layer_fits_the_numbers() -> None:
    """All that can be said, from graphs that call for it."""
    here = lesson_of({})
    love = EXAMPLES["love"].graph()
    open_, shut = (cached_layers(love, 3, causal=causal) for causal in (False, True))
    off = here.settings.with_options({"causal": False})
    says = {
        "are 0": replace(here, graph=shut),
        "last bits": replace(here, graph=open_),  # the mask is on, and yet something differs
        "is wrong by": replace(here, graph=open_, settings=off),
        "nothing changes": replace(here, graph=shut, settings=off),
        "no second layer": replace(here, graph=cached(love, 3)),
    }
    for part, lesson in says.items():
        assert part in cache.out_of_date(lesson)
    steps = tuple(shut[m.key] if m.key == "O_2_gap" else m for m in open_.steps)
    lucky = replace(open_, steps=steps)
    assert "happens to come out right" in cache.out_of_date(
        replace(here, graph=lucky, settings=off)
    )


def test_a_step_that_differs_by_last_bits_is_not_called_the_same() -> None:
    here = lesson_of({})
    assert "they are the same" in cache.same_row(here)
    open_ = cached_layers(EXAMPLES["love"].graph(), 3, causal=False)
    dust = replace(open_["O_gap"], value=open_["O_gap"].value + 1e-9)
    steps = tuple(dust if m.key == "O_gap" else m for m in open_.steps)
    assert "last bits" in cache.same_row(replace(here, graph=replace(open_, steps=steps)))


def test_without_embeddings_there_is_one_layer() -> None:
    message = board(open_page(CACHE.file, example="hand"))
    assert not SECOND & set(message["matrices"])
    assert "begins with Q, K and V" in words(example="hand")
    assert set(board(open_page(CACHE.file))["matrices"]) >= SECOND


def rows_of(text: str, caption: str) -> list[list[str]]:
    """The body of a table."""
    (body,) = re.findall(rf"<caption>{caption}</caption>.*?<tbody>(.*?)</tbody>", text)
    return [
        [unescape(re.sub("<[^>]+>", "", cell)) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in re.findall(r"<tr>(.*?)</tr>", body)
    ]


@pytest.mark.parametrize(
    ("query", "d_model", "d_k", "d_v", "t"),
    [
        ({}, 4, 3, 3, 3),
        ({"example": "cat", "at": "4"}, 8, 4, 4, 4),
        ({"text": "a b c d e f g h i j k l", "at": "12", "d_k": "8", "d_v": "2"}, 4, 8, 2, 12),
        ({"example": "hand", "at": "2"}, 0, 2, 2, 2),
        ({"text": "one"}, 4, 3, 3, 1),
    ],
)
def test_the_table_counts_what_the_steps_take(
    query: dict[str, str], d_model: int, d_k: int, d_v: int, t: int
) -> None:
    """Product by product and step by step, without any formula for a sum."""

    def of_step(rows: int, keys: int) -> int:
        return rows * d_model * (d_k + d_k + d_v) + rows * keys * d_k + rows * keys * d_v

    cached_all = sum(of_step(1, step) for step in range(1, t + 1))
    again_all = sum(of_step(step, step) for step in range(1, t + 1))
    made, made_again = 2 * d_k + d_v + t, t * (2 * d_k + d_v) + t * t
    table = rows_of(prose(open_page(CACHE.file, **query)), f"{t} tokens? read, .*?")
    assert [row[1:] for row in table] == [
        ["1 each", f"{t} each"],
        [f"{t}", f"{t * t}"],
        [f"{of_step(1, t):,}", f"{of_step(t, t):,}"],
        [f"{cached_all:,}", f"{again_all:,}"],
        [f"{4 * made:,}", f"{4 * made_again:,}"],
        [f"{4 * t * (d_k + d_v):,}", "0"],
    ]
    assert ("used" if query.get("example") == "hand" else "made") in table[0][0]


def test_the_table_of_models_is_computed_anew() -> None:
    table = rows_of(
        prose(open_page(CACHE.file)), "Multiplications for Q, K, V, S and O in one layer.*?"
    )
    for (name, *row), (d, layers) in zip(
        table, [(512, 6), (512, 6), (4096, 32), (4096, 32)], strict=True
    ):
        n = int(row[0].replace(",", ""))
        some = sum(3 * d * d + 2 * t * d for t in range(1, n + 1))
        every = sum(3 * t * d * d + 2 * t * t * d for t in range(1, n + 1))
        units = {"million": 10**6, "billion": 10**9, "trillion": 10**12}
        for text, count in zip(row[1:3], (some, every), strict=True):
            number, unit = text.split()
            assert float(number) == pytest.approx(count / units[unit], abs=0.0501)
        assert row[3] == f"{every / some:,.0f}"
        number, unit = row[4].split()
        kept = layers * n * 2 * d * 2 / {"MB": 10**6, "GB": 10**9}[unit]
        assert float(number) == pytest.approx(kept, abs=0.0501)
        assert name == ("the paper" if d == 512 else "Llama 7B")


def test_links_open_other_steps() -> None:
    tried = dict(cache.steps_to_try(lesson_of({"mask": "window", "edits": "X:0,0=3"})))
    without = tried["All four, without the mask"]
    assert without == Settings(example="cat").with_options({"at": 4, "causal": False})
