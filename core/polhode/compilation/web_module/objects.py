"""Object files of WebAssembly from the IR of kernels, which is that of a generic processor of 64 bits.

The words of kernel structs keep their 64 bits, of which an address uses 32, and all offsets in memory are in bytes. So
only what reserves or moves pointers by their size has another layout with 32 bits: `alloca`, whose pointers are widened
to 64 bits here, and loads, stores and offsets of types with pointers, which are refused.

WebAssembly has no fused multiply-add, and neither has the generic processor: both round alike.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from llvmlite import binding

TRIPLE = "wasm32-unknown-unknown"
# Without nontrapping-fptoint the conversion of nan to an integer ends the program, which it does on no processor.
FEATURES = "+simd128,+bulk-memory,+bulk-memory-opt,+nontrapping-fptoint,+sign-ext,+mutable-globals"

ALLOCA = re.compile(r"= alloca ([^\n]*?)(?=, align|\n)")
SCALAR = {"ptr": 1, "i64": 1, "double": 1}  # words of types that an alloca with pointers may consist of
ARRAY = re.compile(r"\[(\d+) x (\w+)\]")
OF_POINTERS = re.compile(
    r"getelementptr [\w ]*\bptr,"
    r"|(?:getelementptr [\w ]*|load |store )(?:[{<\[%][^\n]*?\bptr\b[^\n]*?[}\]]|%\w)[ ,]"
)
WRAPPER = re.compile(r'^define [^\n]*@"?_ZN7cpython.*?^\}\n', re.M | re.S)  # the function that Python calls
TARGET = re.compile(r'"(?:target-cpu|target-features|probe-stack|tune-cpu)"="[^"]*"')


class UnsuitableCode(ValueError):
    """Code of a kernel that would have another layout in memory of 32 bits."""


@cache
def machine() -> Any:
    """LLVM target machine of WebAssembly."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    return binding.Target.from_triple(TRIPLE).create_target_machine(features=FEATURES, opt=3)


def object_of(text: str, symbol: str) -> bytes:
    """Object file of the IR `text` of a kernel, whose function `symbol` others may refer to.

    Raises UnsuitableCode where the code depends on the size of pointers.
    """
    module = binding.parse_assembly(for_32_bits(text))
    for function in module.functions:
        if not function.is_declaration:
            function.visibility = "hidden"
            if function.name == symbol:
                function.linkage = "external"  # of the others, which many kernels share, the linker keeps one
    return bytes(machine().emit_object(module))


def for_32_bits(text: str) -> str:
    """IR for the target, from that of another one with 64 bits. Raises UnsuitableCode as `object_of` does."""
    text = with_target(WRAPPER.sub("", text)).replace("= common ", "= internal ")
    text = ALLOCA.sub(_widened, TARGET.sub("", text))
    if (found := OF_POINTERS.search(text)) is not None:
        line = text[text.rfind("\n", 0, found.start()) + 1 : text.find("\n", found.end())]
        raise UnsuitableCode(f"depends on the size of pointers: {line.strip()}")
    return text


def with_target(text: str) -> str:
    """IR with the layout of data and the triple of the target."""
    text = re.sub(r"^target datalayout = .*$", f'target datalayout = "{machine().target_data}"', text, flags=re.M)
    return re.sub(r"^target triple = .*$", f'target triple = "{TRIPLE}"', text, flags=re.M)


def _widened(found: re.Match[str]) -> str:
    """An alloca with pointers as one of 64-bit words; any other as it is."""
    kind, words = found[1], 0
    if "ptr" not in kind and "%" not in kind:
        return found[0]
    for member in re.findall(r"\[[^\]]*\]|[^,\s]+", kind[1:-1] if kind.startswith("{") else kind):
        array = ARRAY.fullmatch(member)
        count, scalar = (int(array[1]), array[2]) if array else (1, member)
        if scalar not in SCALAR:
            raise UnsuitableCode(f"reserves a type with pointers and others than words: {kind}")
        words += count
    return f"= alloca [{words} x i64]"
