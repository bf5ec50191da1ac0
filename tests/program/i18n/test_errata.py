"""The errata of the documents: their pages are those of the table, and what they name exists."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest
from sources import module_at

from polhode.scene import gallery
from polhode_app.i18n.field_names import METHODS
from polhode_app.i18n.language import set_language
from polhode_app.window.shell.errata import errata

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    return module_at(ROOT / ".ci/errata.py")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_page_is_that_of_the_table(tool: ModuleType, language: str) -> None:
    assert tool.FILES[language].read_text("utf-8") == tool.page(language), "run `make translations`"


def test_scenes_methods_and_files_that_are_named_exist() -> None:
    set_language("en")
    texts = [erratum.shown for found in errata().values() for erratum in found]
    named = {name for text in texts for name in re.findall("“(.+?)”", text)}
    assert named
    assert named <= set(METHODS.values())
    scenes = {name for text in texts for name in re.findall("scene <code>(.+?)</code>", text)}
    assert len(scenes) > 3
    assert scenes <= set(gallery.scene_names())
    for path in {path for text in texts for path in re.findall(r"docs/\w+\.md", text)}:
        assert (ROOT / path).exists()
