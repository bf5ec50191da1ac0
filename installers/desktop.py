"""Desktop entry, types of files, and icons in the sizes of menus, drawn by the program's own icon."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

LINUX = Path(__file__).parent / "linux"
SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from polhode_app.window.widgets.icons import APP_ICON, svg_icon, svg_of
app = QApplication([])
folder = Path(sys.argv[1])
for size in map(int, sys.argv[2:]):
    path = folder / f"{size}x{size}/apps/polhode.png"
    path.parent.mkdir(parents=True)
    assert svg_icon(APP_ICON, size).pixmap(size, size).save(str(path))
path = folder / "scalable/apps/polhode.svg"
path.parent.mkdir(parents=True)
path.write_text(svg_of(APP_ICON), encoding="utf-8")
"""


def write_icon(python: Path, path: Path) -> None:
    """Write the icon as .ico of Windows, in the sizes up to 256."""
    with TemporaryDirectory() as folder:
        subprocess.run([python, "-I", "-c", PROGRAM, folder, "256"], check=True)
        with Image.open(Path(folder) / "256x256/apps/polhode.png") as drawn:
            drawn.save(path, sizes=[(size, size) for size in SIZES if size <= 256])


def write_desktop_files(python: Path, share: Path) -> None:
    """Fill a folder as /usr/share has them: applications, icons, mime."""
    for source, place in (("polhode.desktop", "applications"), ("polhode.xml", "mime/packages")):
        (share / place).mkdir(parents=True)
        shutil.copy(LINUX / source, share / place)
    words = [python, "-I", "-c", PROGRAM, share / "icons/hicolor", *map(str, SIZES)]
    subprocess.run(words, check=True, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
