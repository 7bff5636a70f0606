"""Nothing is ever sent anywhere: the whole program runs with the network calls trapped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TRAP = """
import sys
def trap(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto", "socket.gethostbyname"):
        # a local X11 or D-Bus socket is a file, not the network
        if event in ("socket.connect", "socket.bind") and isinstance(arguments[1], (str, bytes)):
            return
        raise SystemExit(f"network call: {event} {arguments}")
sys.addaudithook(trap)
"""


def _run(program: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "QT_QPA_PLATFORM": "offscreen",
        "WATTSWEIGHTS_HOME": str(tmp_path / "home"),
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.run(
        [sys.executable, "-c", TRAP + program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=120,
        env=environment,
        check=False,
    )


@pytest.mark.parametrize(
    "commands",
    [
        [["examples"], ["new", "a.watts", "--example", "1t-30-days"], ["size", "a.watts", "--json"]],
        [["new", "a.watts", "--example", "512-against-256"], ["levers", "a.watts"], ["search", "a.watts"]],
        [["new", "a.watts", "--example", "two-phase-8mw"], ["report", "a.watts", "-o", "a.pdf"]],
    ],
)
def test_that_no_sub_command_opens_a_socket(commands: list[list[str]], tmp_path: Path) -> None:
    program = f"from wattsweights_gui.__main__ import run\nfor c in {commands!r}:\n    assert run(c) == 0, c\n"
    done = _run(program, tmp_path)
    assert done.returncode == 0, done.stderr


def test_that_the_trap_would_catch_a_call(tmp_path: Path) -> None:
    done = _run("import socket\nsocket.create_connection(('127.0.0.1', 9), 1)", tmp_path)
    assert "network call" in done.stderr
