"""The Debian package: the same folder as /usr/lib/polhode, its entry in the menus, and what it needs of the system."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from installers.shared_objects import needed_from_outside, packages_of

LINUX = Path(__file__).parent / "linux"
PLACE = "usr/lib/polhode"
DLOPENED = {"libgl1-mesa-dri", "libegl1", "libgl1"}  # opened by name, in no dynamic section
# Plug-ins that Qt leaves out where the system lacks their libraries: looks of GTK, and more formats of pictures.
OPTIONAL = ("libqgtk3.so",)
RENAMED = {"libglib2.0-0": "libglib2.0-0t64", "libssl3": "libssl3t64"}  # in Debian 13 and Ubuntu 24.04
CONTROL = """\
Package: polhode
Version: {version}
Architecture: {architecture}
Maintainer: The Polhode developers <polhode@localhost>
Installed-Size: {size}
Depends: {depends}
Recommends: ffmpeg
Suggests: libgtk-3-0
Section: science
Priority: optional
Description: 3-D physics lab for magnets, tops, soft bodies and spheres on tracks
 Scenes of rigid and soft bodies, magnets, springs and spheres on tracks move
 at once and can be held with the mouse, edited while they run, recorded,
 measured and fitted to data.
 .
 This package brings its own Python and libraries.
"""


def make_package(tree: Path, version: str, level: int) -> Path:
    """Pack the folder of a bundle as a Debian package beside it."""
    architecture = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True)
    root = tree.with_name("debian")
    shutil.rmtree(root, ignore_errors=True)
    inner = root / PLACE
    shutil.copytree(tree, inner, symlinks=True, copy_function=os.link)  # no second copy of the bytes
    for name in ("install", "uninstall", "refresh", "LICENSE", "LIBRARIES"):
        (inner / name).unlink()
    shutil.move(inner / "share", root / "usr/share")
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin/polhode").symlink_to("../lib/polhode/polhode")
    cache = root / "var/cache/polhode"
    cache.mkdir(parents=True)
    _write_copyright(root / "usr/share/doc/polhode", tree)
    _write_control(root, version, architecture.stdout.strip())
    for folder in (root, *(path for path in root.rglob("*") if path.is_dir() and not path.is_symlink())):
        folder.chmod(0o755)
    cache.chmod(0o1777)  # as /tmp: everybody has a folder there, which no one else may remove or write to
    package = tree.with_name(f"polhode_{version}_{architecture.stdout.strip()}.deb")
    words = ["dpkg-deb", "--root-owner-group", "-Zzstd", f"-z{level}", "--build", root, package]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(root)
    return package


def dependencies(tree: Path) -> list[str]:
    """Packages that bring the libraries that the bundle needs and lacks, with the names of newer systems."""
    packages = packages_of(needed_from_outside(tree, OPTIONAL)) | DLOPENED
    return [f"{name} | {RENAMED[name]}" if name in RENAMED else name for name in sorted(packages - {"libc6"})]


def _write_control(root: Path, version: str, architecture: str) -> None:
    folder = root / "DEBIAN"
    folder.mkdir()
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) // 1024
    depends = ", ".join(["libc6 (>= 2.35)", *dependencies(root / PLACE)])
    text = CONTROL.format(version=version, architecture=architecture, size=size, depends=depends)
    (folder / "control").write_text(text, encoding="utf-8")
    shutil.copy(LINUX / "postrm", folder)
    (folder / "postrm").chmod(0o755)


def _write_copyright(folder: Path, tree: Path) -> None:
    """Licence of the program; those of the libraries lie beside them."""
    folder.mkdir(parents=True)
    text = (tree / "LICENSE").read_text("utf-8")
    text += "\nThe libraries below /usr/lib/polhode have licences of their own, in the folders *.dist-info there:\n\n"
    (folder / "copyright").write_text(text + (tree / "LIBRARIES").read_text("utf-8"), encoding="utf-8")
