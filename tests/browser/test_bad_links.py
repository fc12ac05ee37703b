"""A bad, unknown, oversized or old parameter is named, and the board is there all the same."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.patience import eventually
from tests.browser.visit import Opener

# What a link says, and the name that the notice must call it by.
BAD = [
    ("example=nothing", "example=nothing"),
    ("d_k=99", "d_k=99"),
    ("d_k=0", "d_k=0"),
    ("d_k=-1", "d_k=-1"),
    ("d_k=--5", "d_k=--5"),
    ("d_k=2.5", "d_k=2.5"),
    ("d_k=%C2%B2", "d_k=²"),
    ("d_k=" + "9" * 5000, "d_k=999"),
    ("seed=1e3&example=own", "seed=1e3"),
    ("mask=all", "mask=all"),
    ("decimals=77", "decimals=77"),
    ("largest=yes", "largest=yes"),
    ("split=letters", "split=letters"),
    ("text=", "text="),
    ("text=%20%20", "text="),
    ("text=%00%07", "sentence"),
    ("v=0", "v=0"),
    ("v=2", "v=2"),
    ("v=abc", "v=abc"),
    ("edits=X:0,0", "edits=X:0,0"),
    ("edits=X:9,9%3D1", "X:9,9"),
    ("edits=S:0,0%3D1", "S:0,0"),
    ("edits=X:0,0%3Dnan", "edits=X:0,0=nan"),
    ("edits=X:0,0%3D1e9", "X:0,0"),
    ("edits=" + "X:0,0%3D1;" * 300 + "Y", "edits="),
    ("cell=Z:0,0", "Z:0,0"),
    ("cell=S:7,7", "S:7,7"),
    ("cell=S", "cell S"),
    ("cell=S:0,-1", "S:0,-1"),
    ("cell=%3Cb%3ES:0,0", "<b>S:0,0"),
    ("cell=O:0,0", "O:0,0"),
    ("seen=S:9,9", "reveals"),
    ("step=ten", "step=ten"),
    ("step=99", "step=99"),
    ("open=yes", "open=yes"),
    ("edit=2", "edit=2"),
    ("colour=red", "colour=red"),
    ("was=nonsense", "was=nonsense"),
    ("was=v%3D1%26d_k%3D99", "d_k=99"),
    ("was=v%3D1%26was%3Dv%253D1", "was=v=1"),
    ("was=" + "v%3D1%26" * 4000, "wanted at most"),
    ("%3Cscript%3Ealert(1)%3C/script%3E=1", "<script>"),
]


@pytest.mark.parametrize(("query", "named"), BAD, ids=[query[:24] for query, _ in BAD])
def test_a_bad_parameter_is_named_and_the_board_is_there(
    visit: Opener, query: str, named: str
) -> None:
    """A notice says what was wrong and what is used instead; never an exception, never silence."""
    here = visit("/Score?" + ("" if query.startswith("v=") else "v=1&") + query)
    expect(here.notices).to_have_count(1)
    expect(here.notices).to_contain_text(named)
    expect(here.page.get_by_test_id("stException")).to_have_count(0)
    expect(here.cell("S", 0, 0)).to_have_text(re.compile(r"\d"))
    if "own" not in query and "text" not in query:
        eventually(here.column_labels, "S", gives=["I", "love", "AI"])


def test_several_bad_parameters_are_all_named(visit: Opener) -> None:
    """One bad word does not hide another, and what is good still holds."""
    here = visit("/Score?v=9&d_k=99&mask=causal&cell=Q:8,8&example=cat&x=1")
    for name in ("v=9", "d_k=99", "Q:8,8", "x=1"):
        expect(here.notices.filter(has_text=name)).to_have_count(1)
    eventually(here.column_labels, "S", gives=["The", "cat", "sat", "down"])
    expect(here.cell("S", 0, 3)).to_have_attribute("aria-label", re.compile("blocked"))
