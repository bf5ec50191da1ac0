"""Opens dialogs of the program, walks their trees through AT-SPI, and goes through them by Tab; see bus.py.

python3 walk_dialogs.py FILE DIALOG,DIALOG... COMMAND ... starts the program, which opens the dialog that a line of
its input names. For each dialog it writes as JSON the nodes of its tree with role, name, states and description,
which of them had the focus as Tab was pressed, one after another, and whether Escape has closed it.
"""

from __future__ import annotations

import json
import sys

from bus import PATIENCE, Atspi, application, described, find, has, iterate, nodes, press, running, until, windows

MOST = 120  # keys, after which Tab counts as one that never comes back


def focused(tree: list[Atspi.Accessible]) -> int | None:
    """Index of the innermost control that has the focus; the area inside a text says that it has it, too."""
    found = [index for index, node in enumerate(tree) if has(node, "FOCUSED", "FOCUSABLE")]
    return found[-1] if found else None


def tab_order(tree: list[Atspi.Accessible]) -> list[int]:
    """Indices of the nodes that have the focus, from the first one until one comes again."""
    order: list[int] = []
    for _ in range(MOST):
        now = until(lambda: focused(tree) is not None and [focused(tree)], "a control of the dialog has the focus")[0]
        if now in order:
            return order
        order.append(now)
        press("Tab")
        iterate(0.1)
    raise SystemExit(f"Tab never comes back: {[described(tree[index]) for index in order]}")


def walk(root: Atspi.Accessible) -> dict[str, object]:
    """What a dialog has, as soon as it is the only one."""
    dialog = until(lambda: len(windows(root)) == 2 and windows(root)[-1], "a dialog is open")
    iterate(0.5)
    tree = nodes(dialog)
    found = {"nodes": [described(node) for node in tree], "order": tab_order(tree)}
    press("Escape")
    until(lambda: [has(window, "ACTIVE") for window in windows(root)] == [True], f"Escape closes '{dialog.get_name()}'")
    return found


def main() -> None:
    result, names, *command = sys.argv[1:]
    with running(command) as program:
        root = until(lambda: application(program.pid), "a window on the bus", PATIENCE)
        until(lambda: find(root, "push button", "Pause"), "a pause button", PATIENCE)
        found = {}
        for name in names.split(","):
            print(name, file=sys.stderr, flush=True)
            program.stdin.write(f"{name}\n")
            program.stdin.flush()
            found[name] = walk(root)
        with open(result, "w") as file:  # noqa: PTH123  (of any Python 3)
            json.dump(found, file)


if __name__ == "__main__":
    main()
