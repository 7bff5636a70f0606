"""A canary for the PySide6 release that loses a reference to None on each call that returns nothing."""

from __future__ import annotations

import subprocess
import sys


def test_that_ten_thousand_calls_that_return_nothing_leave_the_interpreter_alive() -> None:
    program = (
        "from PySide6.QtCore import QObject\no = QObject()\nfor _ in range(10000): o.setObjectName('x')\nprint('alive')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.strip() == "alive", done.stderr
