"""Registers the board with Streamlit, so that the browser loads its files once, by their address.

Inline JavaScript would travel with every rerun. Streamlit serves the files of *installed*
components by address; this registers our folder in the same way, without being a package of its
own. The two internal names below are why Streamlit is pinned; a browser test opens the board.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.components.v2.types import ComponentRenderer

_FOLDER = Path(__file__).parent
_MANIFEST = ComponentManifest("attention", "1", [ComponentConfig("board", _FOLDER.name)])


def component() -> ComponentRenderer:
    """The mount function of the board."""
    get_bidi_component_manager().register_from_manifest(_MANIFEST, _FOLDER.parent)
    return st.components.v2.component("attention.board", js="board.js", css="board.css")
