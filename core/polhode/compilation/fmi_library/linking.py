"""Links the library of a platform: objects of kernels, a table of them, and the sources in C beside this file."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from llvmlite import binding

from polhode.compilation.fmi_library.platforms import Platform, machine
from polhode.compilation.web_module.linking import RUNTIME, run_linker

SOURCES = Path(__file__).parent / "source"
C = (
    "-std=c11",
    "-O2",
    "-fPIC",
    "-fvisibility=hidden",
    "-ffp-contract=off",
    "-fno-sanitize=undefined",
    "-Wall",
    "-Wextra",
)


def link(
    objects: Mapping[str, tuple[str, bytes]], platform: Platform, version: str, python: str = sys.executable
) -> bytes:
    """The library with these units: symbol and object file by name.

    version: 16 letters, which the file of a scene must have, too; python: the program whose package `ziglang` links

    Raises InputError where that has none, or units call functions that are not in the library.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        files = [folder / f"{k}.o" for k in range(len(objects) + 1)]
        table = table_object({name: symbol for name, (symbol, _) in objects.items()}, platform, version)
        for file, content in zip(files, (table, *(each for _, each in objects.values())), strict=True):
            file.write_bytes(content)
        listed = folder / "objects.txt"  # a command may not be as long as all names
        listed.write_text("\n".join(json.dumps(str(file), ensure_ascii=False) for file in files), "utf-8")
        library = folder / f"polhode{platform.ending}"
        sources = [RUNTIME, *sorted(SOURCES.glob("*.c"))]
        options = ["-shared", "-s", *(["-lm"] if platform.ending == ".so" else [])]
        command = [python, "-m", "ziglang", "cc", "-target", platform.zig, *C, *options]
        environment = os.environ | {"ZIG_GLOBAL_CACHE_DIR": str(folder / "zig")}
        run_linker([*command, f"@{listed}", *sources, "-o", library], "library of FMUs", environment)
        return library.read_bytes()


def table_object(symbols: Mapping[str, str], platform: Platform, version: str) -> bytes:
    """Object file of the arrays that the sources in C know: functions and names of units, their number, the version."""
    lines = [f'target datalayout = "{machine(platform).target_data}"', f'target triple = "{platform.triple}"']
    lines += [f'declare void @"{symbol}"()' for symbol in dict.fromkeys(symbols.values())]
    for k, name in enumerate(symbols):
        lines.append(f'@name.{k} = private constant [{len(name) + 1} x i8] c"{name}\\00"')
    count = len(symbols)
    codes, names = (
        ", ".join(f"ptr {each}" for each in values)
        for values in ([f'@"{symbol}"' for symbol in symbols.values()], [f"@name.{k}" for k in range(count)])
    )
    lines += [f"@polhode_units = hidden constant [{count} x ptr] [{codes}]"]
    lines += [f"@polhode_unit_names = hidden constant [{count} x ptr] [{names}]"]
    lines += [f"@polhode_unit_count = hidden constant i64 {count}"]
    lines += [f'@polhode_version = hidden constant [{len(version) + 1} x i8] c"{version}\\00"']
    return bytes(machine(platform).emit_object(binding.parse_assembly("\n".join(lines))))
