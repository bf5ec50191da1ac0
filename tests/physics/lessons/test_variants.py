"""Variants of a name: equal for all ways to type it, and values within their ranges."""

from __future__ import annotations

from hashlib import sha256

import pytest
from lesson_files import lesson_scene

from polhode.lessons.variants import VARIANTS, plain_name, variant_of, varied_scene, varied_values


@pytest.mark.parametrize(
    "typed",
    ["Ada Lovelace", " Ada  Lovelace ", "Ada\u3000Lovelace", "\uff21\uff44\uff41 Lovelace", "Ada\u00a0Lovelace"],
)
def test_ways_to_type_a_name_have_one_variant(typed: str) -> None:
    assert plain_name(typed) == "Ada Lovelace"
    assert variant_of(typed) == variant_of("Ada Lovelace")


def test_composed_and_decomposed_letters_are_one_name() -> None:
    assert plain_name("Jose\u0301") == plain_name("Jos\u00e9")
    assert variant_of("\u304b\u3099\u304f") == variant_of("\u304c\u304f")


def test_the_variant_is_the_remainder_of_the_first_32_bits_of_sha256() -> None:
    for name in ("Ada", "\u3042\u304d\u3089", "Zo\u00eb"):
        assert variant_of(name) == int(sha256(name.encode()).hexdigest()[:8], 16) % VARIANTS


def test_names_spread_over_all_variants() -> None:
    found = [variant_of(f"student {number}") for number in range(1600)]
    assert min(map(found.count, range(VARIANTS))) > 60


@pytest.mark.parametrize("variant", range(VARIANTS))
def test_values_are_within_their_ranges_and_have_three_digits(variant: int) -> None:
    lesson = lesson_scene().lesson[0]
    for path, value in varied_values(lesson, variant).items():
        low, high = lesson.vary[path]
        assert low <= value <= high
        assert value == float(f"{value:.3g}")


def test_the_scene_of_a_variant_has_its_values() -> None:
    scene = lesson_scene()
    values = varied_values(scene.lesson[0], 3)
    made = varied_scene(scene, scene.lesson[0], 3)
    assert made.body[0].shape[0].density == values["body[0].shape[0].density"]
    assert made.world.gravity[2] == values["world.gravity[2]"]
    assert made.lesson == scene.lesson


def test_variants_differ() -> None:
    """Two of them may have the same three digits."""
    lesson = lesson_scene().lesson[0]
    assert len({tuple(varied_values(lesson, variant).values()) for variant in range(VARIANTS)}) >= VARIANTS - 2


def test_a_lesson_without_numbers_that_vary_leaves_the_scene() -> None:
    scene = lesson_scene()
    lesson = scene.lesson[0].model_copy(update={"vary": {}})
    assert varied_scene(scene, lesson, 5) is scene
