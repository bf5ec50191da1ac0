"""`make bundle`: a folder that runs wherever it lies, packed as .tar.zst, and a Debian package of the same.

To be run by the Python of .venv, on the oldest system that the bundle is for: its Python and its C library are the
oldest that will do. Everything is made below build/bundle; machine code is kept there between builds.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import time
from pathlib import Path

from installers.byte_code import import_and_compile
from installers.debian import make_package
from installers.desktop import write_desktop_files
from installers.diet import slim
from installers.libraries import build_wheel, copy_libraries, install_wheel
from installers.machine_code import add_machine_code
from installers.own_python import copy_python, site_packages

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build/bundle"
STARTERS = ("polhode", "install", "uninstall", "refresh")


def main() -> None:
    """Build folder, archive and package, and print how large they are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--level", type=int, default=9, help="of zstd, 1 to 19; a lower one is faster")
    level = parser.parse_args().level
    begun = time.monotonic()
    tree, version = make_tree(BUILD)
    for path in (make_archive(tree, level), make_package(tree, version, level)):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e6:.0f} MB", flush=True)
    print(f"installed: {size_of(tree) / 1e6:.0f} MB; built in {time.monotonic() - begun:.0f} s")


def make_tree(build: Path) -> tuple[Path, str]:
    """Make the folder of the bundle below `build` in place of an older one; returns it and the version."""
    for old in (*build.glob("polhode*"), build / "wheel"):
        shutil.rmtree(old) if old.is_dir() else old.unlink(missing_ok=True)
    wheel = build_wheel(ROOT, build / "wheel")
    version = wheel.name.split("-")[1]
    tree = build / f"polhode-{version}"
    python = copy_python(tree / "python")
    site = site_packages(python)
    names = copy_libraries(site)
    install_wheel(wheel, site)
    slim(site, python)
    add_machine_code(python, site, build / "machine_code")
    write_desktop_files(python, tree / "share")
    write_starters(tree, version, python.name)
    (tree / "LIBRARIES").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    shutil.copy2(ROOT / "LICENSE", tree)
    set_times(tree)  # those of the sources stand in the compiled files
    import_and_compile(python)
    set_times(tree)
    return tree, version


def write_starters(tree: Path, version: str, python: str) -> None:
    """The programs at the top of the folder."""
    for name in STARTERS:
        text = (ROOT / "installers/linux" / name).read_text("utf-8")
        (tree / name).write_text(text.replace("VERSION", version).replace('PYTHON"', f'{python}"'), encoding="utf-8")
        (tree / name).chmod(0o755)


def set_times(tree: Path) -> None:
    """Give all files and folders the time of the last commit, and modes that do not depend on the builder's umask."""
    stamp = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True, text=True)
    moment = float(stamp.stdout)
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
            os.utime(path, (moment, moment))


def make_archive(tree: Path, level: int) -> Path:
    """The folder as .tar.zst beside it."""
    archive = tree.with_name(f"{tree.name}-linux-{os.uname().machine}.tar.zst")
    words = [
        "tar",
        "--create",
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        f"--directory={tree.parent}",
    ]
    packed = subprocess.Popen([*words, tree.name], stdout=subprocess.PIPE)
    subprocess.run(["zstd", "-q", "-f", "-T0", f"-{level}", "-o", archive], stdin=packed.stdout, check=True)
    if packed.wait():
        raise SystemExit("tar has failed")
    return archive


def size_of(tree: Path) -> int:
    """Bytes of all files, each in whole blocks of 4096."""
    return sum(-(-path.stat().st_size // 4096) * 4096 for path in tree.rglob("*") if path.is_file())


if __name__ == "__main__":
    main()
