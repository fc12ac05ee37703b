"""What a worksheet says of itself: what is to be done, how the key is read, what it is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import escape

from attention_core import MASKS, Exactly, Worksheet, exactly
from attention_core.variants.exact import BASE
from ui.lesson import Lesson
from ui.options import OF_WORKSHEETS, OPTIONS
from ui.pages import WORKSHEET
from ui.prose import prose
from ui.readers import OFF, ROOT, written
from ui.settings import CHOICES, CUSTOM, KEPT, Settings
from ui.sheet_forms import forms, powers

LEAST = 2  # decimals: rounded to whole numbers, every weight would be 0 or 1
_MANY = 60  # empty cells: more than a lesson has time for
_LONG = 90  # letters of an exact number: more than fit into a line


def how_to_do(lesson: Lesson, sheet: Worksheet) -> str:
    """What is to be done, and in which form."""
    steps = sum(any(part.blanks for part in task.parts) for task in sheet.tasks)
    of = f"in {steps} step{'s' if steps > 1 else ''}"
    said = [f"Fill in every empty cell: {len(sheet.blanks)} {of}.", *map(prose, _followed(sheet))]
    decimals = lesson.settings.decimals
    rounding = (
        f"ound to {decimals} decimal{'s' if decimals > 1 else ''} when you write a number down. In "
        "the calculator go on with the unrounded number: with rounded ones the last digits may "
        "differ."
    )
    if lesson.settings.exact:
        found = [exactly(sheet.graph, *why.cell) for why in sheet.blanks]
        numbers = [one.parts()[-1] for one in found if one.value is not None]
        such = forms(numbers, _base(lesson))
        joined = " or ".join(filter(None, (", ".join(such[:-1]), *such[-1:])))
        said.append(f"Answer exactly, without decimals{f': {joined}' if such else ''}.")
        if len(numbers) < len(found):
            said.append(f"Where a number has no exact form, r{rounding}")
    else:
        said.append(f"R{rounding}")
    if any(matrix.blocked for matrix in sheet.given):
        nothing = powers(f"{_base(lesson)}^−∞")
        said.append(f"−∞, hatched, stands where a key is blocked: {nothing} is 0.")
    return f'<p class="how">{" ".join(said)}</p>'


def _followed(sheet: Worksheet) -> Iterator[str]:
    """Whose cells are empty."""
    result = sheet.tasks[-1].parts[-1].matrix
    if not sheet.lines or result.lines.size == 1:
        return
    names = [f"«{result.lines.unique(line)}»" for line in sheet.lines]
    if len(names) == 1:
        yield f"They are those of {names[0]}: you follow one token through all steps."
    else:
        yield f"They are those of {', '.join(names)}, which are given the same numbers."
    parts = (part for task in sheet.tasks for part in task.parts)
    mirrored = [
        part.matrix.symbol.text
        for part in parts
        if any(why.row not in sheet.lines for why in part.blanks)
        and part.matrix.rows == part.matrix.cols
    ]
    if mirrored:
        yield (
            f"In {' and '.join(mirrored)} the same numbers stand in the column of the token, too, "
            "and are left out there."
        )


def how_to_read(lesson: Lesson, *, others: bool, below: bool) -> str:
    """How the key is read, and what else is right."""
    said = ["Answers are bold and boxed."]
    if lesson.settings.exact:
        said.append("Other forms that are equal are right, too.")
    if below:
        said.append("Where a cell says «below», the form is too long for it: it is in the list.")
    if others:
        said.append(
            "What stands behind «or» is right, too: one gets it where numbers were rounded before. "
            "So is what lies between."
        )
    return " ".join(said)


def foot(lesson: Lesson) -> str:
    """The settings in words, and the link that gives these numbers again."""
    settings, factor = lesson.settings, lesson.settings.scale
    scales = {ROOT: "1/√d_k", OFF: "off"}
    of_sheets = {option.name for option in OF_WORKSHEETS} - {"answers"}
    said = {
        "Numbers": CHOICES[settings.example],
        "Seed": str(settings.seed) if settings.own or settings.d_k else "",
        "Mask": "custom" if settings.mask == CUSTOM else MASKS[settings.mask][0],
        "Scale": scales.get(factor, factor.replace("-", "−")),
        "Softmax": f"powers of {_base(lesson)}",
        "Decimals": str(settings.decimals),
        "Exact numbers": "on" if settings.exact else "off",
        "Typed over": ", ".join(_typed(lesson)),
    }
    said |= {
        OPTIONS[name].label: OPTIONS[name].among[lesson.option(name)]
        for name in ("start", "blanks")
    }
    words = "; ".join(f"{name}: {what}" for name, what in said.items() if what)
    # Only what the sheet depends on: no answers, and nothing of what other pages show.
    names = (*KEPT, "decimals", "exact")
    kept = replace(Settings(), **{name: getattr(settings, name) for name in names}).with_options(
        {name: value for name, value in settings.options if name in {*of_sheets, BASE.name}}
    )
    return (
        f"<footer><p>{prose(words)}.</p><p>The same numbers again, on any copy of the app: "
        f"<code>{escape(WORKSHEET.link(kept.query()))}</code></p></footer>"
    )


def _typed(lesson: Lesson) -> Iterator[str]:
    """The given numbers that were typed over, of those that the sheet is made from."""
    for (key, row, col), number in lesson.settings.edits:
        if key in lesson.graph and lesson.inputs.given[key][row : row + 1, col : col + 1] == number:
            said = written(number).replace("-", "−")
            yield f"{lesson.graph[key].entry_name(row, col).text()} = {said}"


def about(sheet: Worksheet, lesson: Lesson) -> list[str]:
    """What there is to say of a sheet on the page: its size, its decimals, long answers."""
    count, said = len(sheet.blanks), list[str]()
    if count > _MANY:
        one = OPTIONS["blanks"].among["row"]
        said.append(f"This sheet has {count} empty cells. Choose «{one}» for a shorter one.")
    if not lesson.settings.decimals:
        said.append(
            f"The sheet has {LEAST} decimals: rounded to whole numbers, every weight would be 0 or "
            "1."
        )
    exact = sheet.blanks if lesson.settings.exact else ()
    longest = max((_length(exactly(sheet.graph, *why.cell)) for why in exact), default=0)
    if longest > _LONG:
        said.append(
            f"The longest exact answer has {longest} letters, more than a line. Exact sheets are "
            "for short sentences."
        )
    return said


def _length(found: Exactly) -> int:
    return len(found.parts()[-1].text()) if found.value is not None else 0


def _base(lesson: Lesson) -> str:
    return str(BASE.among[lesson.option("base")])
