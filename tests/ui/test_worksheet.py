"""The worksheet on paper: its numbers, what it asks, and what it does not tell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import pytest

from attention_core.axes import token_axis
from tests.ui.test_exact import read as read_exactly
from tests.ui.test_numbers import read, rounded, with_base_two
from tests.ui.test_pages import open_page, prose
from ui.given import inputs_of
from ui.pages import WORKSHEET, variant
from ui.settings import Settings, read_settings
from ui.worksheet import document

Element = ElementTree.Element
TWELVE = "one two three four five six seven eight nine ten eleven internationalization"
HOSTILE = '<b>x</b> $y$ </style><script>alert(1)</script> "q" & שלום {forms} 1'
QUERIES: dict[str, dict[str, str]] = {
    "love": {},
    "hand": {"example": "hand", "mask": "padding", "decimals": "2"},
    "cat": {"example": "cat", "mask": "causal", "blanks": "half", "largest": "1"},
    "from Q, K, V": {"start": "QKV", "decimals": "0"},
    "all": {"text": "no one is no one", "blanks": "all", "mask": "window", "d_k": "5"},
    "twelve": {"text": TWELVE, "d_model": "8", "d_k": "8", "d_v": "8", "decimals": "4"},
    "nothing seen": {"mask": "custom", "allow": "110.000.000", "scale": "-0.75"},
    "not scaled": {"scale": "off", "tied": "1", "edits": "X:0,1=2.5;W_Q:0,0=-999.125"},
    "powers of 2": {"base": "2", "blanks": "half", "example": "cat", "mask": "padding"},
    "one token": {"text": "one", "d_k": "1", "decimals": "1"},
    "hostile": {"text": HOSTILE, "mask": "causal", "scale": "0"},
}
every_query = pytest.mark.parametrize("name", QUERIES)
EXACT = {"exact": "1", "answers": "1"}


@dataclass
class Table:
    """A table on paper: the key of its matrix, the columns it shows, and its cells by place."""

    key: str
    cells: dict[tuple[int, int], Element]
    in_key: bool

    def places(self, kind: str) -> set[tuple[int, int]]:
        return {at for at, cell in self.cells.items() if cell.get("class") == kind}


def decimals_of(query: dict[str, str]) -> int:
    """Those of the sidebar; two where it asks for whole numbers."""
    return int(query.get("decimals", "3")) or 2


def settings_of(query: dict[str, str]) -> Settings:
    return inputs_of(read_settings(query)[0])[2]


def paper(query: dict[str, str]) -> list[Element]:
    """The sheet, and the key where there is one: a file without faults in its markup."""
    text = document(settings_of(query))
    main = re.search("<main>(.*)</main>", text, re.DOTALL)
    assert main
    return list(ElementTree.fromstring(f"<div>{main[1]}</div>"))


def text_of(part: Element) -> str:
    return "".join(part.itertext())


def tables(query: dict[str, str]) -> list[Table]:
    found = []
    keys = {key.replace("_", ""): key for key in with_base_two(query)}
    tokens = inputs_of(settings_of(query))[0].tokens
    labels = list(map(token_axis(tokens, len(tokens)).unique, range(len(tokens))))
    for article in paper(query):
        in_key = "key" in article.get("class", "")
        for table in article.iter("table"):
            caption = table.find("caption")
            assert caption is not None
            first = re.search(r"columns (\d+) to", text_of(caption))
            start = int(first[1]) - 1 if first else 0
            symbol = caption.find("b")
            assert symbol is not None
            key = keys[text_of(symbol)]
            body = table.find("tbody")
            assert body is not None
            rows = list(body)
            # In the key only the rows of some tokens stand.
            places = [
                labels.index(text_of(row[0])) if in_key else at for at, row in enumerate(rows)
            ]
            cells = {
                (at, start + col): cell
                for at, row in zip(places, rows, strict=True)
                for col, cell in enumerate(row[1:])
            }
            found.append(Table(key, cells, in_key))
    return found


def lines(part: Element) -> list[str]:
    """What each formula and derivation says."""
    return [at.get("aria-label", "") for at in part.iter("span") if at.get("class") == "math"]


@every_query
def test_every_number_on_sheet_and_key_is_the_computed_one(name: str) -> None:
    query = QUERIES[name] | {"answers": "1"}
    expected, decimals = with_base_two(query), decimals_of(query)
    given = set(inputs_of(settings_of(query))[0].given) | set("QKV" if "start" in query else ())
    blank, answered = set(), set()
    for table in tables(query):
        for (row, col), cell in table.cells.items():
            if cell.get("class") == "blank":
                assert not table.in_key
                blank.add((table.key, row, col))
                continue
            if cell.get("class") == "answer":
                assert table.in_key
                answered.add((table.key, row, col))
            places = 6 if table.key in given else decimals
            shown = rounded(float(expected[table.key][row, col]), places)
            assert read(text_of(cell)) == pytest.approx(float(shown), abs=1e-9), (table.key, row)
    assert blank == answered != set()


@every_query
def test_every_answer_is_derived_and_the_sheet_tells_none_of_them(name: str) -> None:
    query = QUERIES[name] | {"answers": "1"}
    sheet, key = paper(query)
    decimals = decimals_of(query)
    derived = [line for at in key.iter("li") for line in lines(at)[:1]]
    blanks = [cell for table in tables(query) for cell in table.places("blank")]
    assert len(derived) == len(blanks)
    results = sorted(read(line.rpartition(" = ")[2]) for line in derived)
    expected = with_base_two(query)
    wanted = [
        float(rounded(float(expected[table.key][at]), decimals))
        for table in tables(query)
        for at in table.places("blank")
    ]
    assert results == pytest.approx(sorted(wanted), abs=1e-9)
    asked = {line.partition(" = ")[0] for line in derived}
    for line in lines(sheet):
        name_, *parts = line.split(" = ")
        if name_ in asked:  # in symbols only
            assert len(parts) == 1
            assert line not in derived
    for cell in (cell for table in tables(query) for cell in table.cells.values()):
        if cell.get("class") == "blank":
            assert text_of(cell) == "to fill in"


def test_an_example_does_not_tell_what_another_cell_asks_for() -> None:
    sheet, _ = paper({"blanks": "all", "answers": "1"})
    said = [line.split(" = ") for line in lines(sheet)]
    assert [len(parts) for parts in said] == [2] * len(said)
    assert not re.search(r"\d·", " ".join(lines(sheet)))
    told = lines(paper({})[0])
    assert "S[I, I] = q_I · k_I = 2·0 + 0·1 + 1·1 = 1" in told
    assert "O[AI, 1] = a_AI · V[:, 1]" in told  # a_I · V[:, 1] would tell what V asks for


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({}, 21),
        ({"base": "2", "scale": "off"}, 18),
        ({"example": "cat", "mask": "causal", "blanks": "half"}, 64),
        ({"scale": "0.3333", "start": "QKV"}, 12),
    ],
    ids=str,
)
def test_exact_answers_are_the_numbers_without_rounding(query: dict[str, str], count: int) -> None:
    query = query | EXACT
    expected = with_base_two(query)
    labels = inputs_of(settings_of(query))[0].tokens
    _, key = paper(query)
    items = list(key.iter("li"))
    assert len(items) == count
    for item in items:
        derivation, *exactly = lines(item)
        named = re.fullmatch(r"(\w+)\[(.+), (.+)\]", derivation.partition(" = ")[0])
        assert named
        name, row, col = named.groups()
        at = labels.index(row), int(col) - 1 if col.isdigit() else labels.index(col)
        value = float(expected[name][at])
        if exactly:
            for part in exactly[0].split(" = "):
                assert read_exactly(part) == pytest.approx(value)
        elif "No exact form" not in text_of(item):  # the shown number is the exact one
            assert read(derivation.rpartition(" = ")[2]) == pytest.approx(value, abs=1e-12)


def test_the_sheet_says_in_which_form_to_answer() -> None:
    def how(**query: str) -> str:
        return next(text_of(p) for p in paper(query)[0].iter("p") if p.get("class") == "how")

    assert "Round to 3 decimals when you write a number down. In the calculator go on with" in how()
    assert "Round to 1 decimal when" in how(decimals="1")
    assert "Round to 2 decimals when" in how(decimals="0")
    powers = "ea/(ea + eb + ec + …) or (k·ea + m·eb + …)/(ea + eb + ec + …)."
    assert f"Answer exactly, without decimals: √a, a/√b, {powers}" in how(exact="1")
    assert "without decimals: a/b." in how(exact="1", base="2", scale="off")
    assert ": 21 in 5 steps." in how()
    assert ": 8 in 2 steps." in how(example="hand", mask="custom", allow="000.000.000", scale="off")
    assert "Where a number has no exact form, round to" not in how(exact="1")
    assert "Where a number has no exact form, round to" in how(exact="1", scale="0.3333")
    assert "They are those of «AI»" in how()
    assert "They are those of" not in how(blanks="half")
    assert "−∞, hatched, stands where a key is blocked: e−∞ is 0." in how(mask="causal")
    assert "is blocked: 2−∞ is 0." in how(mask="causal", base="2")
    same = "They are those of «no», «no (2)», which are given the same numbers."
    assert same.replace("«no»", "«no (1)»") in how(text="no no")
    assert "In S and Sscaled the same numbers stand in the column of the token" in how(tied="1")


def test_exact_numbers_stand_in_the_cells_where_they_are_short() -> None:
    found = {table.key: table for table in tables(EXACT)}
    assert [text_of(found["S_scaled"].cells[2, col]) for col in range(2)] == ["2√3", "4√3"]
    assert text_of(found["A"].cells[2, 0]) == "below"  # in the list of answers
    key = paper(EXACT)[1]
    assert not any("." in text_of(cell) for cell in key.iter("td"))
    assert "Other forms that are equal are right, too. Where a cell says «below»" in text_of(key)
    assert "«below»" not in text_of(paper(EXACT | {"base": "2", "scale": "off"})[1])
    fractions = {t.key: t for t in tables(EXACT | {"base": "2", "scale": "off"})}
    assert text_of(fractions["A_two"].cells[2, 0]) == "17"  # 1 above 7


def test_tokens_are_text_wherever_they_stand() -> None:
    query = QUERIES["hostile"] | {"answers": "1"}
    text = document(settings_of(query))
    assert "<script" not in text
    assert text.count("</style>") == 1
    tags = {part.tag for article in paper(query) for part in article.iter()}
    assert not tags & {"script", "style", "img", "a", "iframe"}
    heads = {text_of(th) for article in paper(query) for th in article.iter("th")}
    assert {"<b>x</b>", "$y$", '"q"', "{forms}", "שלום"} <= heads


@every_query
def test_a_file_needs_nothing_but_itself(name: str) -> None:
    text = document(settings_of(QUERIES[name] | EXACT))
    assert not re.search(r"https?://|src=|url\(|<script|@import|<link|<img|href=", text)
    assert "default-src 'none'" in text


@every_query
def test_tables_fit_on_the_paper_and_say_what_they_are(name: str) -> None:
    for query in (QUERIES[name] | {"answers": "1"}, QUERIES[name] | EXACT):
        for article in paper(query):
            assert article.get("lang") == "en"
            levels = [
                int(part.tag[1]) for part in article.iter() if re.fullmatch("h[1-6]", part.tag)
            ]
            assert levels[0] == 1
            assert set(levels[1:]) == {2}
            for table in article.iter("table"):
                assert table.find("caption") is not None
                assert {th.get("scope") for th in table.iter("th")} == {"row", "col"}
                cell, label = map(float, re.findall(r"[\d.]+(?=mm)", table.get("style", "")))
                width = label + cell * (len(table.findall("thead/tr/th")))
                assert width <= 180, "wider than A4 with its margins"
                if table.find(".//td[@class='blank']") is not None:
                    assert cell >= 15, "too narrow to write in"


def test_wide_matrices_are_broken_and_say_so() -> None:
    captions = [
        text_of(caption)
        for article in paper(QUERIES["twelve"])
        for caption in article.iter("caption")
        if text_of(caption).startswith("Sscaled")
    ]
    assert [caption.partition("; ")[2] for caption in captions] == [
        "columns 1 to 6 of 12",
        "columns 7 to 12 of 12",
    ]


@every_query
def test_the_foot_gives_the_same_numbers_again(name: str) -> None:
    settings = settings_of(QUERIES[name])
    code = paper(QUERIES[name])[0].find("footer/p/code")
    assert code is not None
    address, _, query = text_of(code).partition("?")
    assert address == "Worksheet"
    again, notices = read_settings(dict(parse_qsl(query)))
    assert document(inputs_of(again)[2]) == document(settings)
    assert notices == []


def test_the_foot_says_the_settings_in_words() -> None:
    query = {"scale": "off", "mask": "causal", "edits": "X:0,1=2.5;X:9,9=1;W_Q:0,0=1;W_O:0,0=3"}
    foot = text_of(paper(query | {"start": "QKV"})[0].findall("footer")[0])
    assert "Numbers: I love AI; Mask: causal: no looking ahead; Scale: off;" in foot
    assert "Begin with: Q, K and V; Empty cells: one token’s" in foot
    assert "Typed over: X[I, 2] = 2.5, WQ[1, 1] = 1;" in foot


def test_a_sheet_with_typed_numbers_can_be_solved_from_itself() -> None:
    typed = "X:0,1=2.5;W_Q:0,0=0.125;X:2,0=1.25;W_K:1,1=0.1234567"
    query = {"decimals": "1", "edits": typed, "scale": "0.04"}
    sheet, key = paper(query | {"answers": "1"})
    said = [text_of(cell) for table in sheet.iter("table") for cell in table.iter("td")]
    assert {"2.5", "0.125", "1.25", "0.123457"} <= set(said)
    captions = [text_of(caption) for caption in sheet.iter("caption")]
    assert [c.split()[0] for c in captions if c.endswith("rounded")] == ["WK"]
    for part in (sheet, key):
        formulas = [line for line in lines(part) if "0.04" in line]
        assert formulas
        assert not re.search(r"\b0\.0·", " ".join(lines(part)))
    assert "S_scaled = 0.04·S" in lines(sheet)
    later, _ = paper(query | {"start": "QKV", "answers": "1"})
    assert "0.15625" in [text_of(cell) for cell in later.iter("td")]


def test_the_key_counts_what_rounded_numbers_give_as_right() -> None:
    key = paper({"edits": "X:0,0=0.25;X:2,0=1.25", "decimals": "1", "answers": "1"})[1]
    assert "What stands behind «or» is right, too" in text_of(key)
    scores = next(item for item in key.iter("li") if lines(item)[0].startswith("S[AI, I]"))
    assert text_of(scores).endswith("= 1.5 or 1.6")
    assert "«or»" not in text_of(paper(EXACT)[1])


def test_powers_in_notes_are_written_as_powers() -> None:
    query = {"example": "cat", "mask": "causal", "decimals": "1", "answers": "1"}
    for more in ({}, {"base": "2"}, {"exact": "1"}):
        notes = [text_of(p) for at in paper(query | more) for p in at.iter("p")]
        assert any("is blocked" in note for note in notes)
        assert not any("^" in note for note in notes)


def test_sheet_and_key_have_the_same_foot_and_its_link_opens_no_answers() -> None:
    query = {"text": "a b", "seed": "7", "walk": "cells", "maths": "1", "code": "numpy", "h": "4"}
    sheet, key = paper(query | {"answers": "1"})
    feet = [text_of(part.findall("footer")[0]) for part in (sheet, key)]
    assert feet[0] == feet[1]
    assert "Seed: 7; Mask" in feet[0]
    assert feet[0].endswith("Worksheet?v=1&example=own&text=a+b&seed=7")
    assert "Seed" not in text_of(paper({})[0].findall("footer")[0])
    assert "Scale: −0.75;" in text_of(paper({"scale": "-0.75"})[0].findall("footer")[0])


def test_the_page_says_when_a_sheet_is_large_or_not_as_the_sidebar_has_it() -> None:
    plain = prose(open_page(WORKSHEET.file))
    assert "empty cells. Choose" not in plain
    assert "The sheet has 2 decimals" in prose(open_page(WORKSHEET.file, decimals="0"))
    large = prose(open_page(WORKSHEET.file, text=TWELVE, blanks="all"))
    assert "This sheet has 576 empty cells. Choose «one token’s» for a shorter one." in large
    assert "Exact sheets are for short sentences" not in plain
    assert "Exact sheets are for short" in prose(open_page(WORKSHEET.file, text=TWELVE, exact="1"))


def test_other_sheets_to_try_are_scaled_again() -> None:
    text = prose(open_page(WORKSHEET.file, scale="off", base="2", exact="1"))
    links = re.findall(r'href="(Worksheet[^"]*)"', text)
    assert [("scale=off" in link) for link in links if "Worksheet?v=1" in link][:4] == [
        False,
        False,
        False,
        True,
    ]


def test_a_row_without_a_value_is_told_and_not_asked_for() -> None:
    sheet = paper(QUERIES["nothing seen"])[0]
    notes = [text_of(p) for p in sheet.iter("p") if p.get("class") == "note"]
    assert notes[-1].startswith("Every key is blocked for «love», «AI»: 0/0 has no value.")


def test_weights_can_be_checked_where_there_are_some_to_fill_in() -> None:
    def notes(**query: str) -> list[str]:
        return [text_of(p) for p in paper(query)[0].iter("p") if p.get("class") == "note"]

    check = "To check: the weights of a row add up to 1"
    assert notes() == [f"{check}; rounded ones may miss it by a little."]
    assert notes(exact="1", base="2") == [f"{check}."]
    assert notes(exact="1", scale="0.3333")[-1:] == notes()
    assert not any(note.startswith(check) for note in notes(mask="custom", allow="000.000.000"))


def test_the_key_is_closed_until_one_asks_for_it() -> None:
    app = open_page(WORKSHEET.file)
    assert "Answer key" not in prose(app)
    app.toggle(key="set_answers").set_value(True).run()
    assert "Answer key" in prose(app)
    assert app.query_params["answers"] == "1"
    assert len(paper({})) == 1


def test_what_is_blank_and_where_it_begins_are_chosen_on_the_page() -> None:
    app = open_page(WORKSHEET.file, mask="causal", example="cat")
    app.segmented_control(key="set_blanks").set_value("all").run()
    app.segmented_control(key="set_start").set_value("QKV").run()
    app.segmented_control(key="set_base").set_value("2").run()
    assert app.query_params["blanks"] == "all"
    assert app.query_params["start"] == "QKV"
    assert app.query_params["base"] == "2"
    text = prose(app)
    assert "query weights" not in text
    assert "weights with base 2" in text
    assert {"example", "mask", "scale", "decimals", "exact"} <= {
        str(widget.key).removeprefix("set_")
        for kind in (app.radio, app.segmented_control, app.slider, app.toggle)
        for widget in kind
    }


def test_an_example_without_embeddings_begins_with_q_k_and_v() -> None:
    app = open_page(WORKSHEET.file, example="hand")
    assert app.segmented_control(key="set_start").options == ["Q, K and V"]
    assert "Begin with: Q, K and V" in prose(app)


@pytest.mark.parametrize("name", ["blanks", "start", "answers"])
def test_a_bad_link_is_told(name: str) -> None:
    assert f"The link says {name}=odd: wanted" in prose(open_page(WORKSHEET.file, **{name: "odd"}))


def test_the_page_on_exact_numbers_leads_to_a_sheet_of_them() -> None:
    text = prose(open_page(variant("exact").file, example="cat"))
    assert re.search(r'href="Worksheet\?v=1&amp;example=cat&amp;exact=1"', text)
