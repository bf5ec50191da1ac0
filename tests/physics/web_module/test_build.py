"""The builds of the module and of the library of FMUs, in a process of their own."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

from polhode.compilation.fmi_library.build import build_library
from polhode.compilation.fmi_library.library import FILE as LIBRARY
from polhode.compilation.fmi_library.library import FmiLibrary
from polhode.compilation.kept_file import KeptFile
from polhode.compilation.web_module.build import build_module
from polhode.compilation.web_module.module import FILE as MODULE
from polhode.compilation.web_module.module import Manifest, WebModule

SOON = 60.0  # [s] the whole build takes minutes


class Cancelled(Exception):
    """Raised by the caller."""


@pytest.mark.parametrize("file", [MODULE, LIBRARY])
def test_a_build_reports_progress_and_can_be_cancelled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: KeptFile
) -> None:
    monkeypatch.setattr(KeptFile, "read", lambda self: None)
    monkeypatch.setenv("POLHODE_CACHE", str(tmp_path))  # of the process: it has to compile
    parts: list[float] = []

    def check_cancelled() -> None:
        if parts:
            raise Cancelled

    begun = monotonic()
    with pytest.raises(Cancelled):
        file.build(parts.append, check_cancelled)
    assert monotonic() - begun < SOON
    assert 0.0 < parts[0] < 0.1


def test_what_is_kept_is_not_built_again(monkeypatch: pytest.MonkeyPatch) -> None:
    module = WebModule(b"some code", Manifest({"a unit": 3}, 64))
    library = FmiLibrary({"x86_64-linux": b"some", "x86_64-windows": b"code"}, "0" * 16)
    monkeypatch.setattr(KeptFile, "read", lambda self: module.as_file())
    assert build_module(lambda part: None, lambda: None) == module
    monkeypatch.setattr(KeptFile, "read", lambda self: library.as_file())
    assert build_library(lambda part: None, lambda: None) == library
