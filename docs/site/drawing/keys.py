"""Keys of what the program draws: a file is drawn again when anything that it depends on has changed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from docs.site.contents import ROOT
from polhode.jit.storage.kept import VERSION
from polhode.recording.scene_bundle import files_of
from polhode.scene.scene_file import read_scene

APP = ROOT / "app/polhode_app"
DRAWING = (
    "polhode_app.export.video",
    "polhode_app.cli.results.motion_export",
    "polhode_app.export.web.live.live_page",
)
"""Modules that draw films and pictures, and web pages."""
RESOURCES = (APP / "fonts", APP / "export/web/page")
LIBRARIES = ("numpy", "vtk", "pyvista", "pillow", "imageio-ffmpeg")
FROM = re.compile(r"from (polhode[\w.]*) import (\([^)]*\)|[^#\n(]*)")
IMPORT = re.compile(r"import (polhode[\w.]*)")


def key(scene: Path, language: str, *options: str) -> str:
    """Twelve hexadecimal digits that depend on a scene, its files, the options, and the code that draws it.

    language: of the texts; "" for all languages
    """
    texts = _hash_of(APP.glob("translations/**/*.mo")) if language != "en" else ""
    digest = hashlib.sha256("\n".join([_code(), texts, language, *options]).encode())
    named = sorted(files_of(read_scene(scene)))
    for file in (scene, *(scene.parent / name for name in named)):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


@cache
def _code() -> str:
    """Versions of the kernels and libraries, and the hash of all modules that draw and of the files that they read."""
    read = (path for folder in RESOURCES for path in folder.rglob("*") if path.is_file())
    versions = (f"{name} {version(name)}" for name in LIBRARIES)
    return "\n".join([VERSION, *versions, _hash_of([*drawing_sources(), *read])])


def _hash_of(files: Iterable[Path]) -> str:
    """Hash of the names and contents of files."""
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def drawing_sources() -> set[Path]:
    """Files of the modules in DRAWING, and of those that they import, recursively, also within functions."""
    files = {_module(path, root): path for root in (ROOT / "core", ROOT / "app") for path in root.rglob("*.py")}
    del files["polhode"]  # which only re-exports
    waiting, found = list(DRAWING), set[str]()
    while waiting:
        name = waiting.pop()
        if name in files and name not in found:
            found.add(name)
            waiting += [name.rpartition(".")[0], *_imported(files[name].read_text("utf-8"))]
    return {files[name] for name in found}


def _module(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def _imported(text: str) -> list[str]:
    """Modules that the imports in a text may refer to; some do not exist."""
    modules = IMPORT.findall(text)
    for module, names in FROM.findall(text):
        modules += [module, *(f"{module}.{name}" for name in re.findall(r"\w+", names))]
    return modules
