"""Small files of PEM, written as text: the layout of the values is spelled out here once more, by hand."""

from __future__ import annotations

UNTURNED = "{{1.0,0.0,0.0}{0.0,1.0,0.0}{0.0,0.0,1.0}}"
QUARTER = "{{0.0,1.0,0.0}{-1.0,0.0,0.0}{0.0,0.0,1.0}}"  # about z
UNITS = "unitParameter:{1.00000000000000e-02,1.00000000000000e-03,2.0,4.0}\n"
NO_FIELD = '{"false",{{9.0,9.0,9.0}}{0.0,{0.0,0.0,0.0}{0.0,0.0,0.0}}}'
STEADY = "{{0.0,0.0,0.0}}"
RESTING = "{{0.0,0.0,0.0}0.0,0.0,{0.0,0.0,0.0}{0.0,0.0,0.0}}"


def vector(v):
    return "{" + ",".join(map(repr, v)) + "}"


def shape(kind, center=(0.0, 0.0, 0.0), mass=1.0, **forms):
    """A shape; `forms` holds the text in the braces of its kind."""
    usual = {
        "sphere": "0.0",
        "cylinder": "0.0,0.0,{0.0,0.0,0.0}",
        "ellipsoid": "0.0,0.0,0.0,{0.0,0.0,0.0}{0.0,0.0,0.0}",
        "cuboid": "0.0,0.0,0.0,{0.0,0.0,0.0}{0.0,0.0,0.0}",
        "mesh": "\n[]\n[\n]\n",
        "line": "0.0,{0.0,0.0,0.0}",
    } | forms
    return (
        f' {{\n  {vector(center)}\n  {mass!r},\n  "{kind}",\n'
        + "".join(f"  {{{f}}}\n" for f in usual.values())
        + " }\n"
    )


CYLINDER = {"cylinder": "1.0,0.25,{0.0,0.0,1.0}"}


def body(number, *shapes, magnets=(), colors="", analysis=(1.0, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0, 0.0, 0.0, 0.0))):
    mass, center, tensor = analysis
    dipoles = "".join(f"{{{vector(place)}{vector(moment)}}}" for place, moment in magnets)
    stated = f"{{{mass!r},{vector(center)}{vector(tensor)}}}"
    return f"{{\n {number},\n [\n{''.join(shapes)} ]\n [{dipoles}]\n [{colors}]\n {stated}\n}}\n"


def pendulum(number, place=(0.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0), turned=UNTURNED, axis=None):
    constraint = f'{{"{"false" if axis is None else "true"}",{vector(axis or (0.0, 0.0, 0.0))}}}'
    return f"{{{number},{vector(place)}{turned}{vector(spin)}{constraint}}}"


def other(number, place, kind="fixed", velocity=STEADY, ellipse=RESTING, turned=UNTURNED):
    return f'{{{number},{vector(place)}{turned}"{kind}",{velocity}{ellipse}}}'


def file(
    bodies,
    pendulums="",
    others="",
    units=UNITS,
    gravity=(0.0, 0.0, -10.0),
    field=NO_FIELD,
    integrator="4thOrderRungeKutta",
    periodic="false",
    permeability=0.1,
    friction='{"false",1.0}',
    schema="pem1_3_def.udf",
    records="",
):
    return (
        f'\\include {{"{schema}"}}\n\n\\begin{{data}}\n{units}body[]:[\n{"".join(bodies)}]\n'
        f"simulation:{{\n {{1000,10,1.00000000000000e-03}}\n {{{{-1.0,-1.0,-1.0}}{{1.0,1.0,1.0}}}}\n"
        f' "{integrator}",\n "{periodic}",\n [{pendulums}]\n [{others}]\n {vector(gravity)}\n {field}\n'
        f" {permeability!r},\n {friction}\n}}\n\\end{{data}}\n{records}"
    )


BOB = body(
    7,
    shape("cylinder", (0.0, 0.0, -10.0), 2.0, **CYLINDER),
    shape("line", (0.0, 0.0, -5.0), 0.0, line="5.0,{0.0,0.0,1.0}"),
    magnets=[((0.0, 0.0, -10.0), (0.0, 3.0, 100.0))],
    colors="{1.0,0.0,0.0,1.0}",
    analysis=(2.0, (0.0, 0.1, -10.0), (201.0, 200.5, 1.5, 0.3, 0.2, 0.1)),
)
MAGNET = body(3, shape("cylinder", **CYLINDER), magnets=[((0.0, 0.0, 0.5), (0.0, 0.0, 60.0))])
PENDULUM = file(
    [BOB, MAGNET],
    pendulum(7, spin=(0.3, -0.2, 0.1)),
    other(3, (2.0, 0.0, -13.0)) + other(3, (-1.0, 2.0, -13.0), turned=QUARTER),
    friction='{"true",0.5}',
)
CORNERS = [(x, y, z) for z in (-0.2, 0.2) for y in (-0.3, 0.3) for x in (-0.5, 0.5)]
SIDES = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (1, 3, 7, 5), (3, 2, 6, 7), (2, 0, 4, 6)]  # outward


def box(*, first=100, broken=None):
    """A mesh, 1 x 0.6 x 0.4, of quadrangles whose corners are named by numbers from `first`."""
    vertices = "".join(f"{{{first + i},{vector(v)}}}\n" for i, v in enumerate(CORNERS))
    faces = [",".join(str(first + i) for i in side) for side in SIDES]
    if broken is not None:
        faces[-1] = broken
    return f"\n[{vertices}]\n[{''.join(f'{{{i},[{face}]}}' for i, face in enumerate(faces))}]\n"


def record(number, basis=UNTURNED, spin=(0.3, -0.2, 0.1), places=((2.0, 0.0, -13.0), (-1.0, 2.0, -13.0))):
    others = "".join(f"{{{vector(place)}{UNTURNED}[]}}" for place in places)
    first = f"{{{basis}{vector(spin)}{{60.0,-40.0,0.1}}{{0.0,0.0,0.0}}[]}}"
    return (
        f'\\begin{{record}}{{"#{number}"}}\n\\begin{{data}}\nsimulationResult:{{\n [{first}]\n [{others}]\n'
        " {0.0,0.0,-10.0}\n {0.0,0.0,0.0}\n 0.0\n}\n\\end{data}\n\\end{record}\n"
    )
