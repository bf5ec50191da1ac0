"""What the processor offers that machine code is made for."""

from __future__ import annotations

from llvmlite import binding

INSTRUCTION_SETS = {"avx512": "avx512f", "avx2": "avx2"}  # the widest first, and LLVM's name of the feature


def instruction_set() -> str:
    """Name of the widest vector instructions of this processor: one of INSTRUCTION_SETS, or "other"."""
    features = binding.get_host_cpu_features()
    return next((name for name, feature in INSTRUCTION_SETS.items() if features.get(feature)), "other")
