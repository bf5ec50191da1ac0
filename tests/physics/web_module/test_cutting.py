"""Modules cut down to some units: what these reach is left, with the same results, and everything else ends the run."""

from __future__ import annotations

from time import perf_counter

import pytest
import wasmtime

from polhode.compilation.web_module.binary import Reader, sections
from polhode.compilation.web_module.cutting import CODE, cut_to, reached_functions
from polhode.compilation.web_module.instructions import called_functions
from polhode.compilation.web_module.module import Manifest, WebModule, kept_module

CALLS = """(module (memory (export "memory") 1) (table (export "t") 8 funcref) (elem (i32.const 1) $a $b $c)
    (func $a (param f64) (result f64) (call $twice (local.get 0)))
    (func $b (param f64) (result f64) (f64.add (call $a (local.get 0)) (f64.const 1)))
    (func $c (param f64) (result f64) (f64.mul (call $large (local.get 0)) (f64.const 3)))
    (func $twice (param f64) (result f64) (f64.add (local.get 0) (local.get 0)))
    (func $large (param f64) (result f64) (f64.const 1e9)))"""
INDICES = {"a": 1, "b": 2, "c": 3}
INSTRUCTIONS = [
    "(drop (f64.const {number}))",
    "(drop (f32.const 1.6))",
    "(drop (i32.const -16)) (drop (i64.const 1152921504606846976))",
    "(block (block (block (br_table 0 1 2 0 (i32.const 1)))))",
    "(drop (select (result i32) (i32.const 1) (i32.const 2) (i32.const 0)))",
    "(drop (v128.const i32x4 0x10101010 16 0x0b0b0b0b 0x44444444))",
    "(drop (i8x16.shuffle 16 0 16 1 16 2 16 3 16 4 16 5 16 6 16 7 (v128.const i64x2 0 0) (v128.const i64x2 0 0)))",
    "(drop (f64x2.extract_lane 1 (v128.load offset=16 (i32.const 0))))",
    "(drop (f64x2.replace_lane 1 (v128.const i64x2 0 0) (f64.const 16)))",
    "(drop (v128.load64_lane offset=16 1 (i32.const 0) (v128.const i64x2 0 0)))",
    "(drop (v128.load64_zero offset=16 (i32.const 0)))",
    "(drop (f64x2.relaxed_madd (v128.const i64x2 0 0) (v128.const i64x2 0 0) (v128.const i64x2 0 0)))",
    "(drop (f64x2.mul (v128.const i64x2 0 0) (f64x2.sqrt (v128.const i64x2 0 0))))",
    "(memory.copy (i32.const 0) (i32.const 16) (i32.const 16))",
    "(memory.fill (i32.const 0) (i32.const 16) (i32.const 1))",
    "(drop (i64.trunc_sat_f64_s (f64.const 16)))",
    "(f64.store offset=16 (i32.const 16) (f64.load offset=2064 (i32.const 16)))",
    "(drop (memory.grow (memory.size)))",
    "(drop (call_indirect (type $t) (i32.const 16)))",
    "(loop (if (i32.const 0) (then (br 1)) (else (return))))",
]
"""Instructions that each are followed by other bytes, among which is the number of `call`."""


def bodies(module: bytes) -> list[bytes]:
    """Locals and instructions of each function."""
    reader = Reader(next(content for number, content in sections(module) if number == CODE))
    return [reader.take(reader.number()) for _ in range(reader.number())]


@pytest.fixture
def module() -> WebModule:
    return WebModule(bytes(wasmtime.wat2wasm(CALLS)), Manifest(INDICES, 0))


@pytest.mark.parametrize("instruction", INSTRUCTIONS)
def test_only_calls_are_taken_for_calls(instruction: str) -> None:
    others = "(func)" * 16
    text = instruction.replace("{number}", "1.2882297539194267e-231")  # whose bytes are all 0x10
    called = f"(module (type $t (func (result i32))) (memory 1) (table 1 funcref) {others} (func {text} call 3 {text}))"
    assert called_functions(bodies(bytes(wasmtime.wat2wasm(called)))[-1]) == {3}


def test_functions_that_are_reached_by_others_are_left(module: WebModule) -> None:
    assert reached_functions(bodies(module.content), [1]) == {0, 1, 3}


def test_a_cut_module_has_its_units_at_their_indices(module: WebModule) -> None:
    cut = cut_to(module, ["b"])
    store = wasmtime.Store()
    exports = wasmtime.Instance(store, wasmtime.Module(store.engine, cut.content), []).exports(store)
    table = exports["t"]
    assert cut.manifest == Manifest({"b": 2}, 0)
    assert table.get(store, 2)(store, 4.0) == 9.0
    with pytest.raises(wasmtime.Trap, match="unreachable"):
        table.get(store, 3)(store, 4.0)


def test_a_unit_that_the_module_lacks_is_an_error(module: WebModule) -> None:
    with pytest.raises(KeyError):
        cut_to(module, ["d"])


@pytest.mark.skipif(kept_module() is None, reason="no web module is built; make web-module")
def test_all_functions_of_the_kernels_are_read() -> None:
    """And a part of them is cut out in a moment."""
    module = kept_module()
    assert module is not None
    every = bodies(module.content)
    called = [called_functions(body) for body in every]
    assert max(max(each, default=0) for each in called) < len(every)
    begun = perf_counter()
    cut = cut_to(module, ["polhode.run.loop:advance", "polhode.engine.rates:place"])
    assert perf_counter() - begun < 0.5
    assert len(cut.content) < 0.2 * len(module.content)
    wasmtime.Module.validate(wasmtime.Engine(), cut.content)
