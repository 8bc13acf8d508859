"""The package as pip installs it."""
import pathlib
import shutil
import site
import subprocess
import sys
import zipfile

import pytest
from conftest import LAMP

PACKAGE = pathlib.Path(__file__).resolve().parents[1]

TEST = f'''
import pytest

@pytest.mark.blemu({str(LAMP)!r})
def test_level(blemu_device):
    blemu_device.set(level=3)
    assert blemu_device.get("level") == 3
'''


def call(*command, **options):
    """Runs a program without this environment's own package, and returns its output."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy without the traces of other builds."""
    folder = tmp_path_factory.mktemp("wheel")
    source = shutil.copytree(PACKAGE, folder / "tools/python", ignore=shutil.ignore_patterns("build", "*.egg-info", "tests"))
    for needed in ("Sources", "tools/version"):
        (folder / needed).symlink_to(PACKAGE.parents[1] / needed)
    call(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-build-isolation", "--no-deps",
         "--disable-pip-version-check", "--wheel-dir", folder, source)
    [wheel] = folder.glob("*.whl")
    return wheel


def test_builds_a_wheel(wheel):
    assert wheel.name.startswith("blemu-") and wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"blemu/__init__.py", "blemu/py.typed", "blemu/bleak/__main__.py", "blemu/pytest_plugin.py", "blemu-bleak.pth"} <= set(names)
    metadata = zipfile.ZipFile(wheel).read(next(name for name in names if name.endswith("/METADATA"))).decode()
    assert "Requires-Python: >=3.9" in metadata
    assert all("extra == " in line for line in metadata.splitlines() if line.startswith("Requires-Dist"))


def test_installs_with_its_plugin(wheel, tmp_path, monkeypatch):
    monkeypatch.delenv("PYTHONPATH")
    call(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv")
    python = tmp_path / "venv/bin/python"
    folder = call(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'), end='')")
    pathlib.Path(folder, "pytest.pth").write_text("\n".join(site.getsitepackages()))  # where this pytest is
    call(sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check",
         "--root-user-action", "ignore", "--target", folder, wheel)
    (tmp_path / "test_lamp.py").write_text(TEST)
    assert "1 passed" in call(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_lamp.py", cwd=tmp_path)
