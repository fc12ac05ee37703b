"""Settings in the link: what is read back, and what a bad link is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import Cell
from ui.settings import Settings, inputs_of, read_number, read_settings

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


@pytest.mark.parametrize("settings", [Settings(), OWN, Settings(example="cat", d_k=2)])
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
        st.sampled_from([*Settings.__dataclass_fields__, "x"]), st.text(max_size=30), max_size=13
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
    assert used.edits == ((Cell("X", 0, 0), 3.0),)
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
