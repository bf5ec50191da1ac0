"""Built-in scenes of published experiments and of benchmarks, with their sources.

Their values, and what a run gives, are in core/polhode/verification/published.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """Where the numbers of a scene are from."""

    text: str
    """Authors, title, journal, year; not translated."""
    parameters: bool = True
    """Whether lengths, masses and constants are those of the source; else they are the program's own."""


SOURCES: dict[str, Source] = {
    "pendulum_from_the_horizontal": Source(
        "IFToMM Technical Committee for Multibody Dynamics, Library of Computational Benchmark Problems, A01"
    ),
    "two_four_bars": Source(
        "IFToMM Technical Committee for Multibody Dynamics, Library of Computational Benchmark Problems, A02"
    ),
    "andrews_squeezer": Source(
        "F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4, 2008; IFToMM A03"
    ),
    "bricards_mechanism": Source(
        "IFToMM Technical Committee for Multibody Dynamics, Library of Computational Benchmark Problems, A04"
    ),
    "flyball_governor": Source(
        "IFToMM Technical Committee for Multibody Dynamics, Library of Computational Benchmark Problems, A05"
    ),
    "thrown_cube": Source("D. Kang, J. Hwangbo, SimBenchmark, 2018", parameters=False),
    "balls_on_a_pushed_box": Source(
        "J. Hwangbo, D. Kang, SimBenchmark: Physics engine benchmark for robotics applications, 2018"
    ),
    "welded_beams": Source("D. Kang, J. Hwangbo, SimBenchmark, 2018", parameters=False),
    "bouncing_balls": Source("D. Kang, J. Hwangbo, SimBenchmark, 2018", parameters=False),
    "elastic_666": Source(
        "J. Hwangbo, D. Kang, SimBenchmark: Physics engine benchmark for robotics applications, 2018"
    ),
    "tippe_top": Source(
        "S. Ebenfeld, F. Scheck, A new analysis of the tippe top: asymptotic states and Liapunov stability, "
        "Annals of Physics 243, 195 (1995)",
        parameters=False,
    ),
    "eulers_disc": Source(
        "H. K. Moffatt, Euler's disk and its finite-time singularity, Nature 404, 833 (2000)", parameters=False
    ),
    "ball_on_a_vibrating_table": Source(
        "A. C. J. Luo, R. P. S. Han, The dynamics of a bouncing ball with a sinusoidally vibrating table revisited, "
        "Nonlinear Dynamics 10, 1 (1996)",
        parameters=False,
    ),
    "swinging_spring": Source(
        "P. Lynch, Resonant motions of the three-dimensional elastic pendulum, Int. J. Nonlinear Mechanics 37, 345 "
        "(2002)",
        parameters=False,
    ),
    "falling_folded_chain": Source(
        "M. G. Calkin, R. H. March, The dynamics of a falling chain, Am. J. Phys. 57, 154 (1989)", parameters=False
    ),
    "foucault_pendulum": Source(
        "W. B. Somerville, The description of Foucault's pendulum, Q. J. R. Astron. Soc. 13, 40 (1972)",
        parameters=False,
    ),
    "magnet_through_coil_and_tube": Source(
        "Y. Levin, F. L. da Silveira, F. B. Rizzato, Electromagnetic braking: A simple quantitative model, "
        "Am. J. Phys. 74, 815 (2006)",
        parameters=False,
    ),
    "disc_on_its_path": Source(
        "E. J. Routh, The Advanced Part of a Treatise on the Dynamics of a System of Rigid Bodies, 6th ed., 1905",
        parameters=False,
    ),
    "rattleback": Source(
        "T. R. Kane, D. A. Levinson, Realistic mathematical modeling of the rattleback, "
        "Int. J. Non-Linear Mechanics 17, 175 (1982)"
    ),
    "wilberforces_pendulum": Source(
        "R. E. Berg, T. S. Marshall, Wilberforce pendulum oscillations and normal modes, Am. J. Phys. 59, 32 (1991)",
        parameters=False,
    ),
    "driven_compass": Source(
        "S.-Y. Kim, S.-H. Shin, J. Yi, C.-W. Jang, Bifurcations in a parametrically forced magnetic pendulum, "
        "Phys. Rev. E 56, 6613 (1997)",
        parameters=False,
    ),
    "falling_slinky": Source(
        "R. C. Cross, M. S. Wheatland, Modeling a falling slinky, Am. J. Phys. 80, 1051 (2012)", parameters=False
    ),
    "magnets_in_one_circuit": Source(
        "G. Donoso, C. L. Ladera, P. Martín, Magnetically coupled magnet-spring oscillators, "
        "Eur. J. Phys. 31, 433 (2010)",
        parameters=False,
    ),
    "levitron": Source(
        "M. D. Simon, L. O. Heflinger, S. L. Ridgway, Spin stabilized magnetic levitation, Am. J. Phys. 65, 286 (1997)",
        parameters=False,
    ),
    "eight_basins": Source(
        "P. J. Menck, J. Heitzig, N. Marwan, J. Kurths, How basin stability complements the linear-stability "
        "paradigm, Nature Physics 9, 89 (2013)",
        parameters=False,
    ),
}
"""Sources by the names of scenes, in the order of the gallery."""
