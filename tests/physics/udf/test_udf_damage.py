"""Files of PEM that are no files of PEM: every one is refused with its line, or read."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pem
import pytest

from polhode import InputError, read_records, read_udf

COMMENT = "\\begin{data} // 磁石の振り子\n"


def refusal(folder: Path, content: str | bytes, reader=read_udf) -> str:
    path = folder / "bad.udf"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(InputError) as refused:
        reader(path)
    return str(refused.value)


def line_of(text: str, word: str) -> int:
    return text[: text.index(word)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("1.00000000000000e-03}", "1.0e-x}", "simulation.time.dt: a number belongs here, but there is '1.0e-x'"),
        ("1.00000000000000e-03}", "nan}", "simulation.time.dt: a number belongs here, but there is 'nan'"),
        (
            "1.00000000000000e-03}",
            "1e999}",
            "simulation.time.dt is 1e999, which exceeds the range of floating-point numbers",
        ),
        ("1.00000000000000e-03}", "-0.1}", "solver.time_step: must be greater than 0"),
        ("{1000,10,", "{1000.5,10,", "simulation.time.simulationSteps: a whole number belongs here"),
        (",1.00000000000000e-03}\n {{", "}\n {{", "simulation.time has 2 values, needs 3; add dt"),
        ("{1000,10,", "{1,2,3,4,", "simulation.time has more than 3 values"),
        ("4thOrderRungeKutta", "RK4", "simulation.integrator is 'RK4', which is not known; choose from 4thOrderRunge"),
        ("simulation:", "simulatoin:", "'simulatoin' is not known here; did you mean 'simulation'?"),
        ("simulation:", "body[]:", "'body' stands here for the second time"),
        ("pem1_3_def", "pem2_0_def", "includes 'pem2_0_def.udf', which is no schema of PEM 1.0 to 1.3"),
        ("pem1_3_def", "cognac_def", "includes 'cognac_def.udf', which is no schema of PEM"),
        ('"false",\n', '"true",\n', "simulation.periodicBoundaryCondition is true, and there are no periodic magnets"),
        ("[{7,{0.0,0.0,0.0}", "[{8,{0.0,0.0,0.0}", "there is no body with the id 8; take one of 7, 3"),
        ("{\n 3,\n", "{\n 7,\n", "the id 7 of this body is that of another one"),
        ('"cylinder"', '"cilinder"', "body[0].shape[0].shape is 'cilinder', which is not known"),
        ("{1.0,0.25,{0.0,0.0,1.0}}", "{1.0,0.25,{0.0,0.0,0.0}}", "d is [0.0, 0.0, 0.0], which is no direction"),
        ("{1.0,0.25,{0.0,0.0,1.0}}", "{-1.0,0.25,{0.0,0.0,1.0}}", "body[0].shape[0].radius: must be greater than 0"),
        (
            "{1.0,0.0,0.0,1.0}",
            "{255.0,0.0,0.0,1.0}",
            "the colour [255.0, 0.0, 0.0, 1.0] is not made of numbers from 0 to 1",
        ),
        (
            "{{1.0,0.0,0.0}{0.0,1.0,0.0}{0.0,0.0,1.0}}{0.3",
            "{{1.0,0.0,0.0}{0.0,1.0,0.0}{0.0,0.0,-1.0}}{0.3",
            "not right-",
        ),
        ('"true"', '"true', "a text in simulation.PseudoFrictionTorque.flag has no closing quotes"),
        ("\\end{data}", "\\end{date}", "\\begin{data} is closed by another \\end"),
        ("\\begin{data}", "\\begin{dada}", "\\begin{dada} is no block of a UDF file"),
        ('"true",0.5', '"true",-0.5', "body[0].friction: must be at least 0"),
    ],
)
def test_every_fault_is_named_with_its_line(tmp_path: Path, old: str, new: str, rule: str) -> None:
    assert old in pem.PENDULUM
    said = refusal(tmp_path, pem.PENDULUM.replace(old, new, 1))
    found = re.search(r"bad\.udf: line (\d+): ", said)
    assert rule in said
    assert found is not None, said
    # the fault stands in the line that is named, or in the part that begins there or ends there
    assert abs(int(found[1]) - line_of(pem.PENDULUM, old)) <= 5


def test_a_file_without_any_input_says_so(tmp_path: Path) -> None:
    assert "has no data named body and simulation" in refusal(
        tmp_path, "\\begin{def}\nclass A:{x:double[m]}\n\\end{def}"
    )
    assert "is empty" in refusal(tmp_path, "")
    assert "line 1: the outermost level: \\begin belongs here" in refusal(tmp_path, "solid cube\nfacet normal 0 0 1")
    with pytest.raises(InputError, match="there is no such file"):
        read_udf(tmp_path / "none.udf")


@pytest.mark.parametrize("end", ["}", ",}", "103,}", "103, // ]\n}"])
def test_an_array_that_is_closed_by_another_bracket_is_refused(tmp_path: Path, end: str) -> None:
    text = pem.file([pem.body(1, pem.shape("mesh", mesh=pem.box(broken="100,101,103")))], pem.pendulum(1))
    said = refusal(tmp_path, text.replace("100,101,103]", end))
    assert ".face[5].vertex: ']' belongs here, but there is '}'" in said


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "shift_jis", "euc_jp"])
def test_japanese_comments_are_read_in_every_usual_encoding(tmp_path: Path, encoding: str) -> None:
    header = '\\begin{header}\n\\begin{data}\nProjectName:"振り子の表" /* 表 */\n\\end{data}\n\\end{header}\n'
    text = header + pem.PENDULUM.replace("\\begin{data}\n", COMMENT, 1)
    (tmp_path / "kanji.udf").write_bytes(text.encode(encoding))
    assert read_udf(tmp_path / "kanji.udf").title == "振り子の表"


@pytest.mark.parametrize("content", [pem.PENDULUM.encode("utf-16"), pem.PENDULUM.encode().replace(b"false", b"\x81")])
def test_other_encodings_are_refused(tmp_path: Path, content: bytes) -> None:
    assert re.search(r"line \d+: is no text in UTF-8, EUC-JP or Shift_JIS \(byte 0x", refusal(tmp_path, content))


def test_values_that_were_never_set_are_empty(tmp_path: Path) -> None:
    text = pem.PENDULUM.replace("{0.3,-0.2,0.1}", "{,-0.2,}").replace('"false",1.0', '"",').replace("e-02,1.0", "e-02,")
    (tmp_path / "unset.udf").write_text(text, encoding="utf-8")
    assert read_udf(tmp_path / "unset.udf").body[0].angular_velocity == (0.0, -0.1, 0.0)


def test_older_versions_and_files_with_their_schema_inside_are_read(tmp_path: Path) -> None:
    definition = "\\begin{unit}\n[Length]= {$unitParameter.length} [m]\n\\end{unit}\n\\begin{global_def}\nx:<Body,ID>\n"
    text = definition + "\\end{global_def}\n" + pem.PENDULUM.replace("pem1_3", "pem1_0")
    (tmp_path / "old.udf").write_text(text, encoding="utf-8")
    assert len(read_udf(tmp_path / "old.udf").body) == 3


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda text: text[:-100], r"line \d+: the file ends in"),
        (
            lambda text: pem.PENDULUM + pem.record(0).replace("{2.0,0.0,-13.0}{{1", "{{1"),
            r"line \d+: simulationResult.body\[0\]",
        ),
        (lambda text: pem.PENDULUM + pem.record(0, places=()), "has 1 pendulums and 0 bodies, the simulation 1 and 2"),
        (lambda text: pem.PENDULUM, "has no records"),
        (lambda text: text.replace("simulationResult:", "result:"), "'result' is not known here"),
    ],
)
def test_damaged_records_are_named(tmp_path: Path, change, rule: str) -> None:
    whole = pem.PENDULUM + pem.record(0) + pem.record(1)
    assert re.search(rule, refusal(tmp_path, change(whole), read_records))


def test_a_file_that_is_cut_off_anywhere_is_named_with_its_line(tmp_path: Path) -> None:
    end = pem.PENDULUM.rindex("}") + 1
    for length in range(1, end, 23):
        said = refusal(tmp_path, pem.PENDULUM[:length])
        assert re.search(r"line \d+: |has no data", said), said


def test_any_flipped_byte_is_read_or_refused(tmp_path: Path) -> None:
    chance, path = random.Random(3), tmp_path / "flipped.udf"
    said: list[str] = []
    for _ in range(400):
        content = bytearray(pem.PENDULUM.encode())
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(content)
        try:
            assert len(read_udf(path).body) >= 1
        except InputError as error:
            said += [problem.place for problem in error.problems]
    assert 100 < len(said) < 400
    assert all(place.startswith("line ") for place in said)
