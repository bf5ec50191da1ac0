"""Edits of coils and circuits, which name each other."""

from __future__ import annotations

import pytest

from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode_app.edit.parts import renamed, without


def test_coils_and_circuits_follow_new_names_and_removals() -> None:
    winding = {"kind": "loop", "radius": 0.02, "wire_radius": 0.001}
    source = {"kind": "circuit", "circuit": "loop"}
    coils = [{"name": name, "winding": winding, "source": source} for name in ("left", "right")]
    circuit = {"name": "loop", "coils": ["left", "-right"], "resistance": 1.0}
    scene = Scene.model_validate({"coil": coils, "circuit": [circuit]})
    named = renamed(renamed(scene, ("circuit", 0), "ring"), ("coil", 1), "other")
    assert named.circuit[0].coils == ("left", "-other")
    assert [coil.source.circuit for coil in named.coil] == ["ring", "ring"]
    assert without(named, ("coil", 0)).circuit[0].coils == ("-other",)
    assert [coil.source.kind for coil in without(named, ("circuit", 0)).coil] == ["open", "open"]
    with pytest.raises(InputError):
        renamed(scene, ("coil", 1), "a.b")
