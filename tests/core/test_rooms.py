"""The rooms: which way imports run, what may not be named, and how long a file may be."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VAGUE = {"utils", "util", "helpers", "helper", "misc", "common"}
MAX_FILE, MAX_PAGE = 250, 100


def files(*suffixes: str) -> list[Path]:
    """Every file of the project with one of the suffixes; nothing hidden, nothing installed."""
    found = []
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        hidden = any(part.startswith((".", "__pycache__", "node_modules")) for part in parts)
        if path.suffix in suffixes and path.is_file() and not hidden:
            found.append(path)
    return found


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """The dotted names of the modules that a file imports, also inside functions."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports in full"
            assert node.module is not None
            names.add(node.module)
        elif isinstance(node, ast.Call) and "import" in ast.unparse(node.func):
            names.update(str(a.value) for a in node.args[:1] if isinstance(a, ast.Constant))
    return names


def tops(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in imports(path)}


PYTHON = files(".py")
CORE = [p for p in PYTHON if room(p) == "attention_core"]
UI = [p for p in PYTHON if room(p) == "ui"]
PAGES = [p for p in PYTHON if room(p) in ("pages", "app")]


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_the_rooms_are_found() -> None:
    assert {"attention.py", "matmul.py", "latex.py"} <= {p.name for p in CORE}
    assert not any("site-packages" in str(p) for p in PYTHON)


@pytest.mark.parametrize("path", CORE, ids=name)
def test_the_core_imports_numpy_the_standard_library_and_itself(path: Path) -> None:
    allowed = {"numpy", "attention_core"} | set(sys.stdlib_module_names)
    assert tops(path) <= allowed


def test_the_ui_imports_no_page() -> None:
    assert [name(p) for p in UI if tops(p) & {"pages", "app"}] == []


def test_pages_import_the_ui_the_core_and_streamlit() -> None:
    for path in PAGES:
        allowed = {"ui", "attention_core", "streamlit", "__future__"}
        assert tops(path) <= allowed, name(path)
        inside = {i for i in imports(path) if i.startswith("attention_core.")}
        assert not inside, f"{name(path)} imports {inside}: take it from attention_core itself"


def test_only_tests_import_torch() -> None:
    assert [name(p) for p in PYTHON if room(p) != "tests" and "torch" in tops(p)] == []


def test_no_room_imports_the_tests() -> None:
    assert [name(p) for p in PYTHON if room(p) != "tests" and "tests" in tops(p)] == []


def test_no_vague_names() -> None:
    places = {*PYTHON, *files(".js", ".css")}
    bad = {part for p in places for part in p.relative_to(ROOT).with_suffix("").parts} & VAGUE
    assert not bad


def _long(paths: list[Path], limit: int) -> dict[str, int]:
    lengths = {name(p): len(p.read_text(encoding="utf-8").splitlines()) for p in paths}
    return {path: length for path, length in lengths.items() if length > limit}


def test_no_long_files() -> None:
    sources = [p for p in files(".py", ".js", ".css") if room(p) != "tests"]
    sources.remove(ROOT / "attention_core" / "__init__.py")  # a list of names, all of them twice
    assert _long(sources, MAX_FILE) == {}


def test_no_long_pages() -> None:
    assert _long(PAGES, MAX_PAGE) == {}


def test_long_files_and_forbidden_imports_are_seen(tmp_path: Path) -> None:
    page = tmp_path / "1_Page.py"
    page.write_text(
        "import numpy as np\nfrom attention_core.ops import matmul\n"
        "def f():\n    import torch.nn\n    __import__('pandas')\n",
        encoding="utf-8",
    )
    assert imports(page) == {"numpy", "attention_core.ops", "torch.nn", "pandas"}
    assert tops(page) == {"numpy", "attention_core", "torch", "pandas"}
