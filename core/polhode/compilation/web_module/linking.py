"""Links objects of kernels to one module by LLVM's linker for WebAssembly, which the package `ziglang` contains."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from struct import unpack
from tempfile import TemporaryDirectory

from llvmlite import binding

from polhode.compilation.web_module.binary import exported_numbers, imports, initial_memory
from polhode.compilation.web_module.module import Manifest, WebModule
from polhode.compilation.web_module.objects import TRIPLE, machine
from polhode.scene.message import Message
from polhode.scene.problem import InputError

RUNTIME = Path(__file__).with_name("runtime.c")
STACK = 262144  # [bytes]
UNITS, HEAP = "units", "__heap_base"
OPTIONS = (
    "-mwasm32",
    "--no-entry",
    "--gc-sections",
    "--strip-all",
    "--allow-undefined",
    f"--export={UNITS}",
    f"--export={HEAP}",
    "--export-table",
    "--growable-table",
    "-z",
    f"stack-size={STACK}",
)


def link(objects: Mapping[str, tuple[str, bytes]], python: str = sys.executable) -> WebModule:
    """The module of these units: symbol and object file by name.

    python: the program whose package `ziglang` links

    Raises InputError where that has none, or the module calls functions that are not in it.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        symbols = [symbol for symbol, _ in objects.values()]
        files = [folder / "units.o", *(folder / f"{k}.o" for k in range(len(objects))), folder / "runtime.o"]
        for file, content in zip(files, (table_object(symbols), *(each for _, each in objects.values())), strict=False):
            file.write_bytes(content)
        zig = [python, "-m", "ziglang"]
        cache = ["env", f"ZIG_GLOBAL_CACHE_DIR={folder}"] if sys.platform != "win32" else []
        c: list[str | Path] = ["cc", "-target", "wasm32-freestanding", "-O2", "-c", RUNTIME, "-o", files[-1]]
        run_linker([*cache, *zig, *c], "web module")
        run_linker([*zig, "wasm-ld", *OPTIONS, "-o", folder / "module.wasm", *files], "web module")
        content = (folder / "module.wasm").read_bytes()
    return WebModule(content, manifest_of(content, list(objects)))


def manifest_of(content: bytes, names: list[str]) -> Manifest:
    """Indices of the units `names`, in the order of the module's table `units`. Raises InputError for imports."""
    if needed := sorted({name for _, name in imports(content)}):
        rule = Message("calls {names}, which no host has", names=", ".join(needed))
        raise InputError.of("web module", rule, Message("let the kernels do without"))
    numbers = exported_numbers(content)
    table = unpack(f"<{len(names)}I", initial_memory(content, numbers[UNITS], 4 * len(names)))
    return Manifest(dict(zip(names, table, strict=True)), numbers[HEAP])


def table_object(symbols: list[str]) -> bytes:
    """Object file of an array `units` of pointers to functions: the linker puts each into the function table, and its
    index there into the array.
    """
    declared = "\n".join(f'declare void @"{symbol}"()' for symbol in dict.fromkeys(symbols))
    pointers = ", ".join(f'ptr @"{symbol}"' for symbol in symbols)
    head = f'target datalayout = "{machine().target_data}"\ntarget triple = "{TRIPLE}"\n'
    text = f"{head}{declared}\n@{UNITS} = global [{len(symbols)} x ptr] [{pointers}]\n"
    return bytes(machine().emit_object(binding.parse_assembly(text)))


def run_linker(words: Sequence[str | Path], place: str, environment: Mapping[str, str] | None = None) -> None:
    """Run a tool of the package `ziglang`. Raises InputError at `place` with the end of what it says."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        rule = Message("can't be linked: {reason}", reason=done.stderr.strip()[-2000:] or f"exit {done.returncode}")
        raise InputError.of(place, rule, Message("install the package ziglang: pip install ziglang"))
