"""Architecture tests: sizes of files and functions, forbidden calls, registries, and pages (docs/adding.md)."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path
from typing import get_args

import grimp
import pytest
from sources import nodes_of

from polhode.analysis import columns
from polhode.engine import ledger
from polhode.engine.compile import build
from polhode.engine.part import Part
from polhode.engine.registry import PHYSICS, SUBJECTS
from polhode.integrators import AS_PRINTED, METHODS
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.geometry.point_in_solid import REGIONS
from polhode.physics.bodies.mass.solids import SOLIDS
from polhode.physics.bodies.shapes import MeshShape, Point, Rod, Shape
from polhode.physics.contact.corners import CORNERS
from polhode.scene import gallery
from polhode.scene.scene import Scene, Solver, ViewName
from polhode.scene.scene_file import read_scene
from polhode.scene.variants.outcome import CRITERIA, KINDS, Criterion, Kind, Outcome
from polhode.simulation.snapshot import Energy, Ledger
from polhode.sweep.measure import VALUES
from polhode.sweep.outcomes.outcome_runner import all_runs
from polhode.verification import GROUPS
from polhode_app.cli.commands import app as commands
from polhode_app.docks.maps.outcome_form import FIELDS
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.registry import RECORDS, VIEWS
from polhode_app.viewport.things.shape_surfaces import PRIMITIVES
from polhode_app.viewport.vectors.arrows import ArrowView
from polhode_app.viewport.vectors.laws import TORQUE_COLORS
from polhode_app.window.shell.actions import entries

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*ROOT.glob("core/polhode/**/*.py"), *ROOT.glob("app/polhode_app/**/*.py")])
READMES = ("README.md", "README.ja.md")
GENERATED = ("figures/", "format/", "media/", "scenes/")  # of the site: docs/site
FORBIDDEN = {"eval", "exec", "compile", "__import__"}


def names_of(sources: list[Path]) -> list[str]:
    return [source.relative_to(ROOT).as_posix() for source in sources]


def modules_in(folder: str) -> list[str]:
    return sorted(source.stem for source in (ROOT / folder).glob("*.py") if source.stem != "__init__")


def in_both(name: str) -> tuple[str, str]:
    """A page in English and in Japanese."""
    return (f"{name}.md", f"{name}.ja.md")


def code_blocks(readme: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / readme).read_text("utf-8"), re.DOTALL)


def lines_of(function: ast.FunctionDef) -> int:
    """Lines of a function below its docstring."""
    first = function.body[1] if ast.get_docstring(function) and len(function.body) > 1 else function.body[0]
    return function.end_lineno - first.lineno + 1


def offenders(found: Callable[[Path], Iterable[str]]) -> list[str]:
    """Findings of a check in all sources, each with its file."""
    assert len(SOURCES) > 100
    return [
        f"{name}: {each}" for name, source in zip(names_of(SOURCES), SOURCES, strict=True) for each in found(source)
    ]


def test_files_and_functions_fit_on_a_few_screens():
    def too_long(source: Path) -> Iterator[str]:
        if (lines := len(source.read_text("utf-8").splitlines())) > 400:
            yield f"{lines} lines"
        functions = [node for node in nodes_of(source) if isinstance(node, ast.FunctionDef)]
        yield from (f"{each.name} has {lines_of(each)} lines" for each in functions if lines_of(each) > 45)

    assert offenders(too_long) == []


FEWEST, MOST = 4, 20  # modules of a folder, __init__ included
OTHER_SIZES = {
    "app/polhode_app/docks/modes": "one dock: its table and its controls",
}
"""Folders with more or fewer modules, each with its reason. A subject of physics may have three."""


def test_folders_hold_a_few_files():
    counts = Counter(source.parent.relative_to(ROOT).as_posix() for source in SOURCES)
    counts -= Counter(dict.fromkeys(counts, 1))  # without __init__
    inner = {parent.as_posix() for folder in counts for parent in Path(folder).parents}
    few = {name for name, count in counts.items() if count + 1 < FEWEST and name not in inner}
    few -= {name for name, count in counts.items() if name.startswith("core/polhode/physics/") and count == 2}
    assert len(counts) > 50
    assert few | {name for name, count in counts.items() if count + 1 > MOST} == {*OTHER_SIZES}
    assert len([name for name in OTHER_SIZES if name in few]) <= 6


def test_no_files_import_each_other_in_a_circle():
    """Imports of types below `if TYPE_CHECKING` count as well."""
    graph = grimp.build_graph("polhode", "polhode_app", exclude_type_checking_imports=False, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert any(imports.values())
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the circle


def test_nothing_is_executed_from_data():
    def executed(source: Path) -> list[str]:
        calls = [node.func for node in nodes_of(source) if isinstance(node, ast.Call)]
        return [call.id for call in calls if isinstance(call, ast.Name) and call.id in FORBIDDEN]

    assert offenders(executed) == []


def test_data_classes_with_arrays_are_compared_by_identity():
    """Their generated __eq__ would ask for the truth value of an array and raise ValueError."""

    def compared(source: Path) -> list[str]:
        classes = [node for node in nodes_of(source) if isinstance(node, ast.ClassDef)]
        return [each.name for each in classes if any(map(holds_an_array, each.body)) and not by_identity(each)]

    assert offenders(compared) == []


def by_identity(node: ast.ClassDef) -> bool:
    """Whether a class is no data class, or one with eq=False."""
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    return all("eq=False" in text for text in decorators if text.startswith("dataclass"))


def holds_an_array(node: ast.stmt) -> bool:
    """Whether a statement of a class declares a field that is or contains an array."""
    return isinstance(node, ast.AnnAssign) and "ndarray" in ast.unparse(node.annotation)


def test_reading_a_scene_loads_no_compiler_and_no_window():
    program = "import sys; from polhode import read_scene; read_scene(sys.argv[1]); print(*sys.modules)"
    scene = gallery.path(gallery.scene_names()[0])
    command = [sys.executable, "-c", program, str(scene)]
    loaded = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"numba", "scipy", "PySide6", "vtkmodules"} & set(loaded.stdout.split())


def test_every_subject_is_registered():
    files = sorted((ROOT / "core/polhode/physics").rglob("part.py"))
    parts = [import_module(".".join(file.relative_to(ROOT / "core").with_suffix("").parts)) for file in files]
    made = {id(value) for module in parts for value in vars(module).values() if isinstance(value, Part)}
    assert len(parts) > 1
    assert made == {id(part) for part in PHYSICS}, "a part has no line in PHYSICS of core/polhode/engine/registry.py"


def test_every_law_acts_once():
    named = [name for part in SUBJECTS for name in part.laws]
    assert len(named) == len(set(named))


def test_every_law_that_is_shown_has_a_colour():
    shown = {name for part in SUBJECTS for name in (part.laws if part.shown is None else part.shown)}
    assert shown == {*TORQUE_COLORS}, (
        "a law has no colour in app/polhode_app/viewport/vectors/forces.py or torques.py, or a colour no law"
    )


def test_every_subject_with_columns_stands_in_the_table():
    files = {file.parent.name for file in ROOT.glob("core/polhode/physics/*/columns.py")}
    named = {module.__name__.split(".")[-2] for module in columns.SUBJECTS}
    assert named == files, "a columns.py has no line in SUBJECTS of core/polhode/analysis/columns.py"
    assert sum(bool(part.observe) for part in SUBJECTS) == len(files), "a subject writes columns that have no names"


def test_every_energy_and_every_line_of_the_ledger_has_its_field():
    named = [name for name in vars(ledger) if name.isupper()]
    parts = [name.lower() for name in named if not name.endswith(("SIZE", "ENERGIES"))]
    assert parts == [part.name for made in (Ledger, Energy) for part in fields(made)]


def test_every_integration_method_stands_in_the_table_and_in_the_scene():
    methods = {
        import_module(f"polhode.integrators.{name}")
        for name in modules_in("core/polhode/integrators")
        if hasattr(import_module(f"polhode.integrators.{name}"), "NAME")
    }
    assert methods == {*METHODS.values(), *AS_PRINTED.values()}, "a method has no line in METHODS"
    assert set(get_args(Solver.model_fields["method"].annotation)) == {*METHODS, *AS_PRINTED}


def test_every_outcome_of_a_sweep_has_its_row_and_runs():
    assert (set(get_args(Kind)), set(get_args(Criterion))) == (set(KINDS), set(CRITERIA))
    rows = {**KINDS, **CRITERIA}
    from_ends = {*VALUES, "attractor", "rests", "near"}
    assert {name for name, row in rows.items() if not row.module} == from_ends
    assert len(all_runs()) == len(rows) - len(from_ends)
    assert {field for row in rows.values() for field in row.fields} == {*Outcome.model_fields} - {"kind"} == {*FIELDS}


def test_every_analytic_case_is_run():
    sources = names_of([*ROOT.glob("core/polhode/verification/**/*.py")])
    modules = [
        import_module(name.removeprefix("core/").removesuffix(".py").replace("/", "."))
        for name in sources
        if "__init__" not in name
    ]
    made = [module.CASES for module in modules if hasattr(module, "CASES")]
    assert len(made) > 1
    assert all(cases in GROUPS.values() for cases in made), "a file of cases has no line in GROUPS"


def test_every_shape_stands_in_the_tables_of_shapes():
    union, *_ = get_args(Shape)
    solids = set(get_args(union)) - {MeshShape}
    assert solids == set(SOLIDS), "a shape has no line in SOLIDS of core/polhode/physics/bodies/mass/solids.py"
    assert solids - {Rod, Point} == set(REGIONS), (
        "a shape has no line in REGIONS of core/polhode/physics/bodies/geometry/point_in_solid.py"
    )
    assert solids == set(CORNERS), "a shape has no line in CORNERS of core/polhode/physics/contact/corners.py"
    kinds = {get_args(shape.model_fields["kind"].annotation)[0] for shape in solids}
    assert kinds == set(PRIMITIVES), (
        "a shape has no line in PRIMITIVES of app/polhode_app/viewport/things/shape_surfaces.py"
    )


def concrete(kind: type) -> set[type]:
    """The classes that derive from a class and from which no others do."""
    kinds = kind.__subclasses__()
    return set().union(*map(concrete, kinds)) if kinds else {kind}


def test_every_view_stands_in_the_table():
    makers = {record.make for record in VIEWS.values()}
    assert {kind.__name__ for kind in concrete(ViewBase) if kind not in {*makers, ArrowView}} == set()
    assert {name for record in RECORDS for name in (record.watches, record.instead_of)} <= {"", *VIEWS}
    assert len(VIEWS) == len(RECORDS)  # no name twice


def test_a_scene_may_ask_for_every_view():
    assert get_args(ViewName) == tuple(VIEWS), (
        "a view is missing in ViewName of core/polhode/scene/display/view.py, or out of order"
    )


def test_every_benchmark_stands_in_its_table():
    listed = (ROOT / "benchmarks/README.md").read_text("utf-8")
    cases = [case.name for case in (ROOT / "benchmarks").glob("*.py") if "__main__" in case.read_text("utf-8")]
    assert cases
    assert [case for case in cases if f"`{case}`" not in listed] == []


def test_pages_name_files_that_exist():
    pages = [*READMES, "CONTRIBUTING.md", "SECURITY.md", *names_of(sorted((ROOT / "docs").glob("*.md")))]
    assert [f"{page}: {name}" for page in pages for name in missing_files(page)] == []


FILE = re.compile(r"`((?:app|core|tests|scenes|meshes|benchmarks|docs)/[\w./]*)`")  # of the repository, in a page


def test_both_languages_of_a_page_name_the_same_files():
    """The site has a page for each named file in both languages, and one leads to the other."""
    pages = [path.relative_to(ROOT).as_posix().removesuffix(".ja.md") for path in (ROOT / "docs").glob("*.ja.md")]
    assert len(pages) > 30
    for english, japanese in map(in_both, pages):
        names = [{*FILE.findall((ROOT / page).read_text("utf-8"))} for page in (english, japanese)]
        assert names[0] == names[1], english


def missing_files(page: str) -> list[str]:
    """Files that a page links or names and that do not exist."""
    text = (ROOT / page).read_text("utf-8")
    linked = re.findall(r"\]\((?!http)([^)#]+)\)", text)
    named = FILE.findall(text)
    linked = [name for name in linked if not (page.startswith("docs/") and name.startswith(GENERATED))]
    missing = [name for name in linked if not (ROOT / page).parent.joinpath(name).exists()]
    return missing + [name for name in named if not re.search("NAME|SUBJECT", name) and not (ROOT / name).exists()]


@pytest.mark.parametrize("page", in_both("docs/scene_file"))
def test_the_scene_of_the_page_on_scene_files_is_sound(page: str):
    text = "".join(code_blocks(page, "toml"))  # the first is a whole scene, the others add to it
    scene = Scene.model_validate(tomllib.loads(text)).in_folder(ROOT)
    assert len(build(scene, Meshes()).properties) == 18  # two bodies, fifteen spheres and a bead


def test_both_pages_on_the_library_have_the_same_programs():
    """But for comments."""
    first, second = (
        [ast.dump(ast.parse(each)) for each in code_blocks(page, "python")] for page in in_both("docs/library")
    )
    assert first == second


def test_the_programs_of_the_page_on_the_library_run(tmp_path: Path):
    for name in ("scenes", "meshes", "measurements"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("pictures"))
    program = "\n".join(code_blocks("docs/library.md", "python"))
    environment = {**os.environ, "MPLBACKEND": "agg"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert len(lines) > 100
    assert "(201,) (201, 3)" in lines
    assert "(201, 42)" in lines
    assert "(101, 20, 3)" in lines
    assert any(line.endswith(" False") for line in lines)
    assert float(lines[-1]) < -1e-6  # [J] work of a function that brakes
    assert (tmp_path / "top.png").stat().st_size > 10_000


@pytest.mark.parametrize("page", in_both("docs/commands"))
def test_the_page_on_commands_names_every_command(page: str):
    listed = set(re.findall(r"^\| `polhode (\w+)", (ROOT / page).read_text("utf-8"), re.MULTILINE))
    assert listed == {name for name in commands if name.isalpha()}


@pytest.mark.parametrize("page", in_both("docs/keys"))
def test_the_page_on_keys_names_all_keys(page: str):
    keys = {key for entry in entries() for key in entry.keys}
    form = r"Ctrl\+(?:Shift\+)?(?:F\d+|[A-Z](?![a-z]))|F\d+"
    listed = set(re.findall(form, (ROOT / page).read_text("utf-8")))
    assert listed == {key for key in keys if re.fullmatch(form, key)}


@pytest.mark.parametrize("name", ["README", "docs/install", "docs/keys", "docs/commands", "docs/films"])
def test_both_languages_give_the_same_commands_and_tables(name: str):
    texts = [(ROOT / page).read_text("utf-8") for page in in_both(name)]
    blocks = [re.findall(r"^ {4}(\S.*?)(?:  .*)?$", text, re.MULTILINE) for text in texts]
    assert blocks[0] == blocks[1]
    assert texts[0].count("\n|") == texts[1].count("\n|")


def test_every_scene_of_the_gallery_has_a_title_and_a_description():
    for name in gallery.scene_names():
        scene = read_scene(gallery.path(name))
        assert scene.title, name
        assert scene.description, name
