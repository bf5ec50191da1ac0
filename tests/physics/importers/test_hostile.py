"""Models of strangers: each fault is one message with its line, and nothing outside of the folder is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from meaning import Meaning

from polhode import InputError, read_robot

BODY = '<body name="b"><joint name="j"/><geom size="0.1" pos="1 0 0"/></body>'
LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))


def mjcf(inside: str, before: str = "") -> str:
    return f"<mujoco>{before}<worldbody>{inside}</worldbody></mujoco>"


def urdf(inside: str) -> str:
    return f'<robot name="r">{inside}</robot>'


def mesh(name: str) -> str:
    return urdf(f'<link name="a"><visual><geometry><mesh filename="{name}"/></geometry></visual></link>')


def jointed(inside: str, kind: str = "revolute") -> str:
    links = (
        '<link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'
    )
    ends = '<parent link="a"/><child link="b"/>'
    return urdf(f'{links}<joint name="j" type="{kind}">{ends}{inside}</joint>')


def refusal(folder: Path, text: str | bytes, name: str = "model.xml") -> InputError:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as refused:
        read_robot(path)
    assert len(refused.value.problems) == 1
    return refused.value


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", Meaning("", "empty")),
        ("no model", Meaning("line 1", "well-formed", reason="syntax error")),
        ("<mujoco><worldbody></mujoco>", Meaning("line 1", "well-formed", reason="mismatched tag")),
        ("<scene/>", Meaning("line 1: <scene>", "mujoco")),
        (f'<!DOCTYPE m [<!ENTITY l0 "ha">{LAUGHS}]><mujoco>&l9;</mujoco>', Meaning("line 1", "document", "could")),
        (
            '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><mujoco model="&x;"/>',
            Meaning("line 1", "document", "could"),
        ),
        ('<!DOCTYPE m SYSTEM "http://127.0.0.1/m.dtd"><mujoco/>', Meaning("line 1", "document", "could")),
        ("<mujoco>&x;</mujoco>", Meaning("line 1", "well-formed", reason="undefined entity")),
        ("<mujoco>" + "<a/>" * 10**6 + "</mujoco>", Meaning("line 1", "elements", most=100000)),
        ("<mujoco>" + "<a>" * 10**4, Meaning("line 1", "elements", most=200)),
        (b'<?xml version="1.0" encoding="utf-16"?>\xff\xfe<\x00', Meaning("", "text", byte=255)),
        ("<mujoco/>", Meaning("line 1: <mujoco>", tag="worldbody")),
        (mjcf("<body><geom/><joint/></body>"), Meaning("line 1: <geom>", name="size")),
        (mjcf('<body><geom size="nan"/><joint/></body>'), Meaning("line 1: <geom>", name="size", word="nan")),
        (mjcf('<body><geom size="1e999"/><joint/></body>'), Meaning("line 1: <geom>", name="size", word="1e999")),
        (
            mjcf('<body><geom size="1e200"/><joint/></body>'),
            Meaning("line 1: <geom>", "number", name="size", most=1e30),
        ),
        (mjcf('<body><geom size="1_0"/><joint/></body>'), Meaning("line 1: <geom>", name="size", word="1_0")),
        (
            mjcf('<body><geom size="-1"/><joint/></body>'),
            Meaning("line 1: <body>: body[0].shape[0].radius", "greater", limit=0),
        ),
        (
            mjcf('<body><geom size="1" type="torus"/></body>'),
            Meaning("line 1: <geom>", "known", name="type", value="torus"),
        ),
        (mjcf('<body pos="1 2"/>'), Meaning("line 1: <body>", name="pos", count=2, needed=3)),
        (mjcf('<body quat="0 0 0 0"/>'), Meaning("line 1: <body>", "direction", name="quat")),
        (
            mjcf('<body quat="1 0 0 0" euler="1 2 3"/>'),
            Meaning("line 1: <body>", "beside", first="quat", second="euler"),
        ),
        (mjcf("<body><joint/></body>"), Meaning("line 1: <body>", "mass")),
        (
            mjcf('<body><joint axis="0 0 0"/><geom size="1"/></body>'),
            Meaning("line 1: <joint>", "direction", name="axis"),
        ),
        (
            mjcf('<body><joint range="1 -1"/><geom size="1"/></body>'),
            Meaning(
                "line 1: <joint>: joint[0].limits.upper",
                "above",
                upper=-0.0174533,
                lower=0.0174533,
            ),
        ),
        (mjcf('<body><joint limited="true"/><geom size="1"/></body>'), Meaning("line 1: <joint>", name="range")),
        (mjcf(BODY + BODY.replace('name="b"', "")), Meaning("line 1: <joint> 'j'", "another")),
        (
            mjcf('<body><joint/><body><freejoint/><geom size="1"/></body></body>'),
            Meaning("line 1: <body>", "free", "inside"),
        ),
        (mjcf('<body><joint/><geom type="plane" size="1 1 1"/></body>'), Meaning("line 1: <geom>", "plane", "body")),
        (mjcf('<body><joint/><geom type="mesh" mesh="m"/></body>'), Meaning("line 1: <geom>", "mesh", name="m")),
        (mjcf('<body><joint class="c"/><geom size="1"/></body>'), Meaning("line 1: <joint>", "class", name="c")),
        (mjcf('<include file="/etc/passwd"/>'), Meaning("line 1: <include>", "leads", "folder")),
        (mjcf('<include file="../arm.xml"/>'), Meaning("line 1: <include>", "leads", "folder")),
        (mjcf('<replicate count="1.5"/>'), Meaning("line 1: <replicate>", "whole", value=1.5)),
        (mjcf(BODY, '<compiler eulerseq="abc"/>'), Meaning("line 1: <compiler>", "eulerseq", value="abc")),
        (
            mjcf(BODY, '<equality><connect body1="x" anchor="0 0 0"/></equality>'),
            Meaning("line 1: <connect>", key="body1", name="x"),
        ),
        (mjcf(BODY, '<option timestep="0"/>'), Meaning("solver.time_step", "greater", limit=0)),
        (urdf(""), Meaning("line 1: <robot> 'r'", "link")),
        (urdf('<link name="a"/><link name="a"/>'), Meaning("line 1: <link> 'a'", "line", tag="link", line=1)),
        (urdf('<link name="a"/><link name="b"/>'), Meaning("line 1: <robot> 'r'", "without", count=2)),
        (urdf("<link/>"), Meaning("line 1: <link>", name="name")),
        (
            mesh("package://arm/base.stl"),
            Meaning("line 1: <mesh>", "package", name="arm"),
        ),
        (mesh("http://127.0.0.1/base.stl"), Meaning("line 1: <mesh>", attribute="filename", scheme="http")),
        (mesh("../secret.stl"), Meaning("line 1: <mesh>", "folder", name="../secret.stl")),
        (mesh("/etc/base.stl"), Meaning("line 1: <mesh>", "folder", name="/etc/base.stl")),
        (mesh("link.stl"), Meaning("line 1: <mesh>", "folder", name="link.stl")),
        (mesh("base.step"), Meaning("line 1: <mesh>", "format", name="base.step")),
        (mesh("base.stl"), Meaning("line 1: <mesh>", "check", "folder", name="base.stl")),
        (jointed("", "planar"), Meaning("line 1: <joint> 'j'", "supported")),
        (jointed("", "hinge"), Meaning("line 1: <joint> 'j'", "known", name="type", value="hinge")),
        (jointed(""), Meaning("line 1: <joint> 'j'", tag="limit")),
        (jointed('<limit lower="1" upper="0"/>'), Meaning("line 1: <limit>", "lower", lower=1, upper=0)),
        (jointed('<limit upper="inf"/>'), Meaning("line 1: <limit>", name="upper", word="inf")),
        (jointed('<limit upper="1"/><mimic joint="k"/>'), Meaning("line 1: <mimic>", "mimics", name="k")),
        (
            jointed("", "fixed").replace('child link="b"', 'child link="c"'),
            Meaning("line 1: <joint> 'j'", "link", name="c"),
        ),
        (jointed("", "fixed").replace('child link="b"', 'child link="a"'), Meaning("line 1: <link> 'a'", "circle")),
        (jointed("", "continuous").replace('<mass value="1"/>', ""), Meaning("line 1: <inertial>", tag="mass")),
        (jointed("", "continuous").replace('value="1"', 'value="-1"'), Meaning("line 1: <inertial>", "mass", mass=-1)),
    ],
)
def test_a_fault_is_one_message(tmp_path: Path, text: str, rule: Meaning) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret.stl").write_text("solid")
    (folder / "link.stl").symlink_to(tmp_path / "secret.stl")
    assert rule.of(refusal(folder, text))


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    assert Meaning("", "MB", size=17, most=16).of(refusal(tmp_path, b"<mujoco>" + b" " * (17 * 2**20)))


def test_a_long_chain_of_links_is_read(tmp_path: Path) -> None:
    count = 3000
    links = "".join(f'<link name="l{i}"/>' for i in range(count))
    joints = "".join(
        f'<joint name="j{i}" type="fixed"><parent link="l{i}"/><child link="l{i + 1}"/></joint>'
        for i in range(count - 1)
    )
    path = tmp_path / "chain.urdf"
    path.write_text(urdf(links + joints))
    assert read_robot(path).scene.body == ()
