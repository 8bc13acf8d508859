"""Starting and stopping a device."""
import os
import pathlib
import shutil
import signal

import blemu
import pytest
from blemu.command import RunCommand, find_program
from conftest import LAMP


def test_runs_with_settings_and_stops_at_the_end():
    with blemu.run(LAMP, settings={"level": 2, "local-name": "Robot"}) as lamp:
        status = lamp.status()
        assert status.on_air and status.device_name == "Robot"
        assert lamp.get("level") == 2
    assert not os.path.exists(lamp.path)
    with pytest.raises(ProcessLookupError):
        os.kill(status.process, 0)


def test_attaches_a_program_to_the_wire_side():
    with blemu.run(LAMP, wire="exec printf '\\245\\007'") as lamp:
        lamp.expect("] wire turn state=7")


def test_lets_a_device_stop_itself():
    with blemu.run(LAMP) as lamp:
        lamp.stop()


def test_says_what_blemu_said_if_it_does_not_start():
    with pytest.raises(blemu.Error) as caught, blemu.run("no-such-device"):
        pass
    assert caught.value.message.startswith(
        "blemu did not start (exit status 66):\nblemu: there is no definition 'no-such-device'\n")


def test_says_that_there_is_no_program(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(blemu.Error, match="cannot run /opt/no-blemu: No such file or directory\n"):
        with blemu.run(LAMP, program="/opt/no-blemu"):
            pass
    assert list(tmp_path.iterdir()) == []


def test_says_why_a_device_does_not_get_on_the_air():
    with pytest.raises(blemu.Error, match=r"\(exit status \d+\):\n(.*\n)*blemu: .*"), blemu.run(LAMP, on="bluez:hci99"):
        pass


def test_says_that_blemu_has_not_ended_well():
    with pytest.raises(blemu.Error, match=r"blemu did not end well \(killed by signal 9\)"):
        with blemu.run(LAMP) as lamp:
            os.kill(lamp.status().process, signal.SIGKILL)


def test_keeps_the_failure_of_a_test():
    with pytest.raises(ZeroDivisionError), blemu.run(LAMP) as lamp:
        1 / 0
    assert not os.path.exists(lamp.path)


def test_ends_a_device_whose_start_is_interrupted(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(blemu.Run, "_connect", lambda self: (_ for _ in ()).throw(KeyboardInterrupt()))
    run = blemu.run(LAMP)
    with pytest.raises(KeyboardInterrupt), run:
        pass
    assert run.process.returncode is not None
    assert list(tmp_path.iterdir()) == []


def test_leaves_no_files(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with blemu.run(LAMP):
        assert len(list(tmp_path.iterdir())) == 1
    with pytest.raises(blemu.Error), blemu.run("no-such-device"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_writes_the_command_line():
    command = RunCommand(
        pathlib.Path("lamp.yaml"), "bluez:hci0", {"level": 3, "loud": True}, seed=7, state="lamp.state",
        faults=["drop on switch", "reboot after 5s"],
        wire="exec python3 -u 'my robot.py'", log="json", hold_clock=True, link_time=True, arguments=["--forget-bonds"])
    assert command.words("blemu", "/run/lamp.sock") == [
        "blemu", "run", "lamp.yaml", "--on", "bluez:hci0", "--log", "json", "--control", "/run/lamp.sock",
        "--set", "level=3", "--set", "loud=true", "--seed", "7", "--state", "lamp.state", "--fault", "drop on switch", "--fault", "reboot after 5s", "--hold-clock", "--link-time", "--forget-bonds",
        "--exec", "python3", "-u", "my robot.py"]


def test_a_text_is_one_fault():
    words = RunCommand("hm-10", "loopback", faults="drop on switch").words("blemu", "socket")
    assert words[-2:] == ["--fault", "drop on switch"]


@pytest.mark.parametrize("wire", ["hm10", "pty", "pigeon post"])
def test_explains_the_wire_side(wire):
    with pytest.raises(ValueError, match="as in 'pty hm10'"):
        RunCommand("hm-10", "loopback", wire=wire).words("blemu", "socket")


def test_finds_the_program(tmp_path, monkeypatch):
    on_path = tmp_path / "blemu"
    shutil.copy("/bin/true", on_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("BLEMU", "/opt/blemu")
    assert find_program("/given/blemu") == "/given/blemu"
    assert find_program() == "/opt/blemu"
    monkeypatch.delenv("BLEMU")
    assert find_program() == str(on_path)
