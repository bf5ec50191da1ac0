"""Lessons: numbers by the student's name, runs, measurements, hand-ins, and the table of a class.

The steps are parts of a scene (core/polhode/scene/display/lesson.py).
"""
