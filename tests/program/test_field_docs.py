"""Docstrings of fields: read from the source, for the inspector and for the JSON Schema."""

from __future__ import annotations

from polhode.physics.bodies.shapes import Capsule, Cylinder
from polhode.physics.points.description import SoftMesh
from polhode.scene.field_docs import field_docs
from polhode.scene.fields import forms
from polhode.scene.scene import Body, Scene, World
from polhode.scene.scene_file import scene_schema


def models(model: type[Scene] | type[Body]) -> list[type]:
    """A model and all that stand in its fields."""
    found = [model]
    for each in found:
        found += [inner for form in forms(each).values() for inner in form.models if inner not in found]
    return found


def test_every_field_of_a_scene_has_its_help() -> None:
    checked = 0
    for model in models(Scene):
        docs = field_docs(model)
        missing = [name for name in model.model_fields if name != "kind" and not docs.get(name)]
        assert not missing, (model, missing)
        checked += len(model.model_fields)
    assert checked > 300


def test_fields_of_bases_are_explained_and_replaced_ones_by_the_last_class() -> None:
    assert field_docs(Cylinder)["position"] == field_docs(Capsule)["position"]
    assert field_docs(Cylinder)["length"] != field_docs(Capsule)["length"]


def test_the_inspector_shows_them() -> None:
    docs = field_docs(SoftMesh)
    for key, form in forms(SoftMesh).items():
        assert form.help == docs.get(key, docs.get(f"{key}_", ""))
    assert forms(World)["gravity"].help


def test_the_schema_describes_each_key_with_its_unit() -> None:
    schema = scene_schema()
    radius = schema["$defs"]["Cylinder"]["properties"]["radius"]
    assert radius["description"] == f"{field_docs(Cylinder)['radius'].rstrip('.')} [m]."
    assert schema["properties"]["gravity" if "gravity" in schema["properties"] else "world"]["description"]
