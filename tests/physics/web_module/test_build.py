"""The build of the module in a process of its own."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

from polhode.compilation.web_module import build
from polhode.compilation.web_module.build import build_module
from polhode.compilation.web_module.module import Manifest, WebModule

SOON = 60.0  # [s] the whole build takes minutes


class Cancelled(Exception):
    """Raised by the caller."""


def test_a_build_reports_progress_and_can_be_cancelled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(build, "kept_module", lambda: None)
    monkeypatch.setenv("POLHODE_CACHE", str(tmp_path))  # of the process: it has to compile
    parts: list[float] = []

    def check_cancelled() -> None:
        if parts:
            raise Cancelled

    begun = monotonic()
    with pytest.raises(Cancelled):
        build_module(parts.append, check_cancelled)
    assert monotonic() - begun < SOON
    assert 0.0 < parts[0] < 0.1


def test_a_module_that_is_kept_is_not_built_again(monkeypatch: pytest.MonkeyPatch) -> None:
    known = WebModule(b"", Manifest({}, 0))
    monkeypatch.setattr(build, "kept_module", lambda: known)
    assert build_module(lambda part: None, lambda: None) is known
