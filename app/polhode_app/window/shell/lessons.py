"""Lessons of the gallery: a few scenes on one topic, in the order in which they build on each other."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication


@dataclass(frozen=True)
class Lesson:
    """A topic, and the names of its scenes in their order."""

    english: str  # title, as it is translated
    scenes: tuple[str, ...]

    @property
    def title(self) -> str:
        """Title in the current language."""
        return QCoreApplication.translate("Lessons", self.english)


LESSONS = (
    Lesson(
        QT_TRANSLATE_NOOP("Lessons", "Swinging"),
        (
            "large_swings",
            "coupled_pendulums",
            "pendulum_wave",
            "isochronous_cycloids",
            "pumped_swings",
            "foucault_pendulum",
        ),
    ),
    Lesson(
        QT_TRANSLATE_NOOP("Lessons", "Spinning"),
        ("t_handle", "polhode", "sleeping_top", "heavy_top", "bicycle_wheel", "gyroscope_in_gimbals"),
    ),
    Lesson(
        QT_TRANSLATE_NOOP("Lessons", "Springs"),
        (
            "course_1_oscillator",
            "course_2_damper",
            "resonance",
            "course_3_spring_pendulum",
            "three_gliders",
            "two_masses",
            "breaking_bar",
        ),
    ),
    Lesson(
        QT_TRANSLATE_NOOP("Lessons", "Magnets"),
        (
            "compass",
            "magnet_over_compass",
            "two_needles",
            "bar_magnets",
            "rotating_field",
            "magnetic_gears",
            "eddy_current_brake",
            "magnets_fall_through_coils",
            "magnet_through_coil_and_tube",
            "induction_brake_disc",
            "superconducting_bearing",
            "jumping_ring",
            "magnets_in_one_circuit",
            "coil_gun",
            "loudspeaker",
            "geophone",
            "generator_by_hand",
            "compass_and_iron_ball",
            "shielding_box",
            "gauss_rifle",
            "electromagnet_crane",
        ),
    ),
    Lesson(
        QT_TRANSLATE_NOOP("Lessons", "Collisions"),
        ("bouncing_ball", "newtons_cradle", "rolling_9_impact_with_spin", "break_shot", "dominoes"),
    ),
    Lesson(
        QT_TRANSLATE_NOOP("Lessons", "Chaos"),
        ("double_rod_pendulum", "course_5_double_pendulum", "double_well", "driven_compass", "magnet_pendulum"),
    ),
)
"""Topics that a newcomer knows."""


def heading() -> str:
    """Heading of all lessons in the current language."""
    return QCoreApplication.translate("Lessons", "Lessons")


def lesson_name(lesson: Lesson) -> str:
    """Name of a lesson among the groups of the gallery, in the current language."""
    text = QCoreApplication.translate("Lessons", "Lesson {number}: {topic}")
    return text.format(number=LESSONS.index(lesson) + 1, topic=lesson.title)
