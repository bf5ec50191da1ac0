"""Pictures and films of the site are drawn again after changes, by processes that report faults and end."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.site.contents import ROOT
from docs.site.drawing import films, keys
from docs.site.workers import Job, JobFailed, Workers

SCENE = '[[body]]\nname = "ball"\nshape = [{{ kind = "sphere", radius = {radius}, mass = 1.0 }}]\n'
SMALL = ("--until", "0.05", "--size", "64x48")


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers(2) as made:
        yield made


def subset(folder: Path) -> dict[str, tuple[str, ...]]:
    """A film, a picture and a replay of two scenes in a folder."""
    for name in ("one", "other"):
        (folder / f"{name}.toml").write_text(SCENE.format(radius=0.1), "utf-8")
    one, other = (str(folder / f"{name}.toml") for name in ("one", "other"))
    return {"film.webm": (one, *SMALL), "picture.png": (other, *SMALL), "replay.html": (other, "--until", "0.05")}


def titles_of(kept: Path, made: dict[str, tuple[str, ...]], workers: Workers) -> list[str]:
    """Titles of what is drawn in a build."""
    done: list[str] = []
    workers.run(films.jobs(films.files(kept, made), kept.parent, made), lambda job: done.append(job.title))
    return sorted(title.partition(" of the scene")[0] for title in done)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.nightly
def test_what_has_changed_is_drawn_and_the_same_by_any_number_of_processes(tmp_path: Path, workers: Workers) -> None:
    made = subset(tmp_path)
    first = titles_of(tmp_path / "two", made, workers)
    films_and_pictures = [f"{name} ({language})" for name in ("film.webm", "picture.png") for language in ("en", "ja")]
    assert first == [*films_and_pictures, "replay.html (en)"], "a replay has the texts of both languages"
    assert titles_of(tmp_path / "two", made, workers) == [], "a second build draws nothing"
    with Workers(1) as alone:
        assert titles_of(tmp_path / "one", made, alone) == first
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert len(contents(tmp_path / "one")) == 5, "no unfinished file is left"
    (tmp_path / "one.toml").write_text(SCENE.format(radius=0.2), "utf-8")
    assert titles_of(tmp_path / "two", made, workers) == ["film.webm (en)", "film.webm (ja)"]
    shown = films.files(tmp_path / "two", made)
    films.forget_others(shown.values(), tmp_path / "two")
    assert {*(tmp_path / "two").iterdir()} == {*shown.values()}


def test_files_of_a_scene_options_and_language_change_the_key(tmp_path: Path) -> None:
    scene = tmp_path / "scene.toml"
    shape = '{ kind = "mesh", file = "part.obj", mass = 1.0 }'
    scene.write_text(f'[[body]]\nname = "part"\nshape = [{shape}]\n', "utf-8")
    (tmp_path / "part.obj").write_text("v 0 0 0\n", "utf-8")
    found = {keys.key(scene, "en"), keys.key(scene, "ja"), keys.key(scene, "en", "--until", "2")}
    (tmp_path / "part.obj").write_text("v 0 0 1\n", "utf-8")
    assert len(found | {keys.key(scene, "en")}) == 4


def test_the_sources_that_draw_are_views_exports_and_the_library_but_no_window() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in keys.drawing_sources()}
    assert {
        "app/polhode_app/viewport/late_modules.py",  # by an import of its package
        "app/polhode_app/export/web/texts.py",
        "core/polhode/integrators/verlet.py",  # by an import of several names in parentheses
        "core/polhode/scene/scene_file.py",
    } <= found
    assert [
        path
        for path in found
        if path.startswith(("app/polhode_app/window/", "app/polhode_app/docks/")) or path.endswith("main_window.py")
    ] == []


def test_a_fault_names_the_scene_and_what_the_command_said(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "wrong.toml").write_text("[[body]]\nmass = -1\n", "utf-8")
    job = Job("film of wrong", films.draw, (tmp_path, tmp_path / "a.png", "en", str(tmp_path / "wrong.toml"), *SMALL))
    with Workers(1) as alone, pytest.raises(JobFailed, match="^film of wrong: the process ended with status 1$"):
        alone.run([job], lambda job: None)
    assert "wrong.toml: body[0].mass" in capfd.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["wrong.toml"]


def test_ctrl_c_ends_the_processes_in_the_middle_of_a_job() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # processes of pytest-xdist ignore it
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt), Workers(2) as both:
        both.run([Job("wait", time.sleep, (60.0,))] * 2, lambda job: None)
    signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begin < 30.0
    assert [process for process in both._processes.values() if process.is_alive()] == []
