"""Platforms for which the library is linked, and object files of kernels for them.

Code of kernels for a generic processor of 64 bits (core/polhode/jit/intermediate.py) is compiled for each of them
without fused multiply-add, which arm64 would use where two operations may be contracted: so all round alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from llvmlite import binding

from polhode.compilation.web_module.objects import TARGET, WRAPPER

MAY_BE_FUSED = re.compile(r"\b(fadd|fsub|fmul|fdiv|fneg|call|select|phi)((?: \w+)*?) contract\b")
HEAD = re.compile(r"^target (datalayout|triple) = .*$", re.M)


@dataclass(frozen=True)
class Platform:
    """A platform, by the names that FMI, LLVM and zig have for it."""

    name: str
    """Folder below `binaries` in an FMU."""
    ending: str
    """Of the file of the library."""
    triple: str
    zig: str
    processor: str = ""
    """Oldest processor that LLVM compiles for, by its name there."""

    @property
    def is_run(self) -> bool:
        """Whether the tests run the library."""
        return self.name == "x86_64-linux"


PLATFORMS = (
    Platform("x86_64-linux", ".so", "x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.17", "x86-64"),
    Platform("x86_64-windows", ".dll", "x86_64-pc-windows-gnu", "x86_64-windows-gnu", "x86-64"),
    Platform("aarch64-darwin", ".dylib", "arm64-apple-macosx11.0.0", "aarch64-macos.11.0"),
)


@cache
def machine(platform: Platform) -> Any:
    """LLVM target machine of a platform, with code that may lie at any address."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    target = binding.Target.from_triple(platform.triple)
    return target.create_target_machine(platform.processor, opt=3, reloc="pic", codemodel="small")


def object_of(text: str, symbol: str, platform: Platform) -> bytes:
    """Object file of the IR `text` of a kernel, whose function `symbol` others may refer to."""
    module = binding.parse_assembly(for_platform(text, platform))
    for function in module.functions:
        if not function.is_declaration:
            function.visibility = "hidden"
            if function.name == symbol:
                function.linkage = "external"  # of the others, which many kernels share, the linker keeps one
    return bytes(machine(platform).emit_object(module))


def for_platform(text: str, platform: Platform) -> str:
    """IR for a platform, from that of a generic processor of 64 bits."""
    text = TARGET.sub("", WRAPPER.sub("", text)).replace("= common ", "= internal ")
    heads = {"datalayout": str(machine(platform).target_data), "triple": platform.triple}
    text = HEAD.sub(lambda found: f'target {found[1]} = "{heads[found[1]]}"', text)
    while MAY_BE_FUSED.search(text):
        text = MAY_BE_FUSED.sub(r"\1\2", text)
    return text
