"""The playground's two states: one frozen as A, the present one as B, and what differs."""

from __future__ import annotations

from dataclasses import replace

from attention_core import DIFF, WAS, Cell, Graph, changes, differs, most_changed
from attention_core.rounding import show
from attention_core.symbols import symbol
from ui.asks import Ask, all_of
from ui.board.facts import pair_of
from ui.board.layout import Layout, Line
from ui.given import frozen_of, inputs_of
from ui.lab_given import LAB_GIVEN
from ui.lesson import Lesson, graph_of
from ui.prose import prose, typeset
from ui.readers import OFF, ROOT
from ui.settings import CHOICES, CUSTOM, KEPT, Settings
from ui.whole import PLAYGROUND_GRAPH

# The stages in their order. What follows the outputs tells nothing new unless W_O was typed over.
_STAGES = ("X", "W_Q", "W_K", "W_V", "Q", "K", "V", "S", "S_scaled", "M", "S_masked", "A", "O")
_STREAM = ("W_O", "U", "X_out")


def freezes(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """What can be done with the two states: links with the settings that each leads to."""
    settings, was = lesson.settings, frozen_of(lesson.settings)[0]
    if was is None:
        return (("Freeze these numbers as A", _frozen(settings, settings)),)
    back = _kept_of(settings, was)
    go = ("Let A go", replace(settings, was=""))
    if not _moved(lesson) and back == settings:
        return (go,)
    swapped = _frozen(back, settings)
    return (("Go back to A", back), ("Swap A and B", swapped), go)


def versus(lesson: Lesson) -> str:
    """Which sentences the states are of, what differs in the settings, and what that reaches."""
    was = frozen_of(lesson.settings)[0]
    if was is None:
        return ""
    before, now = (" ".join(inputs_of(s)[0].tokens) for s in (was, lesson.settings))
    other = "and so is B" if before == now else f"B of «{now}»"
    told = [f"State A is frozen. A is of «{before}», {other}."]
    changed = _changed(was, lesson.settings)
    if changed:
        told.append(f"From A to B: {' · '.join(changed)}.")
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

    Outputs and their differences are hidden, so that the weights and values have to answer.
    """
    graph, moved, key = lesson.graph, _moved(lesson), f"O{DIFF}"
    if "O" not in moved or "W_O" in moved or key not in graph:
        return None
    most, rows = most_changed(graph, key), graph["O"].rows
    if len(most) == rows.size:
        return None
    names = " and ".join(f"«{rows.unique(row)}»" for row in most)
    most_by = show(float(changes(graph, key)[most[0]]), lesson.settings.decimals).text
    verb = (
        "changes most: the differences in its row"
        if len(most) == 1
        else ("change most: the differences in each of their rows")
    )
    because = f"{names} {verb} add up to {most_by}, signs left out."
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
    apart = {who: [key for key in _STAGES if key in one and key not in other]
             for who, one, other in (("A", before, graph), ("B", graph, before))}  # fmt: skip
    same = [key for key in _STAGES if key in graph and key in before and key not in moved]
    begins = [key for key in moved if not {m.key for m in graph.behind(key)} & {*moved} - {key}]
    reaches = [key for key in moved if key not in begins]
    told = [f"Only {who} has {_names(keys)}." for who, keys in apart.items() if keys]
    told += [f"The same in A and in B: {_names(same)}."] if same else []
    on = f" and reaches {_names(reaches)}" if reaches else ""
    told.append(f"The change begins at {_names(begins)}{on}.")
    if "O" not in moved:
        told.append(f"It does not reach {_names(['O'])}.")
    if any(f"{key}{DIFF}" not in graph for key in moved):
        told.append(
            "Where the tokens or the sizes are not the same, there is no difference to take: the "
            "matrix of B stands beside that of A."
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
    return f"In A every key is blocked for {names}: weights and output stand as 0 there."


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
    count = len(
        {cell for cell, _ in set(was.edits) ^ set(now.edits) if cell.symbol not in LAB_GIVEN}
    )
    if count:
        told.append(f"{count} edited number{'s' * (count != 1)}")
    return told


def _scale(settings: Settings) -> str:
    words = {ROOT: "÷ √d_k", OFF: "off"}
    return words.get(settings.scale, f"times {settings.scale.replace('-', '−')}")


def _switch(on: bool) -> str:
    return "on" if on else "off"
