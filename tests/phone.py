"""A server that speaks the web interface of phyphox, as a phone in the same network does, with buffers that grow."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

TABLES = {
    "Gyroscope": {"Time (s)": "gyr_time", "Gyroscope y (rad/s)": "gyrY", "Temperature (K)": "none"},
    "Accelerometer": {"Time (ms)": "acc_time", "Linear x (mm/s^2)": "accX"},
}
STEP = 0.01  # [s] between two rows


class Phone(ThreadingHTTPServer):
    """A phone whose buffers get rows by `measure`."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.buffers: dict[str, list[float | None]] = {}
        self.session, self.is_measuring, self.answer = "a1b2c3", False, ""
        self.room = 0  # rows that it keeps; 0 for all
        self.paths: list[str] = []  # that were asked for
        self.released = threading.Event()  # ends answers that never end
        self.clear()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    def clear(self) -> None:
        self.buffers, self.rows = {name: [] for table in TABLES.values() for name in table.values()}, 0

    def measure(self, count: int) -> None:
        """Add rows: y is the sine of the time, x counts rows, and of the temperature there is no number."""
        for row in range(self.rows, self.rows + count):
            self.buffers["gyrY"].append(math.sin(row * STEP))
            self.buffers["none"].append(None)
            self.buffers["gyr_time"].append(row * STEP)
            self.buffers["acc_time"].append(row * 10.0)
            self.buffers["accX"].append(float(row) if row != 3 else None)
        self.rows += count
        if self.room:
            self.buffers = {name: values[-self.room :] for name, values in self.buffers.items()}

    def config(self) -> Any:
        sets = [
            {"set": name, "sources": [{"label": label, "buffer": buffer} for label, buffer in table.items()]}
            for name, table in TABLES.items()
        ]
        sizes = [{"name": name, "size": self.room} for name in self.buffers]
        return {"title": "Swing", "buffers": sizes, "inputs": [{"source": "gyroscope"}], "export": sets}

    def get(self, query: str) -> Any:
        """The values that a query asks for, as the description of the interface says."""
        given, answered = {name: list(values) for name, values in self.buffers.items()}, {}
        for name, wanted in parse_qsl(query, keep_blank_values=True):
            values, mode = given[name], wanted
            if wanted == "":
                values, mode = values[-1:], "single"
            elif wanted != "full":
                limit, _, threshold = wanted.partition("|")
                clock = given[threshold or name]
                first = next((k for k, value in enumerate(clock) if value is not None and value > float(limit)), None)
                values, mode = [] if first is None else values[first:], "partial"
            answered[name] = {"size": self.room, "updateMode": mode, "buffer": values}
        status = {"session": self.session, "measuring": self.is_measuring, "timedRun": False, "countDown": 0}
        return {"buffer": answered, "status": status}

    def control(self, query: str) -> Any:
        command = dict(parse_qsl(query)).get("cmd")
        if command in ("start", "stop"):
            self.is_measuring = command == "start"
        return {"result": command in ("start", "stop", "clear")}


class Handler(BaseHTTPRequestHandler):
    """Answers as the phone does, or in one of the bad ways that `answer` names."""

    server: Phone

    def do_GET(self) -> None:
        self.server.paths.append(self.path)
        bad = self.server.answer
        if bad == "silence":
            self.server.released.wait(20)
        elif bad == "endless":
            self._endless()
        elif bad.startswith("HTTP/"):
            self.wfile.write(bad.encode())
        elif bad == "redirect":
            self.send_response(302)
            self.send_header("Location", f"http://{self.server.address}/elsewhere")
            self.end_headers()
        elif bad:
            self._send(bad.encode())
        else:
            parts = urlsplit(self.path)
            told = {"/get": self.server.get, "/control": self.server.control}.get(parts.path)
            self._send(json.dumps(told(parts.query) if told else self.server.config()).encode())

    def _send(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def _endless(self) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            while not self.server.released.is_set():
                self.wfile.write(b"[" * 2**16)
        except OSError:
            return

    def log_message(self, *_told: Any) -> None:
        """Nothing is printed."""


@contextmanager
def running_phone() -> Iterator[Phone]:
    """A phone that answers until the context ends, or until `shutdown` and `server_close` are called."""
    phone = Phone()
    thread = threading.Thread(target=phone.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield phone
    finally:
        phone.released.set()
        phone.shutdown()
        phone.server_close()
        thread.join(5)
