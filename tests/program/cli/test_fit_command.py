"""`polhode fit`: values, report and scene from a table of a run, and refusals."""

from __future__ import annotations

import itertools
import json
import re
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from made_data import FALL, PENDULUM, write_swing
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import PdfPages
from meaning import Meaning
from sampling import sampled

from polhode.scene.scene_file import read_scene
from polhode_app.cli.main import main
from polhode_app.data.measured.content import ReportTable
from polhode_app.data.measured.pdf_pages import PdfFlow

SCENE = """
[solver]
time_step = 0.005
[[body]]
name = "bob"
support = "pivot"
friction = 0.003
orientation = { axis = [0.0, 1.0, 0.0], angle = 0.1 }
[[body.shape]]
kind = "sphere"
radius = 0.03
mass = 0.2
position = [0.0, 0.0, -0.5]
"""
QUANTITY = "bob.angular_velocity.y"


def files(folder: Path) -> list[str]:
    """Arguments of a fit to a run of the scene with another friction."""
    (folder / "a.toml").write_text(SCENE)
    (folder / "b.toml").write_text(SCENE.replace("0.003", "0.002"))
    assert main(["run", str(folder / "b.toml"), "--until", "1", "--out", str(folder / "run.csv"), "--units"]) == 0
    return ["fit", str(folder / "a.toml"), "--data", str(folder / "run.csv"), "--map", f"{QUANTITY}={QUANTITY}"]


def test_a_stiffness_that_is_left_out_is_found(tmp_path, capsys):
    """0.2 kg of 0.1 m: k = m g/(0.002 s) = 9806.65 N/m."""
    (tmp_path / "a.toml").write_text(FALL)
    (tmp_path / "b.toml").write_text(FALL.replace("damping", "stiffness = 8000.0\ndamping"))
    data, out, column = tmp_path / "run.csv", tmp_path / "o.toml", "ball.position.z"
    assert main(["run", str(tmp_path / "b.toml"), "--until", "0.2", "--out", str(data), "--units"]) == 0
    arguments = ["--data", str(data), "--map", f"{column}={column}", "--free", "wall[0].stiffness", "--out", str(out)]
    capsys.readouterr()
    assert main(["fit", str(tmp_path / "a.toml"), *arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unknowns"][0]["value"] == pytest.approx(8000.0, rel=1e-4)
    assert read_scene(out).wall[0].stiffness == pytest.approx(8000.0, rel=1e-4)
    second = FALL[FALL.index("[[body]]") :].replace("ball", "other").replace("0.2 }", "0.8 }").replace("[0.0,", "[1.0,")
    (tmp_path / "a.toml").write_text(FALL + second)
    assert main(["fit", str(tmp_path / "a.toml"), *arguments]) == 2
    said = capsys.readouterr().err
    assert Meaning("--free", "stiffnesses", name="wall[0].stiffness").of(said)
    assert "such as wall[0].stiffness = " in said


@pytest.mark.parametrize(("language", "heading"), sampled([("en", "95 % interval"), ("ja", "<h2>")], 2))
def test_the_friction_of_a_run_is_found(tmp_path, capsys, monkeypatch, language, heading):
    monkeypatch.setenv("POLHODE_LANGUAGE", language)
    out, report = tmp_path / "o.toml", tmp_path / "o.html"
    more = ["--free", "body[0].friction", "--json", "--out", str(out), "--report", str(report)]
    arguments = files(tmp_path) + more
    capsys.readouterr()
    assert main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["unknowns"][0]["value"] == pytest.approx(0.002, rel=1e-6)
    assert np.isclose(read_scene(out).body[0].friction, 0.002, rtol=1e-6)
    page = report.read_text("utf-8")
    assert heading in page
    assert f'lang="{language}"' in page
    assert page.count("data:image/png;base64,") == 1
    assert "http" not in page.replace("data:image", "").split("<pre>")[0]


@pytest.mark.parametrize(
    ("quantity", "of_angle"),
    [
        ("bob.angle", lambda angle: angle),
        ("bob.point[0, 0, -0.5].along[-3, 0, 0]", lambda angle: 0.5 * np.sin(angle)),
        ("field[0, 0, -0.6].x", lambda _angle: 2e-5 + 0.0 * _angle),
    ],
)
def test_quantities_that_are_no_columns_are_named_as_in_documents(tmp_path, capsys, quantity, of_angle):
    """Small swings of a sphere without friction, a = 0.1 cos(w t): the period is longer by 6e-4."""
    field = "[world]\nmagnetic_field = { value = [2.1e-5, 0, 0] }\n"
    (tmp_path / "a.toml").write_text(field + SCENE.replace("0.003", "0.0"))
    times = np.linspace(0.0, 0.5, 51)
    frequency = np.sqrt(9.80665 * 0.5 / (0.25 + 0.4 * 0.03**2))
    angle = 0.1 * np.cos(frequency * times)
    np.savetxt(tmp_path / "d.csv", np.stack([times, of_angle(angle)], axis=1), "%.12g", ",", header="t,q", comments="")
    free = "world.magnetic_field.value[0]" if quantity.startswith("field") else "world.gravity[2]"
    arguments = ["fit", str(tmp_path / "a.toml"), "--data", str(tmp_path / "d.csv"), "--map", f"q={quantity}"]
    assert main([*arguments, "--free", free, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["unknowns"][0]["value"]
    assert found == pytest.approx(2e-5 if quantity.startswith("field") else -9.80665, rel=2e-3)


@pytest.mark.parametrize("language", sampled(["ja", "en"], 2))
def test_a_report_is_written_as_pdf(tmp_path, monkeypatch, language):
    """One page at least, with the font that has all letters, and the numbers of the scene in the text."""
    monkeypatch.setenv("POLHODE_LANGUAGE", language)
    report = tmp_path / "o.pdf"
    assert main([*files(tmp_path), "--free", "body[0].friction", "--report", str(report)]) == 0
    content = report.read_bytes()
    assert content.startswith(b"%PDF")
    assert content.rstrip().endswith(b"%%EOF")
    assert b"/Type /Page" in content
    assert b"DejaVuSans" in content or b"Polhode" in content


def test_a_report_has_the_names_and_units_of_the_window(tmp_path):
    """Readings with errors of 0.01 rad/s: the digits of the values follow from the intervals."""
    arguments, report = files(tmp_path), tmp_path / "o.html"
    head, *lines = (tmp_path / "run.csv").read_text("utf-8").splitlines()
    errors = np.random.default_rng(0).normal(0.0, 0.01, len(lines))
    at = head.split(",").index(next(name for name in head.split(",") if name.startswith(QUANTITY)))
    for k, line in enumerate(lines):
        cells = line.split(",")
        cells[at] = str(float(cells[at]) + errors[k])
        lines[k] = ",".join(cells)
    (tmp_path / "run.csv").write_text("\n".join([head, *lines]))
    free = ["--free", "body[0].friction", "--free", "world.gravity[2]", "--hold-out", "0.2"]
    assert main([*arguments, *free, "--report", str(report)]) == 0
    page, listing = report.read_text("utf-8").split("<pre>")
    assert "body[0].friction" not in page
    assert "friction" in listing
    rows = [re.findall("<td>(.*?)</td>", row) for row in re.findall("<tr>(.*?)</tr>", page)]
    facts = {row[0]: row[1] for row in rows if len(row) == 2}
    assert facts["Date"].startswith(str(datetime.now().astimezone().date()))
    assert facts["Data"] == str(tmp_path / "run.csv")
    assert facts["Integration"] == "Runge-Kutta 4, 5 ms"
    assert re.findall(r"\d+", facts["Fitted"])[:3] == ["1", "81", "101"]
    found = {row[0]: row[1:] for row in rows if len(row) == 5}
    value, half, interval, start = found["World: gravity z"]
    assert value.endswith(" m/s²")
    assert start == "-9.80665 m/s²"
    number = value.split()[0]
    assert len(number.partition(".")[2]) == len(half.partition(".")[2]) == 3  # two digits of 0.06
    ends = [float(end) for end in interval.split()[:3:2]]
    assert ends == pytest.approx([float(number) - float(half), float(number) + float(half)], abs=0.0011)
    assert [QUANTITY, "bob: angular velocity y", "rad/s"] in rows  # the column, and what it measures
    assert ["(1) bob: friction", "+1.000"] == next(row for row in rows if row and row[0].startswith("(1)"))[:2]


def test_heads_of_tables_do_not_overlap(tmp_path):
    """In a table that is wider than the paper with letters of the usual size."""
    heads = ("Column", *(f"A long heading {k}" for k in range(9)))
    table = ReportTable(heads, (tuple(map(str, range(10))),))
    with PdfPages(tmp_path / "o.pdf") as pages:
        flow = PdfFlow(pages, "")
        flow.table(table)
        figure, drawn = flow._figure, {text.get_text(): text for text in flow._figure.texts}
        renderer = FigureCanvasAgg(figure).get_renderer()
        boxes = [drawn[head].get_window_extent(renderer) for head in heads]
        flow.close()
    for one, other in itertools.pairwise(boxes):
        assert one.x1 < other.x0
    assert boxes[-1].x1 <= figure.bbox.width


def test_numbers_of_the_data_are_stated_and_freed(tmp_path, capsys):
    arguments = [*files(tmp_path), "--json", "--state", "data.time_offset=0.0"]
    capsys.readouterr()
    assert main([*arguments, "--free", "body[0].friction", "--free", f"data.{QUANTITY}.scale"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["value"] for each in told["unknowns"]] == pytest.approx([0.002, 1.0], rel=1e-6)


def test_a_film_without_times_in_pixels_is_fitted_with_a_free_scale(tmp_path, capsys):
    """200 rows per second, 1500 pixels for 1 rad/s: the rate gives the times, and the scale is found."""
    arguments = files(tmp_path)
    rows = [line.split(",") for line in (tmp_path / "run.csv").read_text().splitlines()]
    at = next(k for k, heading in enumerate(rows[0]) if heading.startswith(QUANTITY))
    values = [1500.0 * float(row[at]) for row in rows[1:]]
    (tmp_path / "film.csv").write_text("spot (px),row\n" + "".join(f"{v!r},{k}\n" for k, v in enumerate(values)))
    rate = (len(values) - 1) / float(rows[-1][0])
    capsys.readouterr()
    film = [*arguments[:2], "--data", str(tmp_path / "film.csv"), "--map", f"spot={QUANTITY}", "--json"]
    free = ["--free", "body[0].friction", "--free", "data.spot.scale"]
    assert main([*film, *free, "--rate", f"{rate:g}"]) == 0
    friction, scale = (each["value"] for each in json.loads(capsys.readouterr().out)["unknowns"])
    assert (friction, scale) == pytest.approx((0.002, 1 / 1500), rel=1e-4)


NOISY = ("--map", "w=" + QUANTITY, "--free", "body[0].friction", "--free", "world.gravity[2]")


def noisy(folder: Path) -> list[str]:
    """Arguments of a fit to a swing with noise."""
    write_swing(folder / "swing.csv", noise=0.05)
    (folder / "p.toml").write_text(PENDULUM.format(gravity=9.7, friction=0.003, angle=1.2))
    return ["fit", str(folder / "p.toml"), "--data", str(folder / "swing.csv"), *NOISY]


@pytest.mark.nightly
@pytest.mark.parametrize("ending", sampled([".html", ".pdf"], 2))
def test_profiles_are_printed_and_drawn(tmp_path, capsys, ending):
    report = tmp_path / f"o{ending}"
    arguments = [*noisy(tmp_path), "--profile", "world.gravity[2]", "--profile", "body[0].friction"]
    assert main([*arguments, "--report", str(report)]) == 0
    lines = capsys.readouterr().out.splitlines()
    heads = [k for k, line in enumerate(lines) if line.startswith("profile of ")]
    assert len(heads) == 2
    table = np.array([line.split() for line in lines[heads[0] + 1 : heads[1]]], dtype=float)
    assert table.shape == (13, 2)
    assert table[6, 1] == pytest.approx(0.0, abs=1e-3)
    assert (np.diff(table[:7, 1]) < 0).all()
    assert (np.diff(table[6:, 1]) > 0).all()
    content = report.read_bytes()
    assert content.startswith(b"%PDF") or content.count(b"data:image/png;base64,") == 3


def test_profiles_in_json_agree_with_the_interval(tmp_path, capsys):
    assert main([*noisy(tmp_path), "--profile", "world.gravity[2]", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    unknown = next(each for each in told["unknowns"] if each["name"] == "world.gravity[2]")
    (curve,) = told["profiles"]
    assert curve["name"] == "world.gravity[2]"
    assert curve["interval"] == pytest.approx(unknown["interval"], abs=0.05 * unknown["error"])
    assert len(curve["values"]) == len(curve["rises"]) == 13


def test_what_would_tell_most_stands_below_the_refusal(tmp_path, capsys):
    arguments = [*files(tmp_path), "--free", "body[0].friction", "--free", "body[0].shape[0].mass"]
    capsys.readouterr()
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    above, below = told.err.split("\n", 1)
    assert Meaning("--free", "ratio", one="body[0].friction", other="body[0].shape[0].mass").of(above)
    assert Meaning("", "measure", name="body[0].shape[0].mass").of(below)
    assert main([*arguments, "--json"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert len(found["open_directions"]) == 1
    assert {each["kind"] for each in found["further"]} == {"value"}
    assert all(each["open_directions"] == 0 for each in found["further"])


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_plan_is_made_without_a_fit(tmp_path, capsys, monkeypatch, language):
    """A pendulum that hangs at rest: only another start tells its friction."""
    monkeypatch.setenv("POLHODE_LANGUAGE", language)
    (tmp_path / "a.toml").write_text(SCENE.replace("angle = 0.1", "angle = 0.0"))
    rows = "".join(f"{k / 20},{1e-3 * (-1) ** k}\n" for k in range(40))
    (tmp_path / "rest.csv").write_text("t (s),w (rad/s)\n" + rows)
    arguments = ["fit", str(tmp_path / "a.toml"), "--data", str(tmp_path / "rest.csv"), "--map", f"w={QUANTITY}"]
    arguments += ["--free", "body[0].friction", "--plan"]
    assert main(arguments) == 0
    told = capsys.readouterr().out
    assert (Meaning("", "starts", body="bob", angle=0.2).of(told)) == (language == "en")
    assert "95 %" not in told
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["further"][0]["smallest_singular_value"]["after"] > 1e-2
    assert "body[0].tilt[1]" in {each["name"] for each in found["further"] if each["kind"] == "start"}


def test_a_wrong_unit_is_refused_with_the_option_that_mends_it(tmp_path, capsys):
    write_swing(tmp_path / "swing.csv")
    table = (tmp_path / "swing.csv").read_text().replace("x (mm)", "x").replace("z (mm)", "z")
    (tmp_path / "swing.csv").write_text(table)
    (tmp_path / "p.toml").write_text(PENDULUM.format(gravity=9.81, friction=0.002, angle=1.2))
    arguments = ["fit", str(tmp_path / "p.toml"), "--data", str(tmp_path / "swing.csv")]
    arguments += ["--map", "x=bob.point[0, 0, -0.5].x", "--free", "world.gravity[2]"]
    assert main(arguments) == 2
    option = re.search(r'unit "(\S+)"', capsys.readouterr().err)
    assert option is not None
    assert main([*arguments, "--unit", option[1]]) == 0
    assert "world.gravity[2]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--free", "body[0].friction", "--map", "n=time"], Meaning("", "column", name="n")),
        (
            ["--free", "body[0].friction", "--map", "a=time", "--map", "b=time"],
            Meaning("--map", first="a", second="b"),
        ),
        (
            ["--free", "body[0].friction", "--profile", "body[0].drag"],
            Meaning("--profile", "free", name="body[0].drag", names="body[0].friction"),
        ),
        (["--free", "body[0].friction", "--map", "bad"], Meaning("--map", "VALUE", text="bad")),
        (
            ["--free", "body[0].friction", "--bounds", "body[0].friction=1:0"],
            Meaning("--bounds", "bounds", name="body[0].friction", text="1:0"),
        ),
        (
            ["--free", "body[0].friction", "--state", "data.time_offset=soon"],
            Meaning("--state", "number", name="data.time_offset", text="soon"),
        ),
        (
            ["--free", "body[0].friction", "--state", "data.other.scale=2"],
            Meaning("--state", name="data.other.scale", near="data.time_scale"),
        ),
        (["--free", "body[0].friction", "--unit", "time=xyz"], Meaning("time", "known", unit="xyz")),
        (["--free", "body[0].friction", "--out", "a.csv"], Meaning("--out", "ending", name="a.csv", endings=".toml")),
        (
            ["--free", "body[0].friction", "--report", "a.doc"],
            Meaning("--report", "ending", name="a.doc", endings=".html, .htm, .pdf"),
        ),
        (
            ["--free", "body[0].friction", "--free", "body[0].shape[0].mass"],
            Meaning("--free", "ratio", one="body[0].friction", other="body[0].shape[0].mass"),
        ),
    ],
)
def test_wrong_arguments_are_refused(tmp_path, capsys, more, said):
    arguments = files(tmp_path) + more
    assert main(arguments) == 2
    assert said.of(capsys.readouterr().err)
