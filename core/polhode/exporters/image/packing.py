"""Makes the image of a simulation: finds its arrays and addresses by the annotations of kernel structs.

Arrays that overlap, as views of one array do, stay together. Each group of them begins at a multiple of ALIGNMENT, in
the order in which the structs name them: so two images of scenes with equal shapes have the same layout.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.array_utils import byte_bounds

from polhode.engine.registry import SUBJECTS
from polhode.engine.work import hook_types, hooks_of
from polhode.exporters.image.image import ALIGNMENT, WORD, Image, MemberPlace
from polhode.formulas.codegen import FormulaTemplate, form_at
from polhode.jit.kernel_struct import KernelStruct
from polhode.jit.work_sharing import make_work_sharing
from polhode.run.units import Unit, unit_of_events, unit_of_method, units_of_states
from polhode.simulation.batches.stepping import Structs
from polhode.simulation.simulation import Simulation

LEAST, MOST = 2**20, 2**48  # addresses of a process; floats of usual size have larger words
RESULTS = 64  # [bytes] at `results`


class Member(NamedTuple):
    """A member of a struct or of one within it, other than a struct."""

    path: str
    word: int  # index of its first word
    value: Any
    is_address: bool


class UnknownCode(ValueError):
    """A member has the address of code that belongs to this process alone."""

    def __init__(self, path: str):
        super().__init__(path)
        self.path = path


def image_of(simulation: Simulation, **further: KernelStruct) -> Image:
    """The image of a simulation, from which its run continues, and of further structs by their names.

    Raises UnknownCode; see `problems_of`.
    """
    packing = _Packing(simulation.structs, further)
    packing.add_code(_names_of_code(simulation))
    return packing.image(simulation.compiled.data_end.time)


def members_of(struct: KernelStruct, path: str, word: int = 0) -> Iterator[Member]:
    """All members of a struct, in order."""
    addresses = struct.address_members()
    for name, value in struct.members.items():
        inner = f"{path}.{name}"
        if isinstance(value, KernelStruct):
            yield from members_of(value, inner, word)
            word += len(value.as_int64)
        else:
            yield Member(inner, word, value, name in addresses)
            word += 1 + 2 * value.ndim if isinstance(value, np.ndarray) else 1


def _names_of_code(simulation: Simulation) -> dict[int, str]:
    """Names of the units that a simulation calls by address, by these addresses."""
    structs, compiled = simulation.structs, simulation.compiled
    kinds = hook_types(structs.model, structs.inputs, structs.work)
    found = hooks_of(structs.model, structs.inputs).values()
    units = [Unit(hook.native, kinds) for hooks in found for _, hook in hooks]
    units += [unit_of_method(compiled.scene.solver.method), *units_of_states()]
    if any(part.switches(structs.model) for part in SUBJECTS):
        units.append(unit_of_events())
    return {unit.kernel.address(unit.kinds): unit.name for unit in units}


class _Packing:
    """The layout of the block of a simulation."""

    def __init__(self, structs: Structs, further: Mapping[str, KernelStruct]):
        self.structs: dict[str, KernelStruct] = {
            name: struct for name, struct in structs._asdict().items() if isinstance(struct, KernelStruct)
        }
        self.structs |= further
        self.state, self.clock = structs.state, structs.clock
        self.program, self.sharing = structs.work.program, structs.work.work_sharing
        self.members = {name: list(members_of(struct, name)) for name, struct in self.structs.items()}
        self.units: dict[str, list[int]] = {}
        self.formulas: dict[FormulaTemplate, list[int]] = {}
        self.names: Mapping[int, str] = {}
        self.places: dict[str, int] = {}
        at = 0
        for name, struct in self.structs.items():
            self.places[name] = at
            at = aligned(at + struct.as_int64.nbytes)
        self.places["results"] = at
        at += RESULTS
        arrays = [each.value for of in self.members.values() for each in of if isinstance(each.value, np.ndarray)]
        self.blocks = _blocks([*arrays, self.state])
        self.begins = []
        for first, last in self.blocks:
            self.begins.append(at)
            at = aligned(at + last - first)
        self.size = at
        self._firsts = np.array([first for first, _ in self.blocks])
        self._order = np.argsort(self._firsts)
        self.places["state"] = self.offset_of(self.state)

    def offset_of(self, array: np.ndarray) -> int:
        """Offset [bytes] of the data of an array (n, ...) that is not empty."""
        address = array.ctypes.data
        k = self._order[np.searchsorted(self._firsts, address, side="right", sorter=self._order) - 1]
        return self.begins[k] + address - self.blocks[k][0]

    def add_code(self, names: Mapping[int, str]) -> None:
        """Find all words that are addresses of code; those of units by `names`. Raises UnknownCode."""
        self.names = names
        for struct, members in self.members.items():
            for member in members:
                if not member.is_address:
                    continue
                if isinstance(member.value, np.ndarray):
                    of_hooks = member.value is self.program.address
                    count = self.program.first[-1] if of_hooks else len(member.value)
                    begin = self.offset_of(member.value) if len(member.value) else 0
                    addresses = member.value[:count].tolist()
                else:
                    begin, addresses = self.places[struct] + member.word * WORD.itemsize, [member.value]
                for k, address in enumerate(addresses):
                    self._add_word(member.path, address, begin + k * WORD.itemsize)

    def _add_word(self, path: str, address: int, offset: int) -> None:
        """Note a word that is the address of code, or 0."""
        if address == 0:
            return
        form = form_at(address)
        if form is not None:
            self.formulas.setdefault(form, []).append(offset)
        elif address in self.names:
            self.units.setdefault(self.names[address], []).append(offset)
        else:
            raise UnknownCode(path)

    def image(self, end: float) -> Image:
        """The image, after `add_code`."""
        content = bytearray(self.size)
        for (first, last), begin in zip(self.blocks, self.begins, strict=True):
            content[begin : begin + last - first] = ctypes.string_at(first, last - first)
        pointers = []
        for name, struct in self.structs.items():
            words, at = struct.as_int64.astype(WORD), self.places[name]
            for member in self.members[name]:
                if isinstance(member.value, np.ndarray):
                    words[member.word] = self.offset_of(member.value) if member.value.size else 0
                    pointers += [at + member.word * WORD.itemsize] if member.value.size else []
            content[at : at + words.nbytes] = words.tobytes()
        whole = np.frombuffer(content, WORD)
        for offsets in (*self.units.values(), *self.formulas.values()):
            whole[np.array(offsets) // WORD.itemsize] = 0
        self._put(content, self.program.address[self.program.first[-1] :], 0)
        self._put(content, self.sharing, make_work_sharing())  # a helper thread leaves addresses of arrays there
        self._check(whole)
        units = {name: tuple(offsets) for name, offsets in self.units.items()}
        formulas = {form: tuple(offsets) for form, offsets in self.formulas.items()}
        places, count = self.places, len(self.state)
        to, members = np.array(pointers, WORD), self.member_places()
        return Image(bytes(content), places, members, to, units, formulas, count, self.clock, end)

    def member_places(self) -> dict[str, MemberPlace]:
        """Places of all members by their path."""
        found = {}
        for name, members in self.members.items():
            for path, word, value, _ in members:
                if isinstance(value, np.ndarray):
                    offset = self.offset_of(value) if value.size else 0
                    found[path] = MemberPlace(offset, value.shape, value.strides, _name(value.dtype))
                else:
                    kind = _name(np.asarray(value).dtype)
                    found[path] = MemberPlace(self.places[name] + word * WORD.itemsize, (), (), kind)
        return found

    def _check(self, words: np.ndarray) -> None:
        """Raise UnknownCode where an address of code is left: its member lacks the annotation Address or Addresses."""
        for word in np.unique(words[(words >= LEAST) & (words < MOST)]).tolist():
            if word in self.names or form_at(word) is not None:
                raise UnknownCode(self.names.get(word, "formulas"))

    def _put(self, content: bytearray, array: np.ndarray, values: np.ndarray | int) -> None:
        """Write other values of an array into the block."""
        if array.size:
            np.frombuffer(content, array.dtype, array.size, self.offset_of(array))[:] = values


@cache
def _name(kind: np.dtype[Any]) -> str:
    """Name of a type; numpy makes it at each call, which would be a tenth of the time of a lesson's page."""
    return kind.name


def aligned(size: int) -> int:
    """The next multiple of ALIGNMENT."""
    return -(-size // ALIGNMENT) * ALIGNMENT


def _blocks(arrays: list[np.ndarray]) -> list[tuple[int, int]]:
    """First address and that behind the end of each group of overlapping arrays, in the order of their first arrays."""
    spans = [byte_bounds(array) for array in arrays if array.size]
    groups: list[list[int]] = []  # first address, end, number of the first array
    for first, last, number in sorted((first, last, number) for number, (first, last) in enumerate(spans)):
        if groups and first < groups[-1][1]:
            groups[-1][1:] = max(last, groups[-1][1]), min(number, groups[-1][2])
        else:
            groups.append([first, last, number])
    return [(first, last) for first, last, _ in sorted(groups, key=lambda group: group[2])]
