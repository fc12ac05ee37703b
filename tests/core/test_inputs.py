"""A learner's own sentence: tokens, toy embeddings, toy weights, edits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import EXAMPLES, AttentionError, Cell, Inputs, tokenize, toy_inputs
from attention_core.inputs import MAX_TOKEN_LENGTH, characters

HOSTILE = ("<b>", "$x$", "**a**", "1", "2024-01-01", "nan", "مرحبا", "👩‍🔬")


def toy(tokens: tuple[str, ...], seed: int = 1, size: int = 4) -> Inputs:
    return toy_inputs(tokens, seed, d_model=size, d_k=3, d_v=2)


def test_words_stand_as_they_were_typed() -> None:
    assert tokenize("  " + "  ".join(HOSTILE) + "\n").tokens == HOSTILE


def test_long_sentences_are_shortened_and_say_so() -> None:
    tokens = tokenize(" ".join(f"w{i}" for i in range(40)))
    assert len(tokens.tokens) == 12
    assert tokens.notices == ("The sentence has 40 tokens; the board shows the first 12.",)


def test_long_tokens_are_shortened_and_say_so() -> None:
    tokens = tokenize("a" * 10_000)
    assert tokens.tokens == ("a" * (MAX_TOKEN_LENGTH - 1) + "…",)
    assert tokens.notices == ("Tokens are cut to 24 characters, ending in «…».",)


def test_a_script_without_spaces_is_offered_characters() -> None:
    assert "Choose «characters»" in tokenize("我爱人工智能").notices[0]
    assert tokenize("我爱人工智能", "characters").tokens == tuple("我爱人工智能")
    assert tokenize("word").notices == ()


def test_characters_keep_marks_joiners_flags_and_skin_tones_together() -> None:
    assert characters("é👩‍🔬🇫🇷🇩🇪👍🏽a") == ["é", "👩‍🔬", "🇫🇷", "🇩🇪", "👍🏽", "a"]


def test_marks_that_turn_the_text_around_them_are_dropped() -> None:
    assert tokenize("\u202eabc\u202c def \u200b").tokens == ("abc", "def")


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\x00\x07", "\u200b"])
def test_a_sentence_without_tokens_is_refused_by_name(text: str) -> None:
    with pytest.raises(AttentionError, match="sentence: there is no token in it"):
        tokenize(text)


@given(st.text(max_size=300))
def test_any_text_gives_tokens_or_a_clear_refusal(text: str) -> None:
    for split in ("words", "characters"):
        try:
            tokens = tokenize(text, split).tokens
        except AttentionError:
            continue
        assert 1 <= len(tokens) <= 12
        assert all(token.strip() for token in tokens)
        graph = toy_inputs(tokens, 1, 4, 3, 3).graph()
        assert np.isfinite(graph["O"].value).all()


def test_equal_tokens_get_equal_rows_whatever_stands_around_them() -> None:
    first, second = toy(("the", "cat", "the")), toy(("a", "the"))
    X = first.given["X"]
    assert X[0].tolist() == X[2].tolist() == second.given["X"][1].tolist()
    assert X[0].tolist() != X[1].tolist()


def test_numbers_are_small_integers_and_the_seed_changes_them() -> None:
    tokens = tuple("abcdefgh")
    one, two = toy(tokens, seed=1), toy(tokens, seed=2)
    for key, array in one.given.items():
        assert set(array.flat) <= ({-1, 0, 1, 2} if key == "X" else {-1, 0, 1})
        assert array.tolist() == toy(tokens, seed=1).given[key].tolist()
        assert key == "W_O" or array.tolist() != two.given[key].tolist()


def test_a_larger_size_keeps_the_numbers_it_had() -> None:
    small, large = toy(("a", "b"), size=3), toy(("a", "b"), size=8)
    for key in ("X", "W_Q", "W_K", "W_V"):
        rows, cols = small.given[key].shape
        assert large.given[key][:rows, :cols].tolist() == small.given[key].tolist()


@pytest.mark.parametrize("key", list(EXAMPLES))
@pytest.mark.parametrize("d_k", [1, 2, 8])
def test_an_example_with_another_d_k_keeps_its_own_columns(key: str, d_k: int) -> None:
    inputs = EXAMPLES[key].inputs
    changed = inputs.with_d_k(d_k)
    assert changed.sizes["d_k"] == d_k
    for name, array in inputs.given.items():
        kept = min(d_k, array.shape[1]) if name in ("Q", "K", "W_Q", "W_K") else array.shape[1]
        assert changed.given[name][:, :kept].tolist() == array[:, :kept].tolist()
    assert changed.graph()["S"].shape == inputs.graph()["S"].shape


def test_an_edit_changes_one_number_and_nothing_of_the_original() -> None:
    inputs = EXAMPLES["love"].inputs
    edited = inputs.with_edit(Cell("X", 0, 1), 2.5)
    assert edited.given["X"][0].tolist() == [1, 2.5, 1, 0]
    assert inputs.given["X"][0].tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("cell", "value", "message"),
    [
        (Cell("S", 0, 0), 1.0, "S is computed and cannot be typed over. Edit one of: X, W_Q"),
        (Cell("X", 9, 0), 1.0, "X has no row 10, column 1: it is 3×4."),
        (Cell("X", 0, 0), 1e9, "X: 1000000000.0 is not a number from −1000 to 1000."),
        (Cell("X", 0, 0), float("nan"), "X: nan is not a number from −1000 to 1000."),
    ],
)
def test_an_impossible_edit_is_refused_by_name(cell: Cell, value: float, message: str) -> None:
    with pytest.raises(AttentionError, match="^" + message.replace(".", r"\.")):
        EXAMPLES["love"].inputs.with_edit(cell, value)


TIED = [EXAMPLES["love"].inputs, EXAMPLES["hand"].inputs, toy(("a", "b"))]


@pytest.mark.parametrize("inputs", TIED, ids=["love", "hand", "toy"])
def test_tied_keys_follow_the_queries(inputs: Inputs) -> None:
    first, second = ("W_Q", "W_K") if "X" in inputs.given else ("Q", "K")
    tied = inputs.with_tied()
    assert (tied.tied, inputs.tied) == (True, False)
    for changed in (tied, tied.with_d_k(5, seed=3), tied.with_edit(Cell(first, 1, 0), 7.5)):
        assert changed.tied
        assert changed.given[first].tolist() == changed.given[second].tolist()
        assert changed.graph().unlike("S") is None
        assert changed.graph("causal")["K"].value.tolist() == changed.graph()["Q"].value.tolist()
        assert (
            changed.given["V" if first == "Q" else "W_V"]
            is inputs.given["V" if first == "Q" else "W_V"]
        )
    assert tied.with_edit(Cell(first, 1, 0), 7.5).given[second][1, 0] == 7.5
    assert (
        tied.with_d_k(5, seed=3).given[first].tolist()
        == inputs.with_d_k(5, seed=3).given[first].tolist()
    )
    with pytest.raises(AttentionError) as error:
        tied.with_edit(Cell(second, 0, 0), 1.0)
    assert str(error.value) == f"{second} follows {first} here. Edit {first}."
    assert inputs.with_edit(Cell(second, 0, 0), 1.0).given[second][0, 0] == 1.0


def test_tying_twice_is_tying_once_and_leaves_the_original_alone() -> None:
    inputs = EXAMPLES["love"].inputs
    before = inputs.given["W_K"].tolist()
    assert inputs.with_tied().with_tied() == inputs.with_tied()
    assert inputs.given["W_K"].tolist() == before
