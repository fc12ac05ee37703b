"""A bad, unknown, oversized or old parameter is named, and the board is there all the same."""

from __future__ import annotations

from html import unescape
from urllib.parse import parse_qsl

import pytest

from tests.ui.test_pages import board, open_page, prose

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
def test_a_bad_parameter_is_named_and_the_board_is_there(query: str, named: str) -> None:
    given = {"v": "1"} | dict(parse_qsl(query, keep_blank_values=True))
    app = open_page(**given)
    (notice,) = (text for text in prose(app).split("<li>")[1:])
    assert named in unescape(notice)
    assert "S" in board(app)["matrices"]
