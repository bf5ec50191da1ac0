"""Pages in which scenes run, beside the pages of the scenes: each has its data, and all share kernels and scripts.

They are kept in build/docs-live between builds, under names that change with everything that they depend on.
"""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

from docs.site.drawing.keys import key
from docs.site.workers import Job
from polhode.compilation.web_module.module import kept_module, web_module
from polhode.exporters.image.qualification import problems_of_scene
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode_app.export.web.live.live_page import LivePage, LiveSettings, shared_names, shared_scripts

FOLDER = "live"
"""Of the site, one for all languages."""
EFFORT = 1.0
TOO_LARGE = ("meshing_gears", "shielding_box")
"""Scenes whose page would be larger than live pages may be: meshes and matrices of iron."""


@cache
def names() -> list[str]:
    """Names of the scenes that run in a page; none where no web module is built."""
    if kept_module() is None:
        return []
    fitting = (name for name in gallery.scene_names() if name not in TOO_LARGE)
    return [name for name in fitting if not problems_of_scene(read_scene(gallery.path(name)))]


def files(kept: Path) -> dict[str, Path]:
    """Where the page of each scene is kept in a folder."""
    found = names()
    shared = shared_names(web_module()) if found else ()
    return {name: kept / f"{key(gallery.path(name), '', FOLDER, *shared)}-{name}.html" for name in found}


def jobs(found: dict[str, Path]) -> list[Job]:
    """Jobs for the pages that are missing."""
    return [
        Job(f"page in which {name} runs", make, (name, path), EFFORT)
        for name, path in found.items()
        if not path.exists()
    ]


def make(name: str, path: Path) -> None:
    """Make the page of a scene, which is there when it is complete. Raises InputError."""
    os.environ.pop("DISPLAY", None)
    path.parent.mkdir(parents=True, exist_ok=True)
    scene = read_scene(gallery.path(name))
    text, _ = LivePage(scene, LiveSettings(shares=True), web_module(), lambda share: None).text()
    unfinished = path.with_suffix(".part")
    unfinished.write_text(text, "utf-8")
    unfinished.replace(path)


def copy(found: dict[str, Path], folder: Path) -> None:
    """Copy the pages, and what they share, to a folder."""
    if not found:
        return
    folder.mkdir(parents=True)
    for name, path in found.items():
        shutil.copyfile(path, folder / f"{name}.html")
    for name, text in shared_scripts(web_module()).items():
        (folder / name).write_text(text, "utf-8")
