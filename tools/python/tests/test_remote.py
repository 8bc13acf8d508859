"""Devices on another machine, with a program in place of ssh that runs everything here. Tests/Farm has real ones."""
import io
import os
import pathlib
import stat
import tarfile

import blemu
import pytest
from blemu import shipping
from blemu.remote import Host
from conftest import LAMP

SSH = """#!/bin/sh
# Forwards a socket with a symbolic link: ssh … -L HERE:THERE -- HOST COMMAND…
while [ "$1" != -- ]; do
  case $1 in -O) exit 255 ;; -L) ln -s "${2#*:}" "${2%%:*}" ;; esac
  shift
done
shift 2
exec sh -c "$*"
"""


@pytest.fixture
def host(tmp_path):
    ssh = tmp_path / "ssh"
    ssh.write_text(SSH)
    ssh.chmod(ssh.stat().st_mode | stat.S_IXUSR)
    return Host("pi1", [str(ssh)])


@pytest.fixture
def options(host):
    return {"host": host, "program": os.environ["BLEMU"]}


def names(definition):
    with tarfile.open(fileobj=io.BytesIO(shipping.archive(definition))) as tar:
        return tar.getnames()


def write(folder, **files):
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)


def test_runs_a_definition_there(options):
    with blemu.run(LAMP, settings={"level": 3}, **options) as lamp:
        there = pathlib.Path(lamp.status().file)
        assert there.parent.parent == pathlib.Path("/tmp") and there.name == LAMP.name
        assert stat.S_IMODE(there.parent.stat().st_mode) == 0o700
        assert lamp.get("level") == 3
        with lamp.intercept("> switch", lambda event: b"\x01"), lamp.central() as phone:
            phone.subscribe("switch")
            phone.write("switch", b"\x00")
            lamp.expect("< switch 01", after=0)
    assert not there.parent.exists()


def test_holds_a_clock_there(options):
    with blemu.run(LAMP, hold_clock=True, **options) as lamp:
        with pytest.raises(blemu.ExpectationError):
            lamp.expect("connect", within=3600)
        assert lamp.status().seconds == 3600


def test_shows_the_log(options, capfd):
    with blemu.run("hm-10", log="text", **options):
        pass
    assert "on the air" in capfd.readouterr().out


def test_ends_with_its_connection(options):
    with blemu.run("hm-10", **options) as module:
        module._run.process.stdin.close()
        with pytest.raises(blemu.EndedError, match="^the device has ended"):
            module.expect("connect")


def test_sends_what_a_definition_names(tmp_path):
    write(tmp_path, lamp_yaml="blemu: 1\nextends: base.yaml\ndata: { days: { file: 'days.csv' } }\n", base_yaml="blemu: 1\nextends: hm-10\n",
          days_csv="day\n", lamp_svg="<svg/>", base_svg="<svg/>", other_yaml="blemu: 1\n")
    assert names(tmp_path / "lamp.yaml") == ["base.svg", "base.yaml", "days.csv", "lamp.svg", "lamp.yaml"]


def test_sends_definitions_that_extend_each_other_once(tmp_path):
    write(tmp_path, a_yaml="extends: b.yaml\n", b_yaml="extends: a.yaml\n")
    assert names(str(tmp_path / "a.yaml")) == ["a.yaml", "b.yaml"]


@pytest.mark.parametrize("definition, expected", [
    ("hm-10", False), ("lamp.yaml", True), ("lamp.yml", True), ("./lamp", True), (pathlib.Path("lamp"), True)])
def test_tells_files_from_bundled_definitions(definition, expected):
    assert shipping.is_file(definition) is expected


@pytest.mark.parametrize("status, sentence, hint", [
    (255, "cannot connect to pi1", "'ssh pi1 blemu ps' shows whether it is back"),
    (127, "pi1: blemu did not start (exit status 127)", "install blemu on pi1, or name its path there as the program")])
def test_says_what_is_wrong_with_the_machine(tmp_path, status, sentence, hint):
    (tmp_path / "ssh").write_text(f"#!/bin/sh\nexit {status}\n")
    (tmp_path / "ssh").chmod(0o700)
    with pytest.raises(blemu.Error) as caught, blemu.run("hm-10", host=Host("pi1", [str(tmp_path / "ssh")])):
        pass
    assert (caught.value.message, caught.value.hint) == (sentence, hint)


def test_needs_the_plugin_of_labgrid(pytester):
    pytester.makepyfile("import pytest\n@pytest.mark.blemu('hm-10', on='labgrid')\ndef test_it(blemu_device): pass\n")
    result = pytester.runpytest("-p", "blemu.pytest_plugin", "-p", "no:cacheprovider", "-p", "no:labgrid")
    result.stdout.fnmatch_lines(["'labgrid' needs the plugin of labgrid: pip install 'blemu[[]labgrid[]]'"])
