"""The project keeps its promises: settings that must exist, documents that must be true."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path

import pytest
from streamlit import config

from attention_core.ops import OPS
from ui.pages import PAGES

ROOT = Path(__file__).parents[1]
CONFIG = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))


def test_the_option_that_stops_a_garbage_collection_after_each_run_still_exists() -> None:
    assert "runner.postScriptGC" in config._config_options_template
    assert CONFIG["runner"]["postScriptGC"] is False


@pytest.mark.parametrize(
    "key", [f"{s}.{k}" for s, v in CONFIG.items() for k in v if not isinstance(v[k], dict)]
)
def test_every_option_of_the_configuration_is_known_to_streamlit(key: str) -> None:
    assert key in config._config_options_template


def test_uvloop_is_there_so_that_clicks_do_not_wait() -> None:
    assert importlib.util.find_spec("uvloop")
    assert "streamlit[performance]==" in (ROOT / "requirements.txt").read_text(encoding="utf-8")


def test_the_app_needs_these_packages_and_no_others() -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    names = [re.split(r"[\[=]", line)[0] for line in lines if line and not line.startswith("#")]
    assert names == ["streamlit", "numpy", "plotly", "pandas"]
    assert all("==" in line for line in lines if line and not line.startswith("#"))


def test_the_readme_names_both_commands_and_the_pages_there_are() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in ("make app", "make test", "make bench"):
        assert command in readme
    for page in PAGES:
        assert page.title.lower() in readme.lower()


def test_pictures_and_files_that_the_documents_name_exist() -> None:
    for name in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (ROOT / target).exists(), f"{name} links to {target}"
        for path in re.findall(r"`((?:attention_core|ui|tests|benchmarks)/[\w./]*)`", text):
            assert (ROOT / path).exists(), f"{name} names {path}"


def test_contributing_names_every_op() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = text.partition("The ops there are: ")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(\w+)`", listed)) == set(OPS)


def test_ci_runs_the_readmes_command_and_nothing_else() -> None:
    lines = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith(("#", "set ", "cd "))]
    assert commands == ["make test"]
