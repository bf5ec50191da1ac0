"""Search for equilibria in a background thread. No Qt."""

from __future__ import annotations

from polhode.equilibria.equilibria import Equilibria, find_equilibria
from polhode.equilibria.pose import Pose
from polhode.scene.message import Message
from polhode.scene.scene import Scene
from polhode.simulation.units import units_of_equilibria
from polhode_app.compilation.missing_units import compile_missing
from polhode_app.jobs import CheckCancelled, Job


class EquilibriaSearch(Job):
    """A Job whose result are `Equilibria`, or the InputError of a scene that can't be searched.

    Its progress is the part of the starts that is done, 0 to 1.
    """

    def __init__(self) -> None:
        super().__init__("equilibria", Message("the equilibria could not be computed"))
        self._found: list[Equilibria] = []  # so far, since the last look; another list for another search

    def search(self, scene: Scene, starts: int, time_limit: float, present: Pose | None = None) -> None:
        """Search in a scene, also from the pose `present`; a running search is cancelled."""
        newest = list[Equilibria]()

        def work(check_cancelled: CheckCancelled) -> Equilibria:
            def found(so_far: Equilibria) -> None:
                check_cancelled()
                newest[:] = [so_far]

            compile_missing(units_of_equilibria(), check_cancelled)
            return find_equilibria(
                scene,
                starts,
                time_limit=time_limit,
                progress=check_cancelled.report,
                check_cancelled=check_cancelled,
                present=present,
                found=found,
            )

        self.start(work)
        self._found = newest

    def cancel(self) -> None:
        """End the search; its result is dropped."""
        super().cancel()
        self._found = []

    def found(self) -> Equilibria | None:
        """Equilibria found so far, if there are more than at the last call."""
        return self._found.pop() if self._found else None
