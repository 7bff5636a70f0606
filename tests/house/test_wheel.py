"""The built wheel carries its resources and works without the source tree."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target), str(ROOT)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    wheel = next(target.glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target / "site")
    return target / "site"


def _run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = (
        "import sys; sys.path = [p for p in sys.path if p not in ('', sys.argv[2])]; sys.path.insert(0, sys.argv[1]);"
        "sys.argv = ['wattsweights', *sys.argv[3:]];"
        "import wattsweights_gui; assert wattsweights_gui.__file__.startswith(sys.path[0]), wattsweights_gui.__file__;"
        "from wattsweights_gui.__main__ import main; main()"
    )
    return subprocess.run(
        [sys.executable, "-c", program, str(site), str(ROOT), *arguments],
        capture_output=True,
        text=True,
        cwd=site,
        timeout=120,
        check=False,
    )


def test_that_the_wheel_lists_sizes_and_prints_an_example(unpacked: Path, tmp_path: Path) -> None:
    assert "1t-30-days" in _run(unpacked, "examples").stdout
    project = str(tmp_path / "a.watts")
    assert _run(unpacked, "new", project, "--example", "1t-30-days").returncode == 0
    sized = _run(unpacked, "size", project)
    assert sized.returncode == 0, sized.stderr
    printed = _run(unpacked, "report", project, "-o", str(tmp_path / "a.pdf"))
    assert printed.returncode == 0, printed.stderr
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
