"""Screens and versions of OpenGL that the program can't draw with: one sentence and exit status 2."""

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import forked
from meaning import Meaning

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11, Wayland and Mesa are of Linux")

SCENE = """
[[body]]
name = "bob"
shape = [{ kind = "sphere", radius = 0.02, mass = 0.3, position = [0, 0, -0.5] }]
"""
OLD = {"MESA_GL_VERSION_OVERRIDE": "3.1", "MESA_GLSL_VERSION_OVERRIDE": "140"}
TOO_OLD = Meaning("polhode", "OpenGL", "Mesa", version="3.1", needed="3.2", variable="LIBGL_ALWAYS_SOFTWARE=1")
WAYLAND_ONLY = Meaning("polhode", "Wayland", "X11", "Xwayland", variable="DISPLAY")
PLATFORM = """
import os
from polhode_app import application
shown = lambda: print(application.make_application().platformName(), flush=True)
application.run_application = lambda file, _choices: shown() or 0
from polhode_app.cli.main import main
os._exit(main([]))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scene.toml").write_text(SCENE)
    return tmp_path


@pytest.fixture
def wayland(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a session with a Wayland display that accepts connections, and nothing more."""
    with socket.socket(socket.AF_UNIX) as display:
        display.bind(str(tmp_path / "wayland-7"))
        display.listen()
        yield {"XDG_RUNTIME_DIR": str(tmp_path), "WAYLAND_DISPLAY": "wayland-7", "XDG_SESSION_TYPE": "wayland"}


@pytest.mark.parametrize("display", ["", None], ids=["egl", "x11"])
@pytest.mark.parametrize("name", ["scene.png", "scene.mp4"])
def test_a_picture_needs_opengl_3_2_or_says_so(folder: Path, name: str, display: str | None) -> None:
    environment = OLD if display is None else {**OLD, "DISPLAY": display}
    done = forked(["render", "scene.toml", "--until", "0.1", "--out", name], folder, **environment)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert TOO_OLD.of(done.stderr)
    assert not list(folder.glob("scene.[mp]*"))


def test_a_window_needs_opengl_3_2_or_says_so(folder: Path) -> None:
    done = forked(["scene.toml"], folder, **OLD)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert TOO_OLD.of(done.stderr)


@pytest.mark.parametrize("words", [[], ["scene.toml"]])
def test_wayland_without_x11_is_no_screen(folder: Path, words: list[str], wayland: dict[str, str]) -> None:
    done = forked(words, folder, DISPLAY="", **wayland)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert WAYLAND_ONLY.of(done.stderr)
    assert not list(folder.glob("polhode.*"))


@pytest.mark.skipif(not os.environ.get("DISPLAY"), reason="needs an X server")
def test_x11_is_used_beside_wayland(folder: Path, wayland: dict[str, str]) -> None:
    done = forked([], folder, PLATFORM, **wayland)
    assert done.stdout == "xcb\n", done.stderr
