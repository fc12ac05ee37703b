"""The chart of the page on positions: one pair of components as arrows that the places turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import acos, cos, degrees, hypot, pi, sin

from attention_core import Graph, Inputs, with_rotary
from attention_core.matrix import Array
from attention_core.rounding import show
from ui.charts.figure import Axis, Chart, Panel, Question, Stop, Table, Trace, line, points
from ui.given import inputs_of
from ui.lesson import Lesson
from ui.settings import Settings

_FURTHEST = 24  # places: the arrows of the first pair go round nearly four times


def turn_charts(lesson: Lesson) -> tuple[Chart, ...]:
    """A query and a key turned on together; none where nothing turns, or no arrow has a length."""
    kind = lesson.option("encoding")
    if kind not in ("rotary", "halves"):
        return ()
    return _charts(lesson.settings, kind == "halves")


@lru_cache(maxsize=64)
def _charts(settings: Settings, halves: bool) -> tuple[Chart, ...]:
    inputs = inputs_of(settings)[0]
    chosen = _arrows(inputs, halves)
    return (_Turn(inputs.graph(), *chosen, halves, settings.decimals).chart(),) if chosen else ()


def _pair(t: int, pairs: int, halves: bool) -> list[int]:
    """The two columns of a pair."""
    return [t, t + pairs] if halves else [2 * t, 2 * t + 1]


def _arrows(inputs: Inputs, halves: bool) -> tuple[int, int, int] | None:
    """A pair, a query and a key that both have a length in it; rather of two tokens."""
    graph = inputs.graph()
    Q, K = graph["Q"].value, graph["K"].value
    n, pairs = len(Q), Q.shape[1] // 2
    for t in range(pairs):
        columns = _pair(t, pairs, halves)
        found = [
            (i == j, t, i, j)
            for i in reversed(range(n))
            for j in range(n)
            if Q[i, columns].any() and K[j, columns].any()
        ]
        if found:
            return min(found, key=lambda one: one[0])[1:]
    return None


@dataclass(frozen=True)
class _Turn:
    """One pair of components of a query and of a key, at places further and further on."""

    graph: Graph
    pair: int
    query: int
    key: int
    halves: bool
    decimals: int

    @property
    def columns(self) -> list[int]:
        return _pair(self.pair, self.graph["Q"].shape[1] // 2, self.halves)

    @property
    def names(self) -> tuple[str, str]:
        who, whom = self.graph["Q"].rows.unique(self.query), self.graph["K"].rows.unique(self.key)
        return f"query of «{who}»", f"key of «{whom}»"

    @property
    def still(self) -> tuple[Array, Array]:
        """The two arrows as they are before they are turned."""
        q, k = self.graph["Q"].value[self.query], self.graph["K"].value[self.key]
        return q[self.columns], k[self.columns]

    def chart(self) -> Chart:
        one, other = (column + 1 for column in self.columns)
        query, key = self.names
        reach = 1.15 * max(hypot(*arrow) for arrow in self.still)
        made = [self._stop(by) for by in range(_FURTHEST + 1)]
        return Chart(
            title=f"Components {one} and {other} as arrows",
            alt=f"Two arrows from the middle: the {query} and the {key}. As all tokens move on, "
            "both are turned by the same angle, and the angle between them stays.",
            panels=(
                Panel(
                    "",
                    Axis(f"component {one}", -reach, reach),
                    Axis(f"component {other}", -reach, reach),
                    square=True,
                ),
            ),
            stops=tuple(stop for stop, _ in made),
            table=Table(
                ("moved on by", f"angle of the {query}", f"angle of the {key}", "angle between",
                 "added to the score"),
                tuple(row for _, row in made),
            ),
            sweep="All tokens moved on by",
            start="0",
            tall=True,
            notes=("Dashed arrows are not turned yet. The circles show that lengths stay.",),
            question=Question(
                f"Take components {one} and {other} of the {query} and of the {key} as arrows. "
                "When both tokens move on, what becomes of the angle between the arrows?",
                (("It stays", True), ("It grows", False), ("It gets smaller", False)),
                right="Yes. Both are turned on by the same angle.",
                wrong="Not so. By how much is each of the two turned on?",
            ),
        )  # fmt: skip

    def _stop(self, by: int) -> tuple[Stop, tuple[str, ...]]:
        """What is seen and said, and the row of the table."""
        turned = with_rotary(self.graph, halves=self.halves, first=by)
        q, k = (
            turned[name].value[row, self.columns]
            for name, row in (("Q_rot", self.query), ("K_rot", self.key))
        )
        angles = [float(turned["Phi"].value[row, self.pair]) for row in (self.query, self.key)]
        lengths = hypot(*q) * hypot(*k)
        cosine = max(-1.0, min(1.0, float(q @ k) / lengths))
        between = f"{show(degrees(acos(cosine)), 1).text}°"
        share = self._shown(float(q @ k))
        query, key = self.names
        at = [self._shown(angle) for angle in angles]
        says = (
            f"The {query} is turned by {at[0]}, and the {key} by {at[1]}. There are {between} "
            f"between the arrows, and the two components add {share} to the score."
        )
        return Stop(str(by), self._traces(q, k), says), (str(by), *at, between, share)

    def _shown(self, number: float) -> str:
        # Float dust of a score that is 0 is no number to read.
        return show(0.0 if abs(number) < 1e-12 else number, self.decimals).text

    def _traces(self, q: Array, k: Array) -> tuple[Trace, ...]:
        found: list[Trace] = []
        for role, name, arrow, still in zip("qk", self.names, (q, k), self.still, strict=True):
            found += [
                _circle(hypot(*still), role),
                line(0, [0, still[0]], [0, still[1]], role, "", dash="dash"),
                line(0, [0, arrow[0]], [0, arrow[1]], role, name) | {"line": {"width": 3}},
                points(0, arrow[:1], arrow[1:], role, name)
                | {"marker": {"size": 12, "symbol": "circle" if role == "q" else "square"}},
            ]
        return tuple(found)


def _circle(radius: float, role: str) -> Trace:
    round_ = [2 * pi * step / 60 for step in range(61)]
    xs, ys = ([radius * wave(angle) for angle in round_] for wave in (cos, sin))
    return line(0, xs, ys, role, "") | {"line": {"dash": "dot", "width": 1}}
