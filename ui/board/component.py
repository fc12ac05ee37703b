"""Registers the board with Streamlit, so that the browser loads its files once, by their address.

Inline JavaScript would travel with every rerun. Streamlit serves the files of *installed*
components by address; this registers our folder in the same way, without being a package of its
own. The internal names below are one reason why Streamlit is pinned; browser tests open the board.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.components.v2.types import ComponentRenderer

_FOLDER = Path(__file__).parent
_NAME = "attention.board"
_MANIFEST = ComponentManifest("attention", "1", [ComponentConfig("board", _FOLDER.name)])


def mount(**options: Any) -> Any:
    """Mount the board; options and result are those of a Streamlit component."""
    manager = get_bidi_component_manager()
    if manager.get_component_asset_root(_NAME) is None:  # once a server (and once a test run)
        manager.register_from_manifest(_MANIFEST, _FOLDER.parent)
    return _renderer()(**options)


@lru_cache(maxsize=1)
def _renderer() -> ComponentRenderer:
    return st.components.v2.component(_NAME, js="board.js", css="board.css")
