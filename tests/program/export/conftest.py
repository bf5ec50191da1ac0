"""Fixtures of tests of engines in pages: a browser, and the module of the kernels."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import Browser, browser
from engine_output import kernels_of_tests

from polhode.compilation.web_module.module import WebModule


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    """A page of Chromium."""
    with browser() as made:
        yield made


@pytest.fixture(scope="session")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> WebModule:
    """The module of all kernels if it is kept, else that of SCENES."""
    return kernels_of_tests(tmp_path_factory)
