"""Files of PEM that are no files of PEM: every one is refused with its line, or read."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pem
import pytest
from meaning import Meaning, refuses

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
        ("1.00000000000000e-03}", "1.0e-x}", Meaning("line 69", field="simulation.time.dt", shown="'1.0e-x'")),
        ("1.00000000000000e-03}", "nan}", Meaning("line 69", field="simulation.time.dt", shown="'nan'")),
        (
            "1.00000000000000e-03}",
            "1e999}",
            Meaning("line 69", "floating-point", field="simulation.time.dt", value="1e999"),
        ),
        ("1.00000000000000e-03}", "-0.1}", Meaning("line 69: solver.time_step", "greater", limit=0)),
        ("{1000,10,", "{1000.5,10,", Meaning("line 69", "whole", "number", field="simulation.time.simulationSteps")),
        (
            ",1.00000000000000e-03}\n {{",
            "}\n {{",
            Meaning("line 69", field="simulation.time", count=2, needed=3, fields="dt"),
        ),
        ("{1000,10,", "{1,2,3,4,", Meaning("line 69", "values", field="simulation.time", needed=3)),
        ("4thOrderRungeKutta", "RK4", Meaning("line 71", "known", field="simulation.integrator", value="RK4")),
        ("simulation:", "simulatoin:", Meaning("line 68", name="simulatoin", near="simulation")),
        ("simulation:", "body[]:", Meaning("line 68", "repeated", name="body")),
        ("pem1_3_def", "pem2_0_def", Meaning("line 1", name="pem2_0_def.udf", first=1.0, last=1.3)),
        ("pem1_3_def", "cognac_def", Meaning("line 1", "includes", name="cognac_def.udf")),
        ('"false",\n', '"true",\n', Meaning("line 68", "periodic")),
        ("[{7,{0.0,0.0,0.0}", "[{8,{0.0,0.0,0.0}", Meaning("line 73", "body", id=8, ids="7, 3")),
        ("{\n 3,\n", "{\n 7,\n", Meaning("line 44", "body", id=7)),
        ('"cylinder"', '"cilinder"', Meaning("line 12", "known", field="body[0].shape[0].shape", value="cilinder")),
        (
            "{1.0,0.25,{0.0,0.0,1.0}}",
            "{1.0,0.25,{0.0,0.0,0.0}}",
            Meaning("line 14", "direction", name="d", value="[0.0, 0.0, 0.0]"),
        ),
        (
            "{1.0,0.25,{0.0,0.0,1.0}}",
            "{-1.0,0.25,{0.0,0.0,1.0}}",
            Meaning("line 9: body[0].shape[0].radius", "greater", limit=0),
        ),
        (
            "{1.0,0.0,0.0,1.0}",
            "{255.0,0.0,0.0,1.0}",
            Meaning("line 41", "numbers", color="[255.0, 0.0, 0.0, 1.0]"),
        ),
        (
            "{{1.0,0.0,0.0}{0.0,1.0,0.0}{0.0,0.0,1.0}}{0.3",
            "{{1.0,0.0,0.0}{0.0,1.0,0.0}{0.0,0.0,-1.0}}{0.3",
            Meaning("line 73: body[0].orientation", "right-handed"),
        ),
        ('"true"', '"true', Meaning("line 78", "closing", field="simulation.PseudoFrictionTorque.flag")),
        ("\\end{data}", "\\end{date}", Meaning("line 81", "closed", block="data")),
        ("\\begin{data}", "\\begin{dada}", Meaning("line 4", "begin", block="dada")),
        ('"true",0.5', '"true",-0.5', Meaning("line 73: body[0].friction", "least", limit=0)),
    ],
)
def test_every_fault_is_named_with_its_line(tmp_path: Path, old: str, new: str, rule: Meaning) -> None:
    assert old in pem.PENDULUM
    said = refusal(tmp_path, pem.PENDULUM.replace(old, new, 1))
    found = re.search(r"bad\.udf: line (\d+): ", said)
    assert rule.of(said)
    assert found is not None, said
    # the fault stands in the line that is named, or in the part that begins there or ends there
    assert abs(int(found[1]) - line_of(pem.PENDULUM, old)) <= 5


def test_a_file_without_any_input_says_so(tmp_path: Path) -> None:
    assert Meaning("", "data", names="body and simulation").of(
        refusal(tmp_path, "\\begin{def}\nclass A:{x:double[m]}\n\\end{def}")
    )
    assert Meaning("", "empty").of(refusal(tmp_path, ""))
    assert Meaning("line 1", "belongs", field="the outermost level", wanted="\\begin").of(
        refusal(tmp_path, "solid cube\nfacet normal 0 0 1")
    )
    with refuses("", "such", "file"):
        read_udf(tmp_path / "none.udf")


@pytest.mark.parametrize("end", ["}", ",}", "103,}", "103, // ]\n}"])
def test_an_array_that_is_closed_by_another_bracket_is_refused(tmp_path: Path, end: str) -> None:
    text = pem.file([pem.body(1, pem.shape("mesh", mesh=pem.box(broken="100,101,103")))], pem.pendulum(1))
    said = refusal(tmp_path, text.replace("100,101,103]", end))
    assert re.search(r"line \d+: .*\.face\[5\]\.vertex: ']' .*, .* '}'", said)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "shift_jis", "euc_jp"])
def test_japanese_comments_are_read_in_every_usual_encoding(tmp_path: Path, encoding: str) -> None:
    header = '\\begin{header}\n\\begin{data}\nProjectName:"振り子の表" /* 表 */\n\\end{data}\n\\end{header}\n'
    text = header + pem.PENDULUM.replace("\\begin{data}\n", COMMENT, 1)
    (tmp_path / "kanji.udf").write_bytes(text.encode(encoding))
    assert read_udf(tmp_path / "kanji.udf").title == "振り子の表"


@pytest.mark.parametrize("content", [pem.PENDULUM.encode("utf-16"), pem.PENDULUM.encode().replace(b"false", b"\x81")])
def test_other_encodings_are_refused(tmp_path: Path, content: bytes) -> None:
    assert re.search(r"line \d+: .*UTF-8.*\(byte 0x", refusal(tmp_path, content))


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
        (lambda text: text[:-100], r"line \d+: .* ends in"),
        (
            lambda text: pem.PENDULUM + pem.record(0).replace("{2.0,0.0,-13.0}{{1", "{{1"),
            r"line \d+: simulationResult.body\[0\]",
        ),
        (lambda text: pem.PENDULUM + pem.record(0, places=()), "1 pendulums and 0 bodies, .* 1 and 2"),
        (lambda text: pem.PENDULUM, "has no records"),
        (lambda text: text.replace("simulationResult:", "result:"), "'result' .* known"),
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
