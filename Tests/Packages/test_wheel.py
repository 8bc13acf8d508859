"""The Python wheel: what is in it, where pip installs it and where not, and what the installed program and plugin do."""
import email
import os
import re
import shutil
import subprocess
import urllib.request
import zipfile

import pytest
from commands import ALONE, REPOSITORY, call, downloaded, made, save_test_of_the_tag, tool

PIP = ("/usr/bin/python3", "-m", "pip", "--quiet", "--disable-pip-version-check")


@pytest.fixture(scope="session")
def pytest_of_pypi():
    return downloaded(REPOSITORY / "tools/package.d/image.d/requirements.txt")


@pytest.fixture(scope="session")
def environment(tmp_path_factory, wheel, pytest_of_pypi):
    """A virtual environment with the wheel and pytest."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    call("/usr/bin/python3", "-m", "venv", folder)
    call(folder / "bin/pip", "install", "--quiet", "--no-index", "--find-links", pytest_of_pypi, wheel, "pytest")
    return folder


@pytest.fixture
def tag_test(tmp_path):
    save_test_of_the_tag(tmp_path)
    return tmp_path


def files(folder):
    return {path.relative_to(folder) for path in folder.rglob("*")}


# --- The file

def test_a_second_wheel_has_the_same_bytes(wheel, tmp_path):
    again = made("wheel", tmp_path)
    assert (again.name, again.read_bytes()) == (wheel.name, wheel.read_bytes())


def test_its_name_says_what_auditwheel_says(wheel, tmp_path):
    links = downloaded(REPOSITORY / "Tests/Packages/auditwheel.txt")
    call(*PIP, "install", "--no-index", "--find-links", links, "--root-user-action", "ignore", "--target", tmp_path / "auditwheel", "auditwheel")
    said = call("/usr/bin/python3", "-m", "auditwheel", "show", wheel, env=os.environ | {"PYTHONPATH": str(tmp_path / "auditwheel")})
    [tag] = re.findall(r'is\s+consistent\s+with\s+the\s+following\s+platform\s+tag:\s+"(\w+)"', said)
    assert wheel.name == f"blemu-{tool('version')}-py3-none-{tag}.whl"


def test_each_file_is_as_its_record_says(wheel, tmp_path):
    call("/usr/bin/python3", "-m", "wheel", "unpack", "--dest", tmp_path, wheel)


def test_it_has_the_licences_of_what_is_linked_in(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    licences = {name.rpartition("/")[2] for name in names if ".dist-info/licenses/" in name}
    assert {"blemu", "swift", "libdbus-1-dev", "libglib2.0-dev", "libgmp-dev", "libyaml-dev", "nettle-dev"} <= licences
    metadata = email.message_from_bytes(zipfile.ZipFile(wheel).read(next(name for name in names if name.endswith("/METADATA"))))
    assert set(metadata.get_all("License-File")) == licences
    assert {"Apache-2.0", "LGPL-2.1-or-later"} <= set(metadata["License-Expression"].split(" AND "))


@pytest.mark.parametrize("platform", ["manylinux_2_34_{}", "musllinux_1_2_{}", "manylinux_2_35_riscv64", "macosx_14_0_arm64"])
def test_pip_refuses_it_elsewhere(wheel, tmp_path, platform):
    said = call(*PIP, "install", "--platform", platform.format(os.uname().machine), "--only-binary=:all:", "--no-deps", "--target", tmp_path,
                wheel, status=1)
    assert "is not a supported wheel on this platform" in said


def test_pip_refuses_half_of_it(wheel, tmp_path):
    half = tmp_path / wheel.name
    half.write_bytes(wheel.read_bytes()[:-10_000])
    said = call(*PIP, "install", "--no-deps", "--target", tmp_path / "target", half, status=1)
    assert "invalid" in said and not (tmp_path / "target").exists()


# --- Installed

def test_readme_s_test_passes_on_debian_13_with_python_alone(wheel, pytest_of_pypi, tag_test):
    root = tool("debian", "trixie", "clients")
    shutil.copytree(pytest_of_pypi, tag_test / "wheels")
    shutil.copy(wheel, tag_test / "wheels")
    script = """
        mount --make-rprivate /
        mount -t tmpfs tmpfs /mnt
        mkdir /mnt/upper /mnt/work /mnt/root
        mount -t overlay -o "lowerdir=$1,upperdir=/mnt/upper,workdir=/mnt/work" overlay /mnt/root
        mount --bind "$2" /mnt/root/mnt
        mount -t proc proc /mnt/root/proc
        exec chroot /mnt/root sh -ec '
            cd /mnt
            python3 -m venv /venv
            /venv/bin/pip install --quiet --no-index --find-links wheels blemu pytest
            PATH=/venv/bin:$PATH pytest test_tag.py'"""
    said = call("unshare", "--mount", "--net", "bash", "-ec", script, "bash", root, tag_test)
    assert "1 passed" in said


def test_the_plugin_runs_the_program_of_its_own_environment(environment, tag_test):
    other = tag_test / "bin/blemu"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\necho this is another version\nexit 1\n")
    other.chmod(0o755)
    said = call(environment / "bin/pytest", "-p", "no:cacheprovider", "test_tag.py", cwd=tag_test,
                env=ALONE | {"PATH": f"{other.parent}:/usr/bin:/bin"})
    assert "1 passed" in said


def test_all_bundled_devices_are_there(environment):
    said = call(environment / "bin/blemu", "list")
    assert {"hm-10", "itag", "bracelet"} <= set(said.split())
    assert "0 failed" in call(environment / "bin/blemu", "test", "itag")


def test_it_has_the_reference_and_the_manual(environment):
    assert "Which rule fires" in call(environment / "bin/blemu", "help", "rules")
    assert "blemu help messages checksums\n" in call(environment / "bin/blemu", "help", "-k", "checksum")
    assert "blemu help virtual-time" in call(environment / "bin/blemu", "help", "python")
    pages = {path.name for path in (environment / "share/man").rglob("*.*")}
    assert pages == {"blemu.1", "blemu-definition.5", "blemu-transcript.5", "blemu-control.7"}


@pytest.mark.parametrize("options, prefix", [(["--user", "--break-system-packages"], ".local"), (["--target", "target"], "target")])
def test_other_folders(wheel, tmp_path, options, prefix):
    home = ALONE | {"HOME": str(tmp_path)}
    call(*PIP, "install", "--root-user-action", "ignore", "--no-index", *options, wheel, cwd=tmp_path, env=home)
    assert "0 failed" in call(tmp_path / prefix / "bin/blemu", "test", "itag", env=home)
    find = "from blemu.command import find_program; print(find_program())"
    path = home | ({"PYTHONPATH": str(tmp_path / prefix)} if prefix == "target" else {})
    assert call("/usr/bin/python3", "-c", find, env=path).strip() == str(tmp_path / prefix / "bin/blemu")


def test_it_has_the_page(environment, tmp_path):
    with subprocess.Popen([environment / "bin/blemu", "web", "--listen", "0"], stdout=subprocess.PIPE, text=True,
                          env=ALONE | {"XDG_RUNTIME_DIR": str(tmp_path)}) as server:
        address = server.stdout.readline().partition("#")[0]
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address, timeout=60) as answer:
            assert b"<title>" in answer.read()
        server.terminate()
    assert server.returncode == 0


def test_another_version_takes_its_place_and_nothing_remains(wheel, environment, tmp_path):
    venv = shutil.copytree(environment, tmp_path / "venv", symlinks=True)
    pip = (venv / "bin/python", *PIP[1:])
    call(*pip, "uninstall", "--yes", "blemu")
    without = files(venv)
    call(*pip, "install", "--no-index", older(wheel, tmp_path))
    assert (venv / "share/blemu/old").exists()
    call(*pip, "install", "--no-index", wheel)
    assert not (venv / "share/blemu/old").exists()
    call(*pip, "uninstall", "--yes", "blemu")
    assert files(venv) - without == set()


def older(wheel, folder):
    """The same wheel as version 0.0.1, with a further file."""
    version = wheel.name.split("-")[1]
    path = folder / wheel.name.replace(version, "0.0.1")
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as target:
        for name in source.namelist():
            content = source.read(name)
            if name.endswith(("/METADATA", "/RECORD")):
                content = content.replace(version.encode(), b"0.0.1")
            if name.endswith("/RECORD"):
                content += b"blemu-0.0.1.data/data/share/blemu/old,,\n"
            target.writestr(name.replace(f"blemu-{version}", "blemu-0.0.1"), content)
        target.writestr("blemu-0.0.1.data/data/share/blemu/old", "")
    return path
