"""Command line of the fuzzer.

    python -m tests.fuzz                          all readers in turn, ten minutes in all
    python -m tests.fuzz mesh --minutes 2         one of them
    python -m tests.fuzz scene --cases 5000 --seed 0
    python -m tests.fuzz all --long               as many cases as a long campaign has
    python -m tests.fuzz mesh .fuzz/found/mesh/0123456789ab.stl    a saved case again

Prints one line for each reader. Exit status 1 if there is a fault. `--grow` adds new outcomes to tests/fuzz/corpus.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from fuzz.campaign import Campaign, Tally
from fuzz.case import FAULTS, Target
from fuzz.readers import TARGETS

MOST = 10**9  # cases of a campaign that ends by its time


def main() -> int:
    """Fuzz, or read saved cases again."""
    options = _options()
    targets = [*TARGETS.values()] if options.reader == "all" else [TARGETS[options.reader]]
    if options.file:
        return max(_again(targets[0], path) for path in options.file)
    minutes = options.minutes or (1e9 if options.cases is not None or options.long or options.quick else 10.0)
    faults = 0
    for target in targets:
        tally = _campaign(target, options, 60.0 * minutes / len(targets))
        print(tally, flush=True)
        for outcome, path in tally.faults:
            print(f"  {outcome.kind}: {outcome.label}\n    python -m tests.fuzz {target.name} {path}", flush=True)
        if options.outcomes:
            for outcome, count in tally.labels.most_common():
                print(f"  {count:8d} {outcome.kind}: {outcome.label}")
        faults += len(tally.faults)
    return min(faults, 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz the readers of files and lines.")
    parser.add_argument("reader", nargs="?", default="all", choices=["all", *TARGETS])
    parser.add_argument("file", nargs="*", type=Path, help="saved cases to read again")
    parser.add_argument("--minutes", type=float, help="for all readers together; 10 unless --cases is given")
    parser.add_argument("--cases", type=int, help="for each reader")
    parser.add_argument("--quick", action="store_true", help="as few cases as the ordinary tests have")
    parser.add_argument("--long", action="store_true", help="as many cases as a long campaign has")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="number of the first case is 10^9 times it")
    parser.add_argument("--grow", action="store_true", help="add inputs with new outcomes to the corpus")
    parser.add_argument("--outcomes", action="store_true", help="list all outcomes")
    return parser.parse_args()


def _campaign(target: Target, options: argparse.Namespace, seconds: float) -> Tally:
    """The corpus, then new cases."""
    campaign = Campaign(target, options.grow)
    campaign.known()
    wanted = target.goal if options.long else target.quick if options.quick else MOST
    return campaign.run(options.seed * MOST, wanted if options.cases is None else options.cases, seconds)


def _again(target: Target, path: Path) -> int:
    """Read a saved case in this process, without limits, so that its traceback is printed; 1 for a fault."""
    outcome = target.outcome(path.absolute())
    print(f"{path}: {outcome.kind}: {outcome.label}")
    if outcome.kind in FAULTS:
        target.read(path.absolute(), path.read_bytes())
    return int(outcome.kind in FAULTS)


if __name__ == "__main__":
    sys.exit(main())
