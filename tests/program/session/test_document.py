"""Versions of a document: each has a generation of its own, and all have the number of their document."""

from __future__ import annotations

from polhode_app.session.document import Document
from scenes import scene


def test_every_version_has_a_larger_generation_than_those_before() -> None:
    first = Document(scene(title="a"))
    edited = first.edited(scene(title="b"))
    undone = edited.undone()
    versions = [first, edited, undone, undone.redone()]
    generations = [version.generation for version in versions]
    assert generations == sorted(set(generations))
    assert all(version.is_version_of(first) for version in versions)
    assert not Document(scene(title="a")).is_version_of(first)


def test_an_edit_back_to_the_saved_values_needs_no_saving() -> None:
    first = scene(title="a")
    assert first.bodies == ()  # a cache, which the scenes below do not have
    document = Document(first, saved=first)
    edited = document.edited(scene(title="b"))
    assert document.is_saved
    assert not edited.is_saved
    assert edited.edited(scene(title="a")).is_saved
    assert edited.undone().is_saved


def test_an_edit_leaves_the_recording_that_was_shown() -> None:
    recording = object()
    document = Document(scene(), recording=recording)
    assert document.recording is recording
    assert document.edited(scene(title="b")).recording is None
