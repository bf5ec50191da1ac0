"""Fixtures of all tests: a virtual screen if needed, a temporary home, and no process left behind."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator

import numba  # noqa: F401  (before a command that a test calls makes another processor its target)
import pytest
from hypothesis import settings

# An example that compiles a kernel takes seconds, the next one microseconds.
settings.register_profile("few", deadline=None, max_examples=12)
settings.register_profile("many", deadline=None, max_examples=500)
NIGHTLY = "nightly"

# Tests that open windows remember positions and recent files: not in the settings of who runs them.
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="polhode-settings-")

NO_SCREEN = (
    sys.platform == "linux"
    and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    and shutil.which("Xvfb") is None
)
if NO_SCREEN:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"  # else Qt ends the whole process


gc.disable()  # ten thousand tests and their libraries are half a million objects that stay


def pytest_configure(config: pytest.Config) -> None:
    """Random searches get their number of examples before the tests are read.

    A process of pytest-xdist ends as soon as it has told everything, and its screen with it. Otherwise Python clears
    some hundred closed windows one by one, until pytest-xdist kills the process after 10 s.
    """
    settings.load_profile("many" if config.option.markexpr == NIGHTLY else "few")
    if hasattr(config, "workerinput"):
        atexit.register(_leave)


def _leave() -> None:
    if (screens := sys.modules.get("pytest_xvfb")) is not None:
        screens.shutdown_xvfb()
    os._exit(0)


def pytest_collection_finish() -> None:
    """From here on garbage is collected, without another look at what was loaded with the tests."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)  # before the expression of markers chooses
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Random searches are done nightly as well, with many examples.

    Without any screen the tests of the window say so, and the others run.
    """
    if config.option.markexpr == NIGHTLY:
        for item in items:
            if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
                item.add_marker(NIGHTLY)
    if not NO_SCREEN:
        return
    skipped = pytest.mark.skip(reason="no screen: install xvfb")
    for item in items:
        if "qapp" in getattr(item, "fixturenames", ()):
            item.add_marker(skipped)


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["XDG_CONFIG_HOME"], ignore_errors=True)


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    """A thread that outlives its test would run into the next one."""
    before = set(threading.enumerate())
    yield
    left = [thread.name for thread in threading.enumerate() if thread not in before and not thread.daemon]
    assert not left, f"threads still run: {left}"
