"""Objects for memory of 32 bits, the linked module, and its manifest."""

from __future__ import annotations

from struct import pack

import pytest
import wasmtime

from polhode import InputError
from polhode.compilation import kept_file
from polhode.compilation.kept_file import KeptFile
from polhode.compilation.web_module.binary import exported_numbers, imports, initial_memory
from polhode.compilation.web_module.functions import function_table, signatures
from polhode.compilation.web_module.linking import link
from polhode.compilation.web_module.module import FILE, WebModule, kept_module, web_module
from polhode.compilation.web_module.objects import UnsuitableCode, for_32_bits, object_of
from polhode.jit.storage.code_folder import CodeFolder
from polhode.jit.storage.kept import VERSION
from polhode.jit.storage.shipped_code import ShippedCode

HEAD = 'target datalayout = "e-m:e"\ntarget triple = "x86_64-unknown-linux-gnu"\n'


def ir(body: str, declared: str = "", name: str = "f") -> str:
    """IR of a function with that body."""
    return f"{HEAD}{declared}\ndefine double @{name}(double %x, ptr %p) {{\n{body}\n}}\n"


TWICE = ir("%y = fadd double %x, %x\nret double %y")
THRICE = ir("%z = fmul double %x, 3.0\nret double %z", name="h")
SINE = ir("%y = call double @sin(double %x)\nret double %y", "declare double @sin(double)", "g")


@pytest.fixture(scope="module")
def module() -> WebModule:
    return link({"twice": ("f", object_of(TWICE, "f")), "thrice": ("h", object_of(THRICE, "h"))})


@pytest.mark.parametrize(
    ("kind", "widened"),
    [
        ("{ ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64] }", "[7 x i64]"),
        ("{ ptr, [2 x i64], double }", "[4 x i64]"),
        ("ptr", "[1 x i64]"),
        ("[3 x ptr]", "[3 x i64]"),
        ("[19 x double]", "[19 x double]"),
        ("i32", "i32"),
    ],
)
def test_pointers_on_the_stack_keep_64_bits(kind: str, widened: str) -> None:
    made = for_32_bits(ir(f"%a = alloca {kind}, align 8\nret double %x"))
    assert f"%a = alloca {widened}, align 8" in made


@pytest.mark.parametrize(
    "line",
    [
        "%a = alloca { ptr, i32 }, align 8",
        "%a = alloca { ptr, { i64, i64 } }, align 8",
        "%a = getelementptr inbounds { ptr, i64 }, ptr %p, i64 1",
        "%a = getelementptr ptr, ptr %p, i64 1",
        "%a = load { ptr, i64 }, ptr %p, align 8",
        "store { i64, ptr } zeroinitializer, ptr %p, align 8",
        "%a = load [2 x ptr], ptr %p, align 8",
    ],
)
def test_code_that_depends_on_the_size_of_pointers_is_refused(line: str) -> None:
    with pytest.raises(UnsuitableCode):
        for_32_bits(ir(f"{line}\nret double %x"))


def test_wrappers_for_python_are_left_out() -> None:
    wrapper = "define ptr @_ZN7cpythonE(ptr %p) {\n%a = load { ptr, i32 }, ptr %p, align 8\nret ptr %p\n}\n"
    assert "cpython" not in for_32_bits(HEAD + wrapper)


def test_the_manifest_names_indices_in_the_function_table(module: WebModule) -> None:
    engine = wasmtime.Engine()
    store, linker = wasmtime.Store(engine), wasmtime.Linker(engine)
    loaded = wasmtime.Module(engine, module.content)
    assert not loaded.imports
    exports = linker.instantiate(store, loaded).exports(store)
    table = exports["__indirect_function_table"]
    units = {name: table.get(store, index) for name, index in module.manifest.units.items()}
    assert units["twice"](store, 1.25, 0) == 2.5
    assert units["thrice"](store, 1.25, 0) == 3.75
    assert exports["__heap_base"].value(store) == module.manifest.memory_base
    assert module.manifest.version == FILE.version


def test_functions_of_the_table_have_the_types_of_their_arguments(module: WebModule) -> None:
    table, types = function_table(module.content), signatures(module.content)
    assert [types[table[index]] for index in module.manifest.units.values()] == ["fi", "fi"]


def test_the_reader_of_modules_agrees_with_wasmtime(module: WebModule) -> None:
    content = wasmtime.wat2wasm("""(module (import "env" "tan" (func (param f64) (result f64)))
        (import "env" "memory" (memory 1)) (global $a i32 (i32.const -70000)) (global $b i32 (i32.const 1000000))
        (export "a" (global $a)) (export "b" (global $b)) (data (i32.const 1000) "polhode"))""")
    assert imports(bytes(content)) == [("env", "tan"), ("env", "memory")]
    assert exported_numbers(bytes(content)) == {"a": -70000, "b": 1000000}
    assert initial_memory(bytes(content), 998, 12) == b"\0\0polhode\0\0\0"


def test_a_function_that_the_module_lacks_is_refused() -> None:
    with pytest.raises(InputError, match="sin"):
        link({"sine": ("g", object_of(SINE, "g"))})


def test_a_linker_that_is_missing_is_named() -> None:
    with pytest.raises(InputError, match="ziglang"):
        link({"twice": ("f", object_of(TWICE, "f"))}, python="false")


def test_a_module_is_kept_in_the_folder_of_its_version(tmp_path, module: WebModule) -> None:
    files, none = CodeFolder(tmp_path / VERSION), ShippedCode(tmp_path / "none")
    assert FILE.read(files, none, none) is None
    files.write(FILE.name, module.as_file())
    assert WebModule.of_file(FILE.read(files, none, none)) == module


def test_a_module_that_was_not_built_is_named_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KeptFile, "read", lambda self: None)
    with pytest.raises(InputError, match="web_module.build"):
        web_module()
    assert kept_module() is None


def test_a_module_of_other_sources_has_another_name(tmp_path) -> None:
    def name() -> str:
        kept_file._version.cache_clear()
        return KeptFile("web_module", "", "", (tmp_path,)).name

    (tmp_path / "units.py").write_text("1", "utf-8")
    first = name()
    assert name() == first
    (tmp_path / "runtime.c").write_text("2", "utf-8")
    assert name() != first


def test_runtime_multiplies_as_integers_do() -> None:
    """128-bit products, and views of other shapes."""
    body = "%w = mul i128 %a, %b\n"
    text = f"{HEAD}define void @m(ptr %p, ptr %q, ptr %r) {{\n%a = load i128, ptr %p\n%b = load i128, ptr %q\n{body}"
    made = link({"product": ("m", object_of(text + "store i128 %w, ptr %r\nret void\n}\n", "m"))})
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    exports = wasmtime.Instance(store, wasmtime.Module(engine, made.content), []).exports(store)
    a, b = 0xFEDCBA9876543210_0123456789ABCDEF, 0xF0E1D2C3B4A59687_78695A4B3C2D1E0F
    at = made.manifest.memory_base
    for k, number in enumerate((a, b)):
        exports["memory"].write(store, pack("<2Q", number % 2**64, number >> 64), at + 16 * k)
    exports["__indirect_function_table"].get(store, made.manifest.units["product"])(store, at, at + 16, at + 32)
    assert int.from_bytes(exports["memory"].read(store, at + 32, at + 48), "little") == a * b % 2**128
