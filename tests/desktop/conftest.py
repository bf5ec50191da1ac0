"""Windows that a test opened are closed when it ends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication


@pytest.fixture(autouse=True)
def _no_window_is_left() -> Iterator[None]:
    yield
    if QApplication.instance() is None:
        return
    left = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
    names = [f"{type(widget).__name__} '{widget.windowTitle()}'" for widget in left]
    for widget in left:
        widget.close()
    assert not names, f"windows still open: {names}"
