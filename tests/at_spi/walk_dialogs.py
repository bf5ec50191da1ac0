"""Opens dialogs of the program, walks their trees through AT-SPI, and goes through them by Tab; see bus.py.

python3 walk_dialogs.py FILE DIALOG,DIALOG... COMMAND ... starts the program, which opens the dialog that a line of
its input names. For each dialog it writes as JSON the nodes of its tree with role, name, states and description,
which of them had the focus as Tab was pressed, one after another. Escape closes it, or the process ends with an error.
"""

from __future__ import annotations

import json
import sys

from bus import PATIENCE, Atspi, application, described, find, has, iterate, nodes, press, running, until, windows

MOST = 120  # keys, after which Tab counts as one that never comes back


def focused(tree: list[Atspi.Accessible]) -> list[int]:
    """Index of the innermost control that has the focus, if any; the area inside a text says that it has it, too."""
    return [index for index, node in enumerate(tree) if has(node, "FOCUSED", "FOCUSABLE")][-1:]


def tab_order(tree: list[Atspi.Accessible]) -> list[int]:
    """Indices of the nodes that have the focus, from the first one until one comes again."""
    order: list[int] = []
    for _ in range(MOST):
        (now,) = until(lambda: focused(tree), "a control of the dialog has the focus")
        if now in order:
            return order
        order.append(now)
        press("Tab")
        iterate(0.1)
    raise SystemExit(f"Tab never comes back: {[described(tree[index]) for index in order]}")


def is_on_top(shown: list[Atspi.Accessible], dialogs: int) -> bool:
    """Whether so many dialogs are over the window, and the last of these windows has the keyboard."""
    return len(shown) == 1 + dialogs and has(shown[-1], "ACTIVE")


def walk(root: Atspi.Accessible, depth: int) -> dict[str, object]:
    """Contents of a dialog as soon as it is open; `depth`: 1 for the first dialog, 2 for one opened from it."""
    dialog = until(lambda: len(windows(root)) == 1 + depth and windows(root)[-1], "a dialog is open")
    iterate(0.5)
    tree = nodes(dialog)
    found = {"nodes": [described(node) for node in tree], "order": tab_order(tree)}
    for left in reversed(range(depth)):
        press("Escape")
        until(lambda left=left: is_on_top(windows(root), left), f"Escape closes '{dialog.get_name()}'")
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
            found[name] = walk(root, 1 + name.count("/"))
        with open(result, "w") as file:  # noqa: PTH123  (of any Python 3)
            json.dump(found, file)


if __name__ == "__main__":
    main()
