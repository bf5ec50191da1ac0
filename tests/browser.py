"""Chromium without a screen, driven through its own protocol (Chrome DevTools Protocol) over a pair of pipes.

Mouse, touch and keys are events of the browser, as a person makes them.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu-sandbox"),
    *(
        "--remote-debugging-pipe",
        "--no-first-run",
        "--disable-extensions",
        "--disable-background-networking",
        "--mute-audio",
    ),
    *("--disable-dev-shm-usage", "--hide-scrollbars", "--force-color-profile=srgb"),
)
SOFTWARE = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
"""Flags with which the processor draws, on every machine alike."""
KEYS = {" ": ("Space", 32), "ArrowRight": ("ArrowRight", 39), "ArrowLeft": ("ArrowLeft", 37), "Home": ("Home", 36)}
KEYS |= {"End": ("End", 35), "Escape": ("Escape", 27), "Tab": ("Tab", 9), "Enter": ("Enter", 13)}
KEYS |= {"PageUp": ("PageUp", 33), "PageDown": ("PageDown", 34)}
PATIENCE = 60.0  # [s] for an answer


class Browser:
    """One page of a browser."""

    def __init__(self, read: int, write: int):
        self._read, self._write, self._rest = read, write, b""
        self._number, self._session = 0, None
        self.messages: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **values: Any) -> dict[str, Any]:
        """The result of a method of the protocol."""
        self._number += 1
        number, message = self._number, {"id": self._number, "method": method, "params": values}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self.messages.append(answer)

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._read, 2**20)
            assert more, "the browser has ended"
            self._rest += more
        one, _, self._rest = self._rest.partition(b"\0")
        return json.loads(one)

    def open(
        self,
        path: Path,
        size: tuple[int, int] = (1200, 800),
        theme: str = "dark",
        language: str = "en",
        touch: bool = False,
        plays: bool = False,
    ) -> None:
        """Load a file and wait until its player is ready, or says why not; unless it `plays`, it stands still."""
        width, height = size
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)
        features = {"prefers-color-scheme": theme, "prefers-reduced-motion": "no-preference" if plays else "reduce"}
        self.call(
            "Emulation.setEmulatedMedia", features=[{"name": name, "value": value} for name, value in features.items()]
        )
        self.call("Emulation.setUserAgentOverride", userAgent="test", acceptLanguage=language)
        self.messages.clear()
        self.call("Page.navigate", url=path.absolute().as_uri())
        self.wait("window.polhode !== undefined || document.getElementById('notice')?.textContent.length > 12")

    def run(self, script: str) -> Any:
        """The value of an expression in the page; a promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, script: str, seconds: float = PATIENCE) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + seconds
        while not self.run(f"Boolean({script})"):
            assert time.monotonic() < end, f"{script} is never true; {self.errors()}"
            time.sleep(0.05)

    def errors(self) -> list[str]:
        """Errors of the page: exceptions, errors in its log, requests."""
        self.run("0")
        found = []
        for message in self.messages:
            about = message.get("params", {})
            if message.get("method") == "Runtime.exceptionThrown":
                found.append(json.dumps(about["exceptionDetails"])[:2000])
            elif message.get("method") == "Log.entryAdded" and about["entry"]["level"] == "error":
                found.append(about["entry"]["text"])
            elif message.get("method") == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning"):
                found.append(str([each.get("value") for each in about["args"]]))
        return found

    def requests(self) -> list[str]:
        """Addresses that the page has asked for."""
        self.run("0")
        sent = [
            each["params"]["request"]["url"]
            for each in self.messages
            if each.get("method") == "Network.requestWillBeSent"
        ]
        return [address for address in sent if not address.startswith(("data:", "blob:"))]

    def press(self, key: str, shift: bool = False) -> None:
        """Press and release a key."""
        code, number = KEYS.get(key, (f"Key{key.upper()}", ord(key[0].upper())))
        about = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": 8 if shift else 0}
        typed = "\r" if key == "Enter" else key  # by this text Enter presses a button
        text = {"text": typed} if len(typed) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **about, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **about)

    def middle(self, selector: str) -> tuple[float, float]:
        """The middle of an element."""
        place = self.run(
            f"(r => [r.x + r.width / 2, r.y + r.height / 2])"
            f"(document.querySelector({selector!r}).getBoundingClientRect())"
        )
        return place[0], place[1]

    def click(self, selector: str) -> None:
        """Click the middle of an element, after scrolling to it."""
        self.run(f"document.querySelector({selector!r}).scrollIntoView({{block: 'nearest'}})")
        self.drag([self.middle(selector)])

    def drag(self, places: list[tuple[float, float]]) -> None:
        """Press the left button at the first place, move through the others, release it."""
        (x, y), *others = places
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", buttons=1, clickCount=1)
        for x, y in others:
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left", buttons=1)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="left", clickCount=1)

    def touch(self, places: list[tuple[float, float]]) -> None:
        """Put a finger down at the first place, move it through the others, lift it."""
        for number, (x, y) in enumerate(places):
            self.call(
                "Input.dispatchTouchEvent", type="touchMove" if number else "touchStart", touchPoints=[{"x": x, "y": y}]
            )
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def pinch(self, x: float, y: float, distances: list[float]) -> None:
        """Put two fingers down beside a place, move them to other distances from each other [pixel], lift them."""
        for number, apart in enumerate(distances):
            fingers = [{"x": x + side * apart / 2, "y": y, "id": side} for side in (-1, 1)]
            self.call("Input.dispatchTouchEvent", type="touchMove" if number else "touchStart", touchPoints=fingers)
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def wheel(self, x: float, y: float, by: float) -> None:
        """Turn the wheel."""
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=by)

    def picture(self, path: Path) -> None:
        """Save a picture of the page (PNG)."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


@contextmanager
def browser(graphics: tuple[str, ...] = SOFTWARE, program: str | None = CHROMIUM) -> Iterator[Browser]:
    """Context manager of a browser with one page; it ends with it. graphics: flags that choose what draws"""
    assert program is not None
    (child_read, write), (read, child_write) = os.pipe(), os.pipe()
    with TemporaryDirectory(prefix="polhode-browser-") as folder:
        # the browser reads from its descriptor 3 and writes to 4; dash takes no descriptors of two digits
        command = [
            "bash",
            "-c",
            f'exec "$0" "$@" 3<&{child_read} 4>&{child_write}',
            program,
            *FLAGS,
            *graphics,
            f"--user-data-dir={folder}",
        ]
        process = subprocess.Popen(
            command, pass_fds=(child_read, child_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(child_read)
        os.close(child_write)
        try:
            yield Browser(read, write)
        finally:
            os.close(write)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            os.close(read)
