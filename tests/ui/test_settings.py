"""Settings in the link: what is read back, and what a bad link is told."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import Cell
from ui.given import inputs_of, mask_now
from ui.lesson import graph_of
from ui.readers import read_number
from ui.settings import Settings, read_settings

OWN = Settings(
    example="own",
    text="The <b>bank</b> & the $river$",
    split="characters",
    seed=7,
    d_model=6,
    d_k=5,
    d_v=2,
    mask="causal",
    decimals=1,
    largest=True,
    maths=True,
    edits=((Cell("X", 0, 1), 2.5), (Cell("W_Q", 1, 0), -1.0)),
)
SPECIAL = Settings(
    mask="custom",
    allow="110.111.011",
    scale="-0.25",
    tied=True,
    shift=True,
    code="module",
    walk="cells",
    order="swapped",
    positions=True,
    layers=3,
    heads=32,
    width=128,
    size=2,
)


@pytest.mark.parametrize(
    "settings", [Settings(), OWN, SPECIAL, Settings(example="cat", d_k=2), Settings(scale="off")]
)
def test_a_link_gives_back_the_settings_it_was_made_from(settings: Settings) -> None:
    assert read_settings(settings.query()) == (settings, [])


def test_a_link_names_its_version_and_nothing_that_is_as_usual() -> None:
    assert Settings().query() == {"v": "1"}


def test_an_example_does_not_carry_the_sizes_of_an_own_sentence() -> None:
    assert Settings(example="cat", seed=9, d_model=7, text="x").query() == {
        "v": "1",
        "example": "cat",
    }


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("d_k", "99", "wanted a whole number from 1 to 8. Used the default"),
        ("d_k", "0", "wanted a whole number from 1 to 8"),
        ("d_k", "three", "wanted a whole number from 1 to 8"),
        ("d_k", "٣", "wanted a whole number from 1 to 8"),
        ("d_k", "2.5", "wanted a whole number"),
        ("d_k", "--3", "wanted a whole number"),
        ("d_k", "9" * 5000, "wanted a whole number"),
        ("seed", "-1", "wanted a whole number from 0 to 9999"),
        ("decimals", "nan", "wanted a whole number from 0 to 4"),
        ("example", "dog", "wanted one of love, hand, cat, own"),
        ("mask", "<script>", "wanted one of none, causal"),
        ("largest", "yes", "wanted 0 or 1"),
        ("scale", "loud", "wanted root, off or a number"),
        ("scale", "nan", "wanted root, off or a number"),
        ("scale", "1001", "wanted 0, or a number from 0.001 to 1000"),
        ("scale", "1e-300", "wanted 0, or a number from 0.001 to 1000"),
        ("allow", "11.1", "wanted rows of 1 (may attend) and 0, such as 10.11"),
        ("allow", "<b>", "wanted rows of 1 (may attend) and 0"),
        ("tied", "2", "wanted 0 or 1"),
        ("heads", "129", "wanted a whole number from 1 to 128. Used the default"),
        ("width", "0", "wanted a whole number from 1 to 256"),
        ("size", "3", "wanted one of 1, 2, 4, 8"),
        ("walk", "fast", "wanted one of pages, cells"),
        ("code", "java", "wanted one of numpy, torch, module, sdpa, mha"),
        ("split", "", "wanted one of words, characters"),
        ("text", "  ", "wanted at least one word"),
        ("edits", "X:0,1", "wanted at most 100 edits such as"),
        ("edits", "X:0,1=nan", "wanted a finite number"),
        ("edits", "X:0,1=two", "wanted a number such as"),
        ("edits", "X0,1=2", "wanted a cell such as S:0,1"),
        ("edits", ";".join(f"X:0,{i}=1" for i in range(101)), "wanted at most 100 edits"),
        ("v", "99", "made by another version"),
        ("v", "old", "made by another version"),
        ("colour", "red", "there is no such setting"),
    ],
)
def test_a_bad_parameter_is_named_with_what_was_used(name: str, text: str, wanted: str) -> None:
    settings, notices = read_settings({name: text})
    assert settings == Settings()
    assert len(notices) == 1
    assert notices[0].startswith(f"The link says {name}=")
    assert wanted in notices[0]
    assert len(notices[0]) < 200


def test_a_long_sentence_is_shortened_and_said_so() -> None:
    settings, notices = read_settings({"text": "word " * 2000})
    assert settings.example == "own"
    assert len(settings.text) == 400
    assert notices == ["The sentence has 10000 characters. The first 400 are used."]


def test_a_sentence_alone_means_the_own_example() -> None:
    assert read_settings({"text": "Hello there"})[0].own


@given(
    st.dictionaries(
        st.sampled_from([*Settings.__dataclass_fields__, "x"]), st.text(max_size=30), max_size=18
    )
)
def test_any_link_gives_settings_that_can_be_computed_with(query: dict[str, str]) -> None:
    settings, notices = read_settings(query)
    inputs, more, used = inputs_of(settings)
    assert inputs.graph()["O"].value.size
    assert read_settings(used.query())[1] == []
    assert all(isinstance(notice, str) for notice in (*notices, *more))


def test_an_edit_that_no_longer_fits_is_left_out_and_named() -> None:
    settings = Settings(d_k=1, edits=((Cell("W_Q", 0, 2), 5.0), (Cell("X", 0, 0), 3.0)))
    _, notices, used = inputs_of(settings)
    assert used.edits == settings.edits, "it waits for a larger size"
    assert inputs_of(replace(used, d_k=3))[0].given["W_Q"][0, 2] == 5.0
    assert notices == ("The edit W_Q:0,2=5 was left out. W_Q has no row 1, column 3: it is 4×1.",)


def test_columns_beyond_the_source_are_said_to_be_toy_numbers() -> None:
    assert "Columns beyond 3 are toy numbers" in inputs_of(Settings(d_k=5))[1][0]
    assert inputs_of(Settings(d_k=2))[1] == ()


@pytest.mark.parametrize(
    ("text", "number"),
    [("2", 2.0), (" 2.5 ", 2.5), ("2,5", 2.5), ("−1", -1.0), ("-0.5", -0.5), ("1e2", 100.0)],
)
def test_numbers_are_read_as_people_type_them(text: str, number: float) -> None:
    assert read_number(text) == number


def test_a_mask_of_ones_own_is_a_mask_only_where_it_is_chosen() -> None:
    assert "allow" not in Settings(mask="causal", allow="10.11").query()
    assert Settings(mask="custom", allow="10.11").query()["allow"] == "10.11"


def test_a_mask_of_ones_own_blocks_what_it_says() -> None:
    graph = graph_of(Settings(mask="custom", allow="110.011.101"))
    assert [[graph.blocked(i, j) for j in range(3)] for i in range(3)] == [
        [False, False, True],
        [True, False, False],
        [False, True, False],
    ]


def test_a_mask_for_another_number_of_tokens_is_fitted_and_said_so() -> None:
    _, notices, used = inputs_of(Settings(example="cat", mask="custom", allow="10.11"))
    assert used.allow == "1011.1111.1111.1111"
    assert len(notices) == 1
    assert "is 2 × 2 and there are 4 tokens" in notices[0]


@pytest.mark.parametrize(
    ("mask", "text"),
    [("none", "111.111.111"), ("causal", "100.110.111"), ("padding", "110.110.110")],
)
def test_a_mask_of_ones_own_starts_from_the_present_one(mask: str, text: str) -> None:
    assert mask_now(Settings(mask=mask)) == text


@pytest.mark.parametrize(("scale", "factor"), [("off", 1.0), ("0.5", 0.5), ("-2", -2.0)])
def test_a_scale_is_what_the_scores_are_multiplied_by(scale: str, factor: float) -> None:
    graph = graph_of(Settings(scale=scale))
    assert (graph["S_scaled"].value == factor * graph["S"].value).all()


def test_tied_weights_make_the_scores_symmetric() -> None:
    graph = graph_of(Settings(tied=True))
    assert (graph["W_K"].value == graph["W_Q"].value).all()
    assert (graph["S"].value == graph["S"].value.T).all()
    assert not (graph_of(Settings())["S"].value == graph_of(Settings())["S"].value.T).all()


def test_keys_cannot_be_edited_while_they_follow_the_queries() -> None:
    edits = ((Cell("W_K", 0, 0), 5.0), (Cell("W_Q", 0, 0), 7.0))
    inputs, notices, used = inputs_of(Settings(tied=True, edits=edits))
    assert used.edits == edits, "it waits until keys have numbers of their own"
    assert inputs.given["W_K"][0, 0] == 7.0
    assert inputs_of(replace(used, tied=False))[0].given["W_K"][0, 0] == 5.0
    assert "W_K follows W_Q here. Edit W_Q." in notices[0]


@pytest.mark.parametrize("form", ["plain", "look-up", "unscaled", "steps", "whole"])
@pytest.mark.parametrize("scale", ["root", "1000", "-1000", "0"])
def test_every_form_can_be_computed_at_every_scale(form: str, scale: str) -> None:
    settings = Settings(scale=scale, mask="custom", allow="000.111.010")
    assert graph_of(settings, form)["A"].value[0].tolist() == [0.0, 0.0, 0.0]
