"""A learner's tab as the server sees it: a websocket that asks for runs and reads the answers.

It sends what Chromium was seen to send (every widget's value, the link's query, the fragment of the
board, the hashes of the messages it keeps) and follows what it is told.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from time import perf_counter
from types import TracebackType
from typing import Any, Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

_PATIENCE = 30.0  # seconds until an answer counts as lost
_KEPT_RUNS = 2  # a browser forgets a large message that was not used in so many full runs


@dataclass
class Answer:
    """What came back for one run, until the server said that it was finished."""

    ms: float = 0.0
    size: int = 0
    code: int = 0
    view: dict[str, Any] | None = None
    sent_numbers: bool = False
    errors: list[str] = field(default_factory=list)


class Session:
    """One tab on one page; use it as ``async with Session(url, "Score") as tab``."""

    def __init__(self, url: str, page: str = "", query: str = "") -> None:
        self._url, self._page, self._query = url, page, query
        self._socket: ClientConnection | None = None
        self._script = ""
        self._board, self._fragment, self._clicks = "", "", 0
        self._widgets: dict[str, WidgetState] = {}
        self._sliders: dict[str, str] = {}
        self._kept: dict[str, ForwardMsg] = {}
        self._ages: dict[str, int] = {}

    async def __aenter__(self) -> Self:
        self._socket = await connect(
            f"{self._url.replace('http', 'ws', 1)}/_stcore/stream",
            subprotocols=["streamlit", "PLACEHOLDER_AUTH_TOKEN"],  # type: ignore[list-item]
            origin=self._url,  # type: ignore[arg-type]
            max_size=None,
            ping_interval=None,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None
    ) -> None:
        if self._socket:
            await self._socket.close()

    async def load(self) -> Answer:
        """Run the whole page, as on arrival."""
        return await self._run()

    async def visit(self, query: str) -> Answer:
        """Open another link of the same page: the whole page runs with other settings."""
        self._query = query
        return await self._run()

    async def slide(self, label: str, value: float) -> Answer:
        """Move the slider whose label is ``label``: the whole page runs."""
        state = self._widgets[self._sliders[label]]
        state.double_array_value.data[:] = [value]
        return await self._run()

    async def click(self, cell: str) -> Answer:
        """Pin a cell of the board: its fragment runs. The answer must be about this very click."""
        self._clicks += 1
        view: dict[str, Any] = {
            "cell": cell,
            "seen": [],
            "step": None,
            "open": False,
            "edit": False,
        }
        said = {"view": {"seq": self._clicks, **view}}
        self._widgets[self._board] = WidgetState(id=self._board, json_value=json.dumps(said))
        answer = await self._run(self._fragment)
        if answer.view is None or answer.view["seq"] != self._clicks or answer.view["cell"] != cell:
            answer.errors.append(f"clicked {cell}, was answered {answer.view}")
        return answer

    async def _run(self, fragment: str = "") -> Answer:
        assert self._socket
        ask = ClientState(
            query_string=self._query,
            page_script_hash=self._script,
            page_name="" if self._script else self._page,
            fragment_id=fragment,
            cached_message_hashes=list(self._kept),
        )
        ask.widget_states.widgets.extend(self._widgets.values())
        ask.context_info.timezone = "UTC"
        ask.context_info.locale = "en-US"
        ask.context_info.url = f"{self._url}/{self._page}"
        answer = Answer()
        start = perf_counter()
        await self._socket.send(BackMsg(rerun_script=ask).SerializeToString())
        finished = False
        while not finished:
            raw = await asyncio.wait_for(self._socket.recv(), _PATIENCE)
            assert isinstance(raw, bytes)
            answer.size += len(raw)
            finished = self._take(ForwardMsg.FromString(raw), answer)
        answer.ms = (perf_counter() - start) * 1e3
        if not fragment:
            self._age()
            if self._page and answer.view is None:
                answer.errors.append("there is no board on the page")
        return answer

    def _take(self, message: ForwardMsg, answer: Answer) -> bool:
        """Follow one message; says whether it was the last of the run."""
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            self._ages[message.ref_hash] = 0
            message = self._kept[message.ref_hash]
            kind = message.WhichOneof("type")
        elif message.metadata.cacheable:
            self._kept[message.hash], self._ages[message.hash] = message, 0
        if kind == "new_session":
            self._script = message.new_session.page_script_hash
        elif kind == "navigation":  # a first run is asked for by name: this tells the page's hash
            self._script = message.navigation.page_script_hash or self._script
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "page_not_found":
            answer.errors.append(f"there is no page {self._page}")
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._draw(message.delta, answer)
        elif kind == "script_finished":
            how = message.script_finished
            if how == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                answer.errors.append("the script does not compile")
            return how != ForwardMsg.FINISHED_EARLY_FOR_RERUN
        return False

    def _draw(self, delta: Delta, answer: Answer) -> None:
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            answer.errors.append(f"{element.exception.type}: {element.exception.message}"[:200])
        elif kind == "bidi_component":
            board = element.bidi_component
            self._board, self._fragment = board.id, delta.fragment_id
            answer.code += len(board.js_content) + len(board.css_content) + len(board.html_content)
            data = _data(board)
            answer.view = data.get("view")
            answer.sent_numbers = "numbers" in data
        else:
            state = _widget(element)
            # A widget that is drawn again without a value keeps the one it has, as in a browser.
            if state and (state.id not in self._widgets or getattr(element, str(kind)).set_value):
                self._widgets[state.id] = state
            if kind == "slider":
                self._sliders[element.slider.label] = element.slider.id

    def _age(self) -> None:
        """Forget the large messages that the last runs did not use."""
        self._ages = {name: age + 1 for name, age in self._ages.items() if age < _KEPT_RUNS}
        self._kept = {name: self._kept[name] for name in self._ages}


def _data(board: BidiComponent) -> dict[str, Any]:
    """What the board was told."""
    data: dict[str, Any] = json.loads(board.json or '{"board": {}}')["board"]
    return data


def _widget(element: Element) -> WidgetState | None:
    """The value that a browser reports for a widget that it has just drawn."""
    kind = element.WhichOneof("type")
    if kind == "slider":
        state = WidgetState(id=element.slider.id)
        drawn = element.slider
        state.double_array_value.data.extend(drawn.value if drawn.set_value else drawn.default)
        return state
    if kind == "selectbox":
        box = element.selectbox
        chosen = box.raw_value if box.set_value else box.options[box.default]
        return WidgetState(id=box.id, string_value=chosen)
    if kind == "text_input":
        field_ = element.text_input
        text = field_.value if field_.set_value else field_.default
        return WidgetState(id=field_.id, string_value=text)
    if kind == "checkbox":
        switch = element.checkbox
        return WidgetState(
            id=switch.id, bool_value=switch.value if switch.set_value else switch.default
        )
    return None
