"""Sketches are built once for all tests, and tests say why where they can't be."""

from __future__ import annotations

from pathlib import Path

import boards
import pytest


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lacking = boards.missing()
    if lacking:
        pytest.skip("no " + ", ".join(lacking))
    folder = tmp_path_factory.mktemp("firmware")
    boards.build(folder)
    return folder
