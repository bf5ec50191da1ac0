"""The subjects of physics, one folder each; core/polhode/engine/registry.py lists them.

A folder has, where the subject has such a thing: `description.py` (scene models), `arrays.py` (kernel structs),
`compile.py` (scene to arrays), one file per law, `placement.py`, `columns.py`, and `part.py`, the record for the
engine.

Documents that docstrings cite by a name and the number of an equation or a section, all in Japanese:

- PEM: M. Makino, The magnetic pendulum simulator PEM (manual), 2020.
- Imura: M. Imura, Physical simulation, practical course in ergonomics computing, 2018.
- Kobayashi: Kobayashi, Taniwaki, Yoshida and Kanda, An explicit numerical integration method equivalent to
    unconditional stability by modal truncation, applied to mass-spring models of computer graphics.
- Endo: R. Endo, Algorithms for the motion of a rigid sphere that rolls down a slope, numbers 1 to 19, 2016.

Some of their equations are misprinted; the docstrings have the right ones.
"""
