"""The commands as a user's shell sees them: what they print where, and their exit status."""

from __future__ import annotations

import csv
import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from command_line import forked, polhode, refused
from import_path import IMPORT_PATH
from meaning import Meaning
from sampling import sampled

from polhode import verification
from polhode.scene import gallery
from polhode_app.cli.main import main

ROOT = Path(__file__).parents[3]
GOOD = """\
[[body]]
name = "bob"
orientation = { axis = [1, 0, 0], angle = 0.3 }
[[body.shape]]
kind = "sphere"
radius = 0.1
mass = 1
position = [0, 0, -1]
"""


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.toml"
    path.write_text(GOOD, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "radius = 0.1",
            "radius = -0.1",
            Meaning("good.toml: body[0].shape[0].radius", "greater", limit=0, value=-0.1),
        ),
        (
            "radius = 0.1",
            "radiu = 0.1",
            Meaning("good.toml: body[0].shape[0].radiu", "known", value=0.1, near="radius"),
        ),
        (
            '"sphere"\nradius = 0.1',
            '"mesh"\nfile = "none.stl"',
            Meaning("good.toml: body[0].shape[0].file", file="none.stl"),
        ),
        ("[0, 0, -1]", "[0, 0, -1", Meaning("good.toml: line 9, column 1", "TOML")),
        ("mass = 1", "mass = 0", Meaning("good.toml: body[0].shape", "masses", name="bob")),
    ],
)
def test_check_names_file_place_rule_value_and_remedy(good: Path, old: str, new: str, message: Meaning) -> None:
    good.write_text(GOOD.replace(old, new), encoding="utf-8")
    lines = refused("check", "good.toml", folder=good.parent).splitlines()
    assert any(message.of(line) for line in lines)


def test_check_says_ok(good: Path) -> None:
    done = polhode("check", "good.toml", folder=good.parent)
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()
    assert Meaning("good.toml", "ok", bodies=1, shapes=1, magnets=0, mass="1 kg").of(first)
    assert Meaning("", "rk4", "stable", step="0.001 s").of(second)


def test_check_knows_a_method_that_no_step_is_too_long_for(good: Path) -> None:
    good.write_text(GOOD + '[solver]\nmethod = "implicit"\ntime_step = 0.02\n', encoding="utf-8")
    done = polhode("check", "good.toml", folder=good.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert Meaning("", "implicit", "limit", step="0.02 s").of(done.stdout)


def test_check_warns_of_a_step_beyond_the_largest_stable_one(good: Path) -> None:
    good.write_text(good.read_text().replace('name = "bob"', 'name = "bob"\nfriction = 1e4'))
    done = polhode("check", "good.toml", folder=good.parent)
    assert done.returncode == 0
    assert Meaning("solver.time_step", "largest", step=0.001).of(done.stderr)


NEAR = """
[[body]]
name = "base"
support = "fixed"
position = [0, 0.3, -1.3]
shape = [{ kind = "cuboid", size = [0.2, 0.2, 0.2], mass = 1 }]
dipole = [{ moment = [0, 0, 1e-6] }]
"""


def test_check_and_run_warn_of_magnets_that_come_too_near(good: Path) -> None:
    """At the start 0.28 m apart, below it 0.42: nearer than the sizes of 0.2 m of both. Then 0.5 and more."""
    good.write_text(GOOD + "[[body.dipole]]\nposition = [0, 0, -1]\nmoment = [0, 0, 1e-6]\n" + NEAR, encoding="utf-8")
    done = polhode("check", "good.toml", folder=good.parent)
    assert done.returncode == 0
    near = Meaning("good.toml: warning: body[0] and body[1]", "magnets", time="0 s", one="bob", other="base")
    assert near.of(done.stderr)
    assert "magnets: 2" in done.stdout
    done = polhode("run", "good.toml", "--until", "3", "--out", "run.csv", folder=good.parent)
    assert (done.returncode, done.stdout) == (0, "")
    assert near.of(done.stderr)
    assert done.stderr.count("\n") == 1


def test_run_writes_the_agreed_table(good: Path) -> None:
    done = polhode("run", "good.toml", "--until", "0.5", "--every", "0.1", "--out", "run.csv", folder=good.parent)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with (good.parent / "run.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["time"]) for row in rows] == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
    assert float(rows[0]["bob.u3.z"]) == pytest.approx(0.955336489125606, rel=1e-15)  # cos 0.3
    assert float(rows[-1]["energy.total"]) == pytest.approx(float(rows[0]["energy.total"]), rel=1e-9)


def test_method_and_step_of_the_command_line_win(good: Path) -> None:
    for step, out in (("1e-3", "fine.csv"), ("0.25", "coarse.csv")):
        words = ("run", "good.toml", "--until", "1", "--every", "1", "--out", out, "--method", "rk4", "--step", step)
        assert polhode(*words, folder=good.parent).returncode == 0
    fine, coarse = ((good.parent / out).read_text().splitlines()[-1] for out in ("fine.csv", "coarse.csv"))
    assert fine != coarse


def test_a_step_is_taken_as_given_and_warned_of_where_it_is_too_long(tmp_path: Path) -> None:
    """An oscillator of w = sqrt(200) 1/s: w dt = 4.24, more than 2, multiplies verlet's amplitude by 15.9 per step."""
    done = polhode(
        *(
            "run",
            "course_1_oscillator",
            "--method",
            "verlet",
            "--step",
            "0.3",
            "--until",
            "3",
            "--out",
            "run.csv",
            "--quiet",
        ),
        folder=tmp_path,
    )
    rows, warning = done.stderr.splitlines()
    assert Meaning("", "row", every="0.3 s").of(rows)
    assert Meaning("solver.time_step", "stable", method="verlet", limit="0.141 s", growth="1.49e+03 %").of(warning)
    with (tmp_path / "run.csv").open(newline="") as file:
        swing = [float(row["ball.velocity.z"]) for row in csv.DictReader(file)]
    assert len(swing) == 11
    assert swing[-1] / swing[-2] == pytest.approx(-15.937, rel=1e-3)


def test_rows_between_the_steps_are_told(good: Path) -> None:
    words = ("run", "good.toml", "--until", "0.03", "--step", "0.004")
    (told,) = polhode(*words, "--out", "run.csv", folder=good.parent).stderr.splitlines()
    assert Meaning("", "divide", step=0.004, every=0.01).of(told)
    assert polhode(*words, "--out", "run.csv", "--every", "0.012", folder=good.parent).stderr == ""
    assert polhode(*words, "--out", "run.vtkhdf", folder=good.parent).stderr == ""  # at the nearest whole steps


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("run good.toml --out a.csv", Meaning("--until", "missing", "run")),
        ("run good.toml --until x --out a.csv", Meaning("", option="--until", value="x")),
        (
            "run good.toml --until -1 --out a.csv",
            Meaning("--until", "least", limit=0, value=-1),
        ),
        ("run good.toml --until nan --out a.csv", Meaning("--until", "finite", value="nan")),
        (
            "run good.toml --until 1 --every 0 --out a.csv",
            Meaning("--every", "greater", limit=0, value=0),
        ),
        (
            "run good.toml --until 1 --step 0.3 --every 0.1 --out a.csv",
            Meaning("--every", "shorter", every=0.1, step=0.3),
        ),
        (
            "run good.toml --until 1 --step 0 --out a.csv",
            Meaning("--step", "greater", limit=0),
        ),
        (
            "run good.toml --until 1 --method rk5 --out a.csv",
            Meaning("--method", value="'rk5'", near="rk4"),
        ),
        (
            "run good.toml --until 1 --out a.xls",
            Meaning("a.xls", "known", ending=".xls", endings=".csv or .parquet or .vtkhdf"),
        ),
        ("run good.toml --until 1 --out none/a.vtkhdf", Meaning("none/a.vtkhdf", "folder", folder="none")),
        (
            "run good.toml --until 1 --out a.vtkhdf --units",
            Meaning("--units", "tables", "files"),
        ),
        (
            "run good.toml --until 1 --out a.vtkhdf --maxima time",
            Meaning("--maxima", "tables", "recording"),
        ),
        ("run none.vtkhdf --out a.csv", Meaning("none.vtkhdf", "file")),
        ("info good.toml", Meaning("FILE", "recording", path="good.toml")),
        ("convert good.toml a.udf --at 1", Meaning("--at", "recordings", "single")),
        ("run good.toml --until 1 --out none/a.csv", Meaning("none/a.csv", "folder", folder="none")),
        ("run good.toml --until 1 --out folder.csv", Meaning("folder.csv", "folder")),
        ("run none.toml --until 1 --out a.csv", Meaning("none.toml", "file")),
        ("run heavy_to --until 1 --out a.csv", Meaning("heavy_to", near="heavy_top")),
        ("run folder.csv --until 1 --out a.csv", Meaning("folder.csv", "folder")),
        ("render good.toml --until 1 --out a.avi", Meaning("a.avi", "known", ending=".avi")),
        (
            "render good.toml --until 1 --out a.mp4 --size 12",
            Meaning("--size", "WIDTHxHEIGHT", size=12),
        ),
        ("rnu good.toml", Meaning("", name="rnu", near="run")),
        (
            "run good.toml --until 1e9 --every 1e-9 --out a.csv",
            Meaning("--every", every=1e-09, rows=1e18),
        ),
        (
            "run good.toml --until 1e308 --every 1e-300 --out a.csv",
            Meaning("--every", every=1e-300, rows="inf"),
        ),
        (f"run good.toml --until 1 --out {'a' * 300}.csv", Meaning(f"{'a' * 300}.csv", "written")),
        (f"render good.toml --until 1 --out {'a' * 300}.png", Meaning(f"{'a' * 300}.png", "written")),
        (f"check {'a' * 300}", Meaning("a" * 300, "built-in", "scene")),
        (f"check {'a' * 300}.toml", Meaning(f"{'a' * 300}.toml", "read")),
        (f"check {'a' * 300}.stl", Meaning(f"{'a' * 300}.stl", "read")),
        ("check", Meaning("", "SCENE")),
        ("check good.toml --bogus", Meaning("", "--bogus", "polhode")),
        ("inertia none.stl", Meaning("none.stl")),
        ("inertia good.toml --mass 1 --density 1", Meaning("--mass", "combined", "--density")),
    ],
)
def test_bad_words_are_refused_in_one_line(
    good: Path, words: str, message: Meaning, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (good.parent / "folder.csv").mkdir()
    monkeypatch.chdir(good.parent)
    assert main(words.split()) == 2
    printed, said = capsys.readouterr()
    assert printed == ""
    assert said.count("\n") == 1
    assert message.of(said)
    assert not (good.parent / "a.csv").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="needs /dev/full")
def test_a_full_disk_stops_the_run_with_3(good: Path) -> None:
    (good.parent / "full.csv").symlink_to("/dev/full")
    done = polhode("run", "good.toml", "--until", "1", "--out", "full.csv", folder=good.parent)
    assert done.returncode == 3
    assert Meaning("full.csv", "written").of(done.stderr)


def test_a_diverging_run_names_the_body_and_keeps_its_rows(good: Path) -> None:
    magnets = "[[body.dipole]]\nmoment = [0, 0, 1e30]\n[world]\nmagnetic_field = { value = [1e30, 0, 0] }\n"
    good.write_text(GOOD + magnets, encoding="utf-8")
    done = polhode("run", "good.toml", "--until", "1", "--out", "run.csv", folder=good.parent)
    assert done.returncode == 3
    (end,) = done.stderr.splitlines()
    assert Meaning("good.toml", "diverged", part="bob", out="run.csv").of(end)
    lines = (good.parent / "run.csv").read_text().splitlines()
    assert lines[1].startswith("0.0,")


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C can't be sent to one process there")
def test_ctrl_c_leaves_whole_rows(good: Path) -> None:
    out = good.parent / "run.csv"
    words = [sys.executable, "-m", "polhode_app", "run", "good.toml", "--until", "1e9", "--force", "--out", "run.csv"]
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH}
    # A shell that runs the tests in the background has told its children to ignore Ctrl-C.
    hear = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(
        words, cwd=good.parent, env=environment, stderr=subprocess.PIPE, text=True, preexec_fn=hear
    ) as process:
        end = time.monotonic() + 60
        while not (out.exists() and out.stat().st_size > 10_000) and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert Meaning("", "Stopped", out="run.csv").of(said.splitlines()[-1])
    assert len(said.splitlines()) == 2  # before it the size of the output
    text = out.read_text()
    assert text.endswith("\n")
    assert {line.count(",") for line in text.splitlines()} == {1 + 24 + 5 + 12 - 1}


def test_scenes_lists_names_and_titles(tmp_path: Path) -> None:
    done = polhode("scenes", folder=tmp_path)
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == gallery.scene_names()


def test_schema_is_json(tmp_path: Path) -> None:
    assert "body" in json.loads(polhode("schema", folder=tmp_path).stdout)["properties"]


def test_inertia_prints_every_digit_as_json(tmp_path: Path) -> None:
    """A tetrahedron with legs a along the axes: V = a^3/6, centre a/4, Jxx about it 3/40 m a^2 (m = rho V)."""
    (tmp_path / "corner.obj").write_text("v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    words = ("inertia", "corner.obj", "--density", "3", "--scale", "0.5", "--json")
    found = json.loads(polhode(*words, folder=tmp_path).stdout)
    assert found["volume"] == pytest.approx(1 / 6, rel=1e-14)
    assert found["mass"] == pytest.approx(0.5, rel=1e-14)
    assert found["center"] == pytest.approx([0.25] * 3, rel=1e-14)
    assert [found["inertia"][i][i] for i in range(3)] == pytest.approx([0.5 * 3 / 40] * 3, rel=1e-13)
    assert "centre of mass" in polhode("inertia", "corner.obj", folder=tmp_path).stdout


@pytest.mark.parametrize(
    "options",
    [
        ("--scale", "1e-110"),
        ("--scale", "1e110"),
        ("--density", "1e308"),
        ("--scale", "1e-100", "--mass", "1e100"),
    ],
)
def test_a_mesh_beyond_the_range_of_numbers_is_refused(
    options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    mesh = str(ROOT / "meshes" / "hammer.stl")
    assert main(["inertia", mesh, *options]) == 2
    assert capsys.readouterr().err.startswith(f"{mesh}: ")


def test_commands_that_compute_nothing_load_no_compiler_and_no_window(tmp_path: Path) -> None:
    heavy = "{'numba', 'pyvista', 'vtkmodules', 'PySide6'}"
    code = "import sys; from polhode_app.cli.main import main\n"
    code += "for word in ('scenes', 'schema', '--version'):\n"
    code += f"    main([word]); print(word, {heavy} & set(sys.modules), file=sys.stderr)"
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines() == ["scenes set()", "schema set()", "--version set()"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux can lack a screen")
@pytest.mark.parametrize("display", ["", ":4242"])  # none, and one where nobody listens
def test_a_file_needs_a_screen_or_says_so(good: Path, display: str) -> None:
    done = forked(["good.toml"], good.parent, DISPLAY=display, WAYLAND_DISPLAY="")
    assert done.returncode == 2
    assert Meaning("polhode", "screen", "render", path="good.toml").of(done.stderr)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux can lack a screen")
def test_a_window_needs_opengl_or_says_so(good: Path) -> None:
    with socket.socket(socket.AF_UNIX) as screen:  # a listener is enough for a window to be tried
        number = 10_000 + os.getpid() % 40_000  # nobody else's
        screen.bind(f"\0/tmp/.X11-unix/X{number}")
        screen.listen()
        environment = {"DISPLAY": f":{number}", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": "minimal"}
        done = polhode("good.toml", folder=good.parent, **environment)
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]  # Qt may have said something before
    assert Meaning("polhode", "OpenGL", "install").of(last)


@pytest.mark.nightly
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux can lack a screen")
def test_without_a_screen_the_default_scene_becomes_a_film_and_a_picture(tmp_path: Path) -> None:
    code = "import sys; from polhode_app.cli import commands, main; commands.FILM_TIME = 0.03; sys.exit(main.main([]))"
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH, "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert Meaning("", "No", "screen").of(done.stderr)
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "polhode.mp4").read_bytes()[4:8] == b"ftyp"
    assert (tmp_path / "polhode.png").read_bytes().startswith(b"\x89PNG")


def test_verify_prints_every_case_that_there_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With one case of each group: that all of them agree is proved case by case in tests/physics."""
    some = {group: cases[:1] for group, cases in verification.GROUPS.items()}
    for group, cases in some.items():
        monkeypatch.setitem(verification.GROUPS, group, cases)
    assert main(["verify", "--json"]) == 0
    said = capsys.readouterr()
    assert not said.err
    rows = json.loads(said.out)
    assert [(row["group"], row["case"]) for row in rows] == [
        (group, case.name) for group in some for case in some[group]
    ]
    assert all(row["passed"] and abs(row["error"]) <= row["tolerance"] for row in rows)


@pytest.mark.nightly
def test_verify_prints_every_case_and_none_is_off(tmp_path: Path) -> None:
    done = polhode("verify", "--json", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(done.stdout)
    assert len(rows) > 50
    assert all(row["passed"] and abs(row["error"]) <= row["tolerance"] for row in rows)
    assert {row["group"] for row in rows} == set(verification.GROUPS)


def test_verify_fails_where_a_case_is_off(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    right, other = verification.GROUPS["pendulums"][:2]
    wrong = replace(other, expected=1.001 * other.expected)
    gone = replace(other, name="gone", measure=lambda scene: float("nan"))
    monkeypatch.setitem(verification.GROUPS, "pendulums", (right, wrong, gone))
    for group in set(verification.GROUPS) - {"pendulums"}:
        monkeypatch.delitem(verification.GROUPS, group)
    assert main(["verify"]) == 1
    _, first, second, third, *_, last = capsys.readouterr().out.splitlines()
    assert [line.split()[-2] for line in (first, second, third)] == ["ok", "OFF", "OFF"]
    assert Meaning("", "cases", count=3, off=2).of(last)
    assert main(["verify", "--json"]) == 1
    assert [row["value"] is None for row in json.loads(capsys.readouterr().out)] == [False, False, True]


def test_inertia_of_a_scene_lists_its_bodies_and_what_overlaps(good: Path) -> None:
    second = '[[body.shape]]\nkind = "cylinder"\nradius = 0.01\nlength = 0.02\nmass = 0.1\nposition = [0, 0, -1]\n'
    good.write_text(good.read_text() + second)
    done = polhode("inertia", "good.toml", "--json", folder=good.parent)
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    (body,) = report["bodies"]
    assert [shape["kind"] for shape in body["shapes"]] == ["sphere", "cylinder"]
    assert body["mass"] == pytest.approx(1.1)
    assert body["inertia"][2][2] == pytest.approx(0.4 * 0.1**2 + 0.1 * 0.01**2 / 2)
    (warning,) = report["warnings"]
    assert Meaning("body[0].shape[1]", other="shape[0]", name="bob", volume="6.3e-06").of(warning)
    assert f"warning: {warning}" in polhode("inertia", "good.toml", folder=good.parent).stdout
    checked = polhode("check", "good.toml", folder=good.parent)
    assert (checked.returncode, checked.stderr.strip()) == (0, f"good.toml: warning: {warning}")


def test_inertia_of_a_scene_takes_no_options_of_meshes(good: Path) -> None:
    message = refused("inertia", "good.toml", "--density", "3", folder=good.parent)
    assert Meaning("--density", "meshes", "states").of(message)


def test_no_control_character_of_a_file_reaches_the_terminal(good: Path) -> None:
    name = "a\x1b[2J[b].toml"
    (good.parent / name).write_text(GOOD.replace("mass", '"m\\u001b[2Jass"'))
    message = refused("check", name, folder=good.parent)
    assert "\x1b" not in message
    assert Meaning("a\\x1b[2J[b].toml: body[0].shape[0].m\\x1b[2Jass", "known", "key").of(message)
    good.rename(good.parent / name)
    done = polhode("check", name, folder=good.parent)
    assert Meaning("a\\x1b[2J[b].toml", "ok", bodies=1).of(done.stdout)


def test_run_writes_units_beside_a_table_where_they_are_asked_for(good: Path) -> None:
    run = ("run", "good.toml", "--until", "0.1", "--out")
    assert polhode(*run, "plain.csv", folder=good.parent).returncode == 0
    assert polhode(*run, "a.csv", "--units", "--maxima", "bob.u3.x", folder=good.parent).returncode == 0
    assert not (good.parent / "plain.units.csv").exists()
    with (good.parent / "a.csv").open(newline="") as file:
        heading = next(csv.reader(file))
    with (good.parent / "a.units.csv").open(newline="") as file:
        units = dict(csv.reader(file))
    assert list(units) == ["column", *heading]
    assert (units["time"], units["bob.u3.x"], units["bob.angular_velocity.x"]) == ("s", "1", "rad/s")
    assert units["bob.u3.x.period"] == "s"


def test_run_writes_maxima_and_periods_of_a_column(tmp_path: Path) -> None:
    words = (
        "run",
        "course_2_damper",
        "--until",
        "2",
        "--every",
        "1",
        "--out",
        "out.csv",
        "--maxima",
        "ball.position.z",
    )
    assert polhode(*words, folder=tmp_path).returncode == 0
    with (tmp_path / "out.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["ball.position.z.period"] == "nan"
    w = (100 / 0.5 - 0.5**2) ** 0.5
    assert float(rows[-1]["ball.position.z.period"]) == pytest.approx(2 * 3.14159265 / w, rel=0.01)  # AB2 at 0.01 s
    refused = polhode(*words[:-1], "ball.position.zz", folder=tmp_path)
    assert refused.returncode == 2
    assert Meaning("--maxima", near="ball.position.z").of(refused.stderr)


@pytest.mark.parametrize("size", ["1e20", "1e-25"])
def test_a_mesh_too_large_or_small_for_a_scene_is_refused(tmp_path: Path, size: str) -> None:
    corners = f"v 0 0 0\nv {size} 0 0\nv 0 {size} 0\nv 0 0 {size}\n"
    (tmp_path / "corner.obj").write_text(corners + "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
    said = refused("check", "corner.obj", folder=tmp_path)
    assert Meaning("", "small", "scale").of(said)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize(
    ("output", "command"),
    sampled(
        product(
            ["> /dev/full", ">&-"],
            ["schema", "scenes", "check heavy_top", "inertia heavy_top", "--help", "--version"],
        ),
        7,
    ),
)
def test_an_output_that_cannot_be_written_ends_a_command_with_one_message(command: str, output: str) -> None:
    line = f"{sys.executable} -m polhode_app {command} {output}"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert Meaning("", "polhode", "output", "written").of(done.stderr)


def test_times_of_a_table_are_exact_multiples(tmp_path: Path) -> None:
    polhode("run", "heavy_top", "--until", "1", "--every", "0.1", "--out", "run.csv", folder=tmp_path)
    rows = (tmp_path / "run.csv").read_text().splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == [repr(k / 10) for k in range(11)]


def test_a_huge_output_needs_force(tmp_path: Path) -> None:
    for out in ("run.csv", "run.vtkhdf"):
        said = refused("run", "heavy_top", "--until", "1e8", "--out", out, folder=tmp_path)
        assert Meaning("", "GB", "--every", "--force", rows="1e+10").of(said)
        assert not (tmp_path / out).exists()


def test_a_step_below_all_times_is_refused(tmp_path: Path) -> None:
    said = refused("run", "heavy_top", "--until", "1", "--step", "5e-324", "--out", "run.csv", folder=tmp_path)
    assert Meaning("--step", "computed", value="4.94066e-324").of(said)


def test_the_limit_of_a_picture_is_named(tmp_path: Path) -> None:
    words = ["render", "heavy_top", "--until", "1", "--out", "a.png", "--size", "100000x100000"]
    assert Meaning("--size", low="2x2", high="8192x8192", size="100000x100000").of(refused(*words, folder=tmp_path))
