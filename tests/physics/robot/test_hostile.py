"""Models of strangers: each fault is one message with its line, and nothing outside of the folder is read."""

from __future__ import annotations

from pathlib import Path

import pytest

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


def refusal(folder: Path, text: str | bytes, name: str = "model.xml") -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as refused:
        read_robot(path)
    assert len(refused.value.problems) == 1
    return str(refused.value)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "is empty"),
        ("no model", "line 1: is no well-formed XML (syntax error)"),
        ("<mujoco><worldbody></mujoco>", "line 1: is no well-formed XML (mismatched tag)"),
        ("<scene/>", "line 1: <scene>: is neither <mujoco> (MJCF) nor <robot> (URDF)"),
        (f'<!DOCTYPE m [<!ENTITY l0 "ha">{LAUGHS}]><mujoco>&l9;</mujoco>', "line 1: has a document type"),
        ('<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><mujoco model="&x;"/>', "line 1: has a document type"),
        ('<!DOCTYPE m SYSTEM "http://127.0.0.1/m.dtd"><mujoco/>', "line 1: has a document type"),
        ("<mujoco>&x;</mujoco>", "is no well-formed XML (undefined entity)"),
        ("<mujoco>" + "<a/>" * 10**6 + "</mujoco>", "has more than 100000 elements"),
        ("<mujoco>" + "<a>" * 10**4, "has more than 200 elements in each other"),
        (b'<?xml version="1.0" encoding="utf-16"?>\xff\xfe<\x00', "is not UTF-8 text"),
        ("<mujoco/>", "<mujoco>: has no <worldbody>"),
        (mjcf("<body><geom/><joint/></body>"), "line 1: <geom>: has no size"),
        (mjcf('<body><geom size="nan"/><joint/></body>'), "<geom>: size has 'nan', which is no finite number"),
        (mjcf('<body><geom size="1e999"/><joint/></body>'), "size has '1e999', which is no finite number"),
        (mjcf('<body><geom size="1e200"/><joint/></body>'), "<geom>: size has a number beyond 1e+30"),
        (mjcf('<body><geom size="1_0"/><joint/></body>'), "size has '1_0', which is no finite number"),
        (
            mjcf('<body><geom size="-1"/><joint/></body>'),
            "line 1: <body>: body[0].shape[0].radius: must be greater than 0",
        ),
        (mjcf('<body><geom size="1" type="torus"/></body>'), "type is 'torus', which is not known; choose from sphere"),
        (mjcf('<body pos="1 2"/>'), "pos has 2 numbers, needs 3"),
        (mjcf('<body quat="0 0 0 0"/>'), "quat is zero and has no direction"),
        (mjcf('<body quat="1 0 0 0" euler="1 2 3"/>'), "has quat beside euler; remove one of them"),
        (mjcf("<body><joint/></body>"), "<body>: moves, but has no mass"),
        (mjcf('<body><joint axis="0 0 0"/><geom size="1"/></body>'), "axis is zero and has no direction"),
        (
            mjcf('<body><joint range="1 -1"/><geom size="1"/></body>'),
            "upper: is -0.0174533, not above lower, 0.0174533",
        ),
        (mjcf('<body><joint limited="true"/><geom size="1"/></body>'), "<joint>: has no range"),
        (
            mjcf('<body name="hip"><joint/><joint axis="1 0 0"/><joint axis="0 1 0"/><geom size="1"/></body>'),
            "<body> 'hip': has 3 joints, of the types hinge, hinge, hinge; divide it",
        ),
        (
            mjcf('<body name="hip"><joint/><joint axis="1 0 1"/><geom size="1"/></body>'),
            "<body> 'hip': has 2 joints, of the types hinge, hinge; divide it",
        ),
        (mjcf(f'<body name="b"><geom size="1"/></body>{BODY}'), "<body> 'b': has the name of another body"),
        (mjcf(BODY + BODY.replace('name="b"', "")), "<joint> 'j': has the name of another joint"),
        (mjcf('<body><joint/><body><freejoint/><geom size="1"/></body></body>'), "is free, but inside of another body"),
        (mjcf('<body><joint/><geom type="plane" size="1 1 1"/></body>'), "is a plane in a body that moves"),
        (mjcf('<body><joint/><geom type="mesh" mesh="m"/></body>'), "names the mesh 'm', which is not there"),
        (mjcf('<body><joint class="c"/><geom size="1"/></body>'), "is of the class 'c', which is not there"),
        (mjcf('<include file="/etc/passwd"/>'), "<include>: includes another file, which is not read"),
        (mjcf(BODY, '<compiler eulerseq="abc"/>'), "eulerseq is 'abc', needs three letters out of xyzXYZ"),
        (mjcf(BODY, '<equality><connect body1="x" anchor="0 0 0"/></equality>'), "body1 is 'x', which is no body"),
        (mjcf(BODY, '<option timestep="0"/>'), "solver.time_step: must be greater than 0"),
        (urdf(""), "has no <link>"),
        (urdf('<link name="a"/><link name="a"/>'), "<link> 'a': has the name of the <link> in line 1"),
        (urdf('<link name="a"/><link name="b"/>'), "has 2 links without a parent, needs one"),
        (urdf("<link/>"), "<link>: has no name"),
        (mesh("package://arm/base.stl"), "filename is 'package://arm/base.stl': package:// is not looked up"),
        (mesh("../secret.stl"), "'../secret.stl', which leads out of the folder of the model"),
        (mesh("/etc/base.stl"), "'/etc/base.stl', which leads out of the folder of the model"),
        (mesh("link.stl"), "'link.stl', which leads out of the folder of the model"),
        (mesh("base.step"), "'base.step', a format that is not read"),
        (mesh("base.stl"), "'base.stl', which is not there; check the name and the folder"),
        (jointed("", "planar"), "<joint> 'j': is planar, which is not supported"),
        (jointed("", "hinge"), "type is 'hinge', which is not known; choose from fixed"),
        (jointed(""), "<joint> 'j': has no <limit>"),
        (jointed('<limit lower="1" upper="0"/>'), "<limit>: lower, 1, is not below upper, 0"),
        (jointed('<limit upper="inf"/>'), "upper has 'inf', which is no finite number"),
        (jointed('<limit upper="1"/><mimic joint="k"/>'), "mimics 'k', which is no other joint"),
        (jointed("", "fixed").replace('child link="b"', 'child link="c"'), "names the link 'c', which is not there"),
        (jointed("", "fixed").replace('child link="b"', 'child link="a"'), "hangs on itself in a circle of joints"),
        (jointed("", "continuous").replace('<mass value="1"/>', ""), "<inertial>: has no <mass>"),
        (jointed("", "continuous").replace('value="1"', 'value="-1"'), "mass is -1, less than 0"),
    ],
)
def test_a_fault_is_one_message(tmp_path: Path, text: str, rule: str) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret.stl").write_text("solid")
    (folder / "link.stl").symlink_to(tmp_path / "secret.stl")
    assert rule in refusal(folder, text)


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    assert "is 17 MB, more than the 16" in refusal(tmp_path, b"<mujoco>" + b" " * (17 * 2**20))


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
