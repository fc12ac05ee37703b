"""Registers our components with Streamlit, so that the browser loads their files once, by address.

Inline JavaScript would travel with every rerun. Streamlit serves the files of *installed*
components by address; this registers our folders in the same way, without being a package of its
own. The internal names below are one reason why Streamlit is pinned; browser tests open them.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.components.v2.types import ComponentRenderer

_PACKAGE = "attention"


def serve(name: str, folder: Path) -> None:
    """Let the browser load the files of a folder, beside those of the other components."""
    manager = get_bidi_component_manager()
    # Once a server, and once a test run.
    if manager.get_component_asset_root(f"{_PACKAGE}.{name}") is None:
        config = ComponentConfig(name, folder.name)
        manager.register_from_manifest(ComponentManifest(_PACKAGE, "1", [config]), folder.parent)


def mount(name: str, folder: Path, *, isolate: bool = True, **options: Any) -> Any:
    """Mount the component of a folder; options and result are those of a Streamlit component.

    Its files are called as it is; ``isolate`` keeps the page's style out of it.
    """
    serve(name, folder)
    return _renderer(name, isolate)(**options)


@lru_cache
def _renderer(name: str, isolate: bool) -> ComponentRenderer:
    return st.components.v2.component(
        f"{_PACKAGE}.{name}", js=f"{name}.js", css=f"{name}.css", isolate_styles=isolate
    )
