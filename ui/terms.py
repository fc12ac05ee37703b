"""The terms of the glossary: one sentence each and the page it lives on; and links to them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ui import link
from ui.pages import (
    BLEND,
    COST,
    DIRECTED,
    EMBED,
    GLOSSARY,
    MASK,
    MASKS_LAB,
    MIX,
    ORDER,
    PROJECT,
    ROOT,
    SCALE,
    SCORE,
    SHARPEN,
    SOFTMAX,
    STREAM,
    WHOLE,
    Page,
    variant,
)
from ui.prose import anchor

# A term that is marked in prose: [[mask]], or [[masked|mask]] where the word there is another.
_MARKED = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]|]+))?\]\]")


@dataclass(frozen=True)
class Term:
    """A term, what it means in one sentence, and the page it lives on."""

    name: str
    says: str
    page: Page

    @property
    def id(self) -> str:
        """Its place on the page of the glossary.

        >>> TERMS["dot product"].id
        'term-dot-product'
        """
        return f"term-{self.name.lower().replace(' ', '-')}"


_ALL: tuple[tuple[str, str, Page], ...] = (
    ("activation", "A number that is computed anew for each input, such as those of Q, K and V.",
     PROJECT),
    ("attention", "Every token takes a blend of all values, each by its weight.", EMBED),
    ("batch", "Several sentences that are computed together, filled up to one length.", MASK),
    ("causal mask", "A mask that lets a token see itself and what stands before it.", MASK),
    ("component", "One of the d_k or d_v numbers of a query, key or value.", PROJECT),
    ("convex hull", "All places that blends of some points can reach.", BLEND),
    ("convex combination", "A sum of things times shares that are not negative and add up to 1.",
     BLEND),
    ("cosine", "The dot product of two rows divided by both of their lengths, from −1 to 1.",
     DIRECTED),
    ("dot product", "Multiply two rows entry by entry, and add up.", SCORE),
    ("embedding", "The row of numbers that stands for a token.", EMBED),
    ("diag", "diag(a): the numbers of a row on the diagonal of a square table, 0 elsewhere.",
     SHARPEN),
    ("entropy", "How evenly weights are spread: largest for equal ones, 0 where one has all.",
     ROOT),
    ("entry by entry", "X ∘ Y: each number times the one at the same place.", MASKS_LAB),
    ("exponential", "e to the power of a number; it is positive whatever the number is.", SOFTMAX),
    ("feature", "One of the d_model numbers of an embedding.", EMBED),
    ("gradient", "How much the result changes with each number, written with a d in front.",
     SHARPEN),
    ("hardmax", "1 for the largest number of a row, 0 for the others.", EMBED),
    ("head", "One attention on columns of its own; real layers run several side by side.",
     variant("heads")),
    ("hyperbolic tangent", "A function that bends any number into the range from −1 to 1.",
     variant("softcap")),
    ("Jacobian", "The table of how each output of a step changes with each of its inputs.",
     SHARPEN),
    ("key", "The row that says what a token can be found by.", PROJECT),
    ("layer", "Attention and what follows it, once; models stack many.", WHOLE),
    ("length", "How far the arrow of a row reaches: the root of the row times itself.", DIRECTED),
    ("logit", "Another word for a number that goes into a softmax: here, a score.", SOFTMAX),
    ("look-up", "Finding the value of the key that matches a query.", EMBED),
    ("mask", "Numbers that are added to the scores: −∞ blocks a key, and 0 leaves it open.", MASK),
    ("mean", "The sum of some numbers, divided by how many there are.", MIX),
    ("one-hot", "A row with a single 1 and zeros elsewhere.", EMBED),
    ("output", "The blend of values that a token takes home.", MIX),
    ("padding", "Tokens without meaning that fill a sentence up; a mask blocks them.", MASK),
    ("parameter", "A number that is learned once and then the same for every input.", PROJECT),
    ("permutation", "The same things in another order.", ORDER),
    ("position", "The place of a token in its sequence, told by numbers that are added to X.",
     ORDER),
    ("projection", "A row times a matrix: X times W_Q makes the queries.", PROJECT),
    ("quadratic", "Growing with the square: twice as many tokens make four times as many cells.",
     COST),
    ("query", "The row that says what a token looks for.", PROJECT),
    ("rank", "How many directions the rows of a matrix really need.", DIRECTED),
    ("recurrent network", "A network that reads one token after the other: each step needs the "
     "result of the step before.", COST),
    ("residual stream", "The running sum to which each layer adds what it found.", STREAM),
    ("row maximum", "The largest number of a row; taking it off leaves the softmax as it is.",
     SOFTMAX),
    ("rowlength", "The length of each row, in one column.", DIRECTED),
    ("rowsum", "The sum of each row, in one column.", SOFTMAX),
    ("scaling", "Dividing the scores by √d_k, so that they stay moderate.", SCALE),
    ("score", "The dot product of one query and one key.", SCORE),
    ("self-attention", "Attention in which queries, keys and values come from one sequence.",
     EMBED),
    ("sliding window", "A mask that leaves a token only its nearest neighbours.", MASK),
    ("softmax", "e to each number of a row, divided by the sum of these: shares of 1.", SOFTMAX),
    ("standard deviation", "The root of the variance: the typical distance from the mean.", ROOT),
    ("symmetric", "Equal to its own transpose: the number at (i, j) is the one at (j, i).",
     DIRECTED),
    ("temperature", "A number that scores are divided by before the softmax: the larger it is, the "
     "more even are the weights.", SHARPEN),
    ("token", "A piece of a text, such as a word, that gets one row.", EMBED),
    ("transpose", "A matrix with rows and columns swapped, written with a ᵀ.", SCORE),
    ("value", "The row that a token hands over.", PROJECT),
    ("variance", "How far numbers lie from their mean: the mean of the squared distances.", ROOT),
    ("vector", "A row of numbers, seen as an arrow.", SCORE),
    ("weight", "The share of one value in an output; also a number of a weight matrix W.",
     SOFTMAX),
    ("weight matrix", "A table of parameters that rows are multiplied with.", PROJECT),
)  # fmt: skip
TERMS: dict[str, Term] = {name: Term(name, says, page) for name, says, page in _ALL}


def linked(html: str) -> str:
    """HTML in which the terms that are marked lead to the glossary, with the present settings.

    Mark the first mention on a page, and few of them. Square brackets stay as they are in escaped
    text, so that marks can be read after it was escaped.
    """
    return _MARKED.sub(lambda found: _link(found[2] or found[1], found[1]), html)


def _link(name: str, text: str) -> str:
    address = GLOSSARY.link(link.now().query())
    return anchor(
        f"{address}#{TERMS[name if name in TERMS else name.lower()].id}", text, ' class="term"'
    )
