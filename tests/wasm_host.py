"""Runs the image of a simulation in wasmtime, by the kernels of a web module."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import wasmtime

from polhode.compilation.web_module.module import WebModule
from polhode.exporters.image.image import Image
from polhode.formulas.codegen import FormulaTemplate

PAGE = 65536
WORDS = 8  # [bytes]


@cache
def _engine() -> wasmtime.Engine:
    return wasmtime.Engine()


class Host:
    """A module in wasmtime with the image of one simulation in its memory.

    formula: the module of a form of formulas, which imports the memory of the kernels
    """

    def __init__(self, module: WebModule, image: Image, formula: Callable[[FormulaTemplate], bytes] | None = None):
        self.store, self.units, self.image = wasmtime.Store(_engine()), module.manifest.units, image
        self._linker = wasmtime.Linker(_engine())
        exports = self._instance(compiled(module.content))
        self.memory, self.table = exports["memory"], exports["__indirect_function_table"]
        self._linker.define(self.store, "env", "memory", self.memory)
        self.base = -(-module.manifest.memory_base // PAGE) * PAGE
        missing = -(-(self.base + len(image.content)) // PAGE) - self.memory.size(self.store)
        self.memory.grow(self.store, max(missing, 0))

        def index_of(form: FormulaTemplate) -> int:
            made = self._instance(wasmtime.Module(_engine(), formula(form)))
            return self.table.grow(self.store, 1, made["formulas"])

        self.memory.write(self.store, image.at(self.base, self.units.__getitem__, index_of), self.base)
        self.done = image.clock.done

    def _instance(self, module: wasmtime.Module) -> wasmtime.InstanceExports:
        """An instance, with the units that it imports."""
        for wanted in module.imports:
            if isinstance(wanted.type, wasmtime.FuncType):
                self._linker.allow_shadowing = True
                self._linker.define(self.store, "env", wanted.name, self.table.get(self.store, self.units[wanted.name]))
        return self._linker.instantiate(self.store, module).exports(self.store)

    def call(self, unit: str, *arguments: float) -> int:
        """Call a unit; returns the word that it writes as its result."""
        results = self.base + self.image.places["results"]
        status = self.table.get(self.store, self.units[unit])(self.store, results, results + WORDS, *arguments)
        assert status == 0
        return int(self.words(results, 1)[0])

    def place(self, name: str) -> int:
        """Address of a struct or an array."""
        return self.base + self.image.places[name]

    def words(self, address: int, count: int) -> np.ndarray:
        """(count,) int64 in memory."""
        return np.frombuffer(self.memory.read(self.store, address, address + WORDS * count), np.int64)

    @property
    def vector(self) -> tuple[int, ...]:
        """The state as kernels get an array: owner, parent, count, size of a number, address, shape, stride."""
        return 0, 0, self.image.size_of_state, WORDS, self.place("state"), self.image.size_of_state, WORDS

    @property
    def structs(self) -> tuple[int, int, int]:
        """Addresses of method, model and inputs."""
        return self.place("method"), self.place("model"), self.place("inputs")

    def advance(self, steps: int) -> int:
        """Take steps and place the state; returns how many were taken."""
        clock = self.image.clock
        taken = self.call(
            "polhode.run.loop:advance",
            *self.structs,
            *self.vector,
            self.place("work"),
            clock.start,
            clock.step,
            self.done,
            steps,
        )
        self.done += taken
        time = clock.start + self.done * clock.step
        self.call("polhode.engine.rates:place", *self.structs[1:], time, *self.vector, self.place("work"))
        return taken

    @property
    def state(self) -> np.ndarray:
        """(k,) the state by its bits, int64."""
        return self.words(self.place("state"), self.image.size_of_state)


@cache
def compiled(content: bytes) -> wasmtime.Module:
    """The module compiled by wasmtime."""
    return wasmtime.Module(_engine(), content)
