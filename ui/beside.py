"""The playground's two states: the frozen one, the present one, and what differs."""

from __future__ import annotations

from dataclasses import replace

from attention_core import DIFF, WAS, Cell, Graph, differs
from attention_core.expression import Num, Sum
from attention_core.rounding import ledger_note, show
from attention_core.symbols import symbol
from ui.asks import Ask, all_of
from ui.board.facts import pair_of
from ui.board.layout import Layout, Line
from ui.given import frozen_of, inputs_of
from ui.lab_given import LAB_GIVEN, edited
from ui.lesson import Lesson, graph_of
from ui.panels import presets
from ui.prose import prose, typeset
from ui.readers import OFF, ROOT
from ui.settings import BOARD_VIEW, CHOICES, CUSTOM, KEPT, Settings
from ui.whole import PLAYGROUND_GRAPH
from ui.whom import named

# The stages in their order. What follows the outputs tells nothing new unless W_O was typed over.
_STAGES = ("X", "W_Q", "W_K", "W_V", "Q", "K", "V", "S", "S_scaled", "M", "S_masked", "A", "O")
_STREAM = ("W_O", "U", "X_out")


def freezes(lesson: Lesson) -> str:
    """Links for what can be done with the two states. The place on the page stays."""
    settings, was = lesson.settings, frozen_of(lesson.settings)[0]
    if was is None:  # the board stays as it is, and with it the place there
        freeze = ("Freeze these numbers", _frozen(settings, settings))
        return presets(lesson.page, freeze, keep=BOARD_VIEW)
    back = _kept_of(settings, was)
    ways = [
        ("Go back to before", back),
        ("Swap before and now", _frozen(back, settings)),
        ("Unfreeze", replace(settings, was="")),
    ]
    if not _moved(lesson) and back == settings:
        ways = ways[-1:]
    return presets(lesson.page, *ways, keep=("open", "edit"))


def versus(lesson: Lesson) -> str:
    """Which sentences the states are of, what differs in the settings, and what that reaches."""
    was = frozen_of(lesson.settings)[0]
    if was is None:
        return ""
    before, now = (" ".join(inputs_of(s)[0].tokens) for s in (was, lesson.settings))
    told = [f"A state is frozen: that is «before». «Now» is what you set. Both are of «{before}»."]
    if before != now:
        told = [f"A state is frozen: before, of «{before}». Now it is «{now}»."]
    changed = _changed(was, lesson.settings)
    if changed:
        told.append(f"From before to now: {' · '.join(changed)}.")
    if not _moved(lesson):
        told.append("Yet no number differs." if changed else "Nothing differs yet.")
        told.append("Change something.")
    paragraphs = [prose(" ".join(told)), _reach(lesson), prose(_blocked_before(lesson))]
    return "".join(f'<p class="say">{text}</p>' for text in paragraphs if text)


def beside_board(lesson: Lesson) -> Layout:
    """A line for each stage that differs; the plain board where none does."""
    moved = _moved(lesson)
    if not moved:
        return PLAYGROUND_GRAPH
    lines = tuple(_line(lesson.graph, key) for key in moved)
    keys = [line.key for line in lines]
    main = f"A{DIFF}" if f"A{DIFF}" in keys else keys[0]
    return Layout(main, lines, mask_edit=True)


def changes_most(lesson: Lesson) -> Ask | None:
    """Ask which token's output changes most; not where all change alike, or none can be told.

    Outputs and their differences are hidden, so that the weights and values have to answer. What
    looks alike, as it is shown, is equally right.
    """
    graph, moved, key = lesson.graph, _moved(lesson), f"O{DIFF}"
    if "O" not in moved or "W_O" in moved or key not in graph:
        return None
    decimals, rows = lesson.settings.decimals, graph["O"].rows
    sums = [Sum(tuple(Num(abs(x)) for x in line)) for line in graph[key].value.tolist()]
    totals = [show(each.value, decimals).value for each in sums]
    # What one adds up oneself, from the differences as they stand there.
    by_hand = [each.evaluate(lambda num: num.shown(decimals).value) for each in sums]
    most = _largest(totals)
    if most != _largest(by_hand) or max(by_hand) == 0 or len(most) == rows.size:
        return None
    names = named(rows, most)
    verb, whose = ("changes", "its row") if len(most) == 1 else ("change", "each of their rows")
    most_by = show(sums[most[0]].value, decimals).text
    notes = (ledger_note(sums[row], sums[row].value, decimals) for row in most)
    because = " ".join(
        (
            f"{names} {verb} most: the differences in {whose} add up to {most_by}, signs left out.",
            *dict.fromkeys(note for note in notes if note),
        )
    )
    return Ask(
        title="Which token’s output changes most?",
        hint="Before you look: choose, and the outputs open. Most means: the differences in its "
        "row, added up without their signs.",
        cells=(*all_of(graph["O"]), *all_of(graph[key])),
        pin=Cell(key, most[0], int(abs(graph[key].value[most[0]]).argmax())),
        right=f"Yes: {because}",
        wrong="Not that one. Whose weights have changed most? And do the values differ?",
        given=f"The answer: {because}",
        options=tuple((rows.unique(row), row in most) for row in range(rows.size)),
    )


def _largest(totals: list[float]) -> list[int]:
    """Where the largest ones stand; sums are compared as on paper, not by their last bits."""
    totals = [round(total, 9) for total in totals]
    return [row for row, total in enumerate(totals) if total == max(totals)]


def _frozen(settings: Settings, state: Settings) -> Settings:
    """Settings beside which a state is frozen. What is typed into a lab is no part of it."""
    edits = tuple(edit for edit in state.edits if edit[0].symbol not in LAB_GIVEN)
    return replace(settings, was=replace(state, edits=edits).frozen())


def _kept_of(settings: Settings, state: Settings) -> Settings:
    """The settings with the numbers of a state; what is shown of them stays as it is."""
    labs = tuple(edit for edit in settings.edits if edit[0].symbol in LAB_GIVEN)
    kept = {name: getattr(state, name) for name in KEPT}
    return replace(settings, **kept | {"edits": (*state.edits, *labs)})


def _moved(lesson: Lesson) -> tuple[str, ...]:
    """The stages whose numbers are not the same in both states, in their order."""
    graph = lesson.graph
    typed = f"W_O{DIFF}" in graph and differs(graph, "W_O")
    stages = _STAGES + (_STREAM if typed else ())
    return tuple(key for key in stages if key in graph and differs(graph, key))


def _line(graph: Graph, key: str) -> Line:
    """Both states of a stage and the difference; side by side where no difference can be taken."""
    title = symbol(key).title
    title = f"{title[0].upper()}{title[1:]}"
    if f"{key}{DIFF}" in graph:
        return Line(f"{key}{DIFF}", title)
    return Line(key, title, instead=f"{key}{WAS}")


def _reach(lesson: Lesson) -> str:
    """What is the same in both states, where the change begins, and what it reaches; as HTML."""
    graph, moved, was = lesson.graph, _moved(lesson), frozen_of(lesson.settings)[0]
    if not moved or was is None:
        return ""
    before = graph_of(was, "whole")
    both = (("before", before, graph), ("now", graph, before))
    apart = {
        who: [key for key in _STAGES if key in one and key not in other] for who, one, other in both
    }
    same = [key for key in _STAGES if key in graph and key in before and key not in moved]
    begins = [key for key in moved if not {m.key for m in graph.behind(key)} & {*moved} - {key}]
    reaches = [key for key in moved if key not in begins]
    told = [f"Only {who} there is {_names(keys)}." for who, keys in apart.items() if keys]
    told += [f"The same before and now: {_names(same)}."] if same else []
    on = f" and reaches {_names(reaches)}" if reaches else ""
    told.append(f"The change begins at {_names(begins)}{on}.")
    if "O" not in moved:
        told.append(f"It does not reach {_names(['O'])}.")
    if any(f"{key}{DIFF}" not in graph for key in moved):
        told.append(
            "Where the tokens or the sizes are not the same, there is no difference to take: the "
            "present matrix stands beside the one before."
        )
    return " ".join(told)


def _names(keys: list[str]) -> str:
    return ", ".join(typeset(symbol(key)) for key in keys)


def _blocked_before(lesson: Lesson) -> str:
    """What became of queries whose every key was blocked in the frozen state."""
    graph = lesson.graph
    rows = sorted(graph[f"A{WAS}"].undefined) if f"A{WAS}" in graph else []
    if not rows:
        return ""
    names = ", ".join(f"«{graph[f'A{WAS}'].rows.unique(row)}»" for row in rows)
    return f"Before, every key is blocked for {names}: weights and output stand as 0 there."


def _changed(was: Settings, now: Settings) -> list[str]:
    """What differs in the settings of two states, in words."""
    before, after = inputs_of(was)[0], inputs_of(now)[0]
    pairs = [
        ("example", CHOICES[was.example], CHOICES[now.example]),
        ("one token is a", was.split.removesuffix("s"), now.split.removesuffix("s")),
        *(
            (name, str(before.sizes[name]), str(after.sizes[name]))
            for name in ("d_model", "d_k", "d_v")
            if name in before.sizes and name in after.sizes
        ),
        ("mask", was.mask, now.mask),
        ("scale", _scale(was), _scale(now)),
        (" = ".join(reversed(pair_of(after))), _switch(was.tied), _switch(now.tied)),
    ]
    if all(s.own or s.d_k for s in (was, now)):  # only toy numbers depend on the seed
        pairs.append(("seed", str(was.seed), str(now.seed)))
    told = [f"{name}: {old} → {new}" for name, old, new in pairs if old != new]
    if was.mask == now.mask == CUSTOM and was.allow != now.allow:
        told.append("other cells of the mask")
    count = len({cell for cell, _ in _typed(was) ^ _typed(now)})
    if count:
        told.append(f"{count} edited number{'s' * (count != 1)}")
    return told


def _typed(settings: Settings) -> set[tuple[Cell, float]]:
    """The typed numbers that are used, where other ones would stand without them."""
    plain = inputs_of(replace(settings, edits=()))[0]
    refused = {cell for cell, _ in edited(plain, settings)[1]}
    return {
        (cell, number)
        for cell, number in settings.edits
        if cell not in refused and cell.symbol not in LAB_GIVEN
        if plain.given[cell.symbol][cell.row, cell.col] != number
    }


def _scale(settings: Settings) -> str:
    words = {ROOT: "÷ √d_k", OFF: "off"}
    return words.get(settings.scale, f"times {settings.scale.replace('-', '−')}")


def _switch(on: bool) -> str:
    return "on" if on else "off"
