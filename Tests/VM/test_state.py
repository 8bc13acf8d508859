"""Settings over a power cycle: blemu run --state FILE."""
import pytest

from att import Central
from device import DEFINITIONS, Blemu

RENAME = b"\x01"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state.yaml"


@pytest.fixture
def device(path):
    """Runs the device."""
    return lambda *arguments: Blemu(DEFINITIONS / "changing.yaml", "--state", path, *arguments)


def rename(blemu):
    """Makes a rule rename the device."""
    blemu.await_event("log", message="started with 0")
    with Central() as central:
        central.write(central.characteristic("FFE1"), RENAME)
        blemu.await_event("log", message="started with 0")  # the rule would end if the central left


def assert_kept(path):
    assert path.read_text() == 'definition: "Changing"\nsettings:\n  local-name: "After"\n'


def name(blemu):
    return blemu.happened("on-air")[0]["name"]


def test_the_next_run_advertises_a_name_set_by_a_rule(air, path, device):
    with device() as blemu:
        assert name(blemu) == "Before"
        rename(blemu)
    assert_kept(path)
    with device() as blemu:
        assert name(blemu) == "After"
        air.wait_for(lambda it: b"\x06\x09After" in it.scan_response)
    assert_kept(path)
    with device("--set", "local-name=Mine") as blemu:
        assert name(blemu) == "Mine"


def test_the_settings_survive_a_kill(path, device):
    with device() as blemu:
        rename(blemu)
        assert_kept(path)
        blemu.kill()
    assert_kept(path)
    with device() as blemu:
        assert name(blemu) == "After"


def test_settings_are_kept_before_the_answer(path):
    with Blemu("bluno", "--state", path) as blemu, Central() as central:
        command = central.characteristic("DFB2")
        central.subscribe(command)
        central.write(command, b"AT+NAME=Robot\r\n")
        assert central.notification() == b"OK\r\n"
        blemu.kill()
    assert '\n  local-name: "Robot"\n' in path.read_text()
    with Blemu("bluno", "--state", path) as blemu:
        assert name(blemu) == "Robot"


@pytest.mark.parametrize("transport", ["bluez", "exact"])
def test_a_key_that_was_drawn_at_random_stays_the_same(path, transport):
    def public_key(*arguments):
        with Blemu(DEFINITIONS / "ciphers.yaml", *arguments, on=f"{transport}:hci0"), Central() as central:
            return central.read_long(central.characteristic("FFE2"))

    first = public_key("--state", path)
    assert len(first) == 64
    assert public_key("--state", path) == first
    assert public_key() != first


def test_two_runs_do_not_share_a_file(path, device):
    with device():
        second = device()
        second.wait()
        assert second.stop() == 73
        assert f"blemu: '{path}' is in use by another blemu" in second.errors


def test_a_file_of_another_device_is_left_unchanged(path, device):
    path.write_text("definition: HM-10\n")
    blemu = device()
    blemu.wait()
    assert blemu.stop() == 65
    assert f"{path}:1:13: error: these are settings of 'HM-10', not of 'Changing'" in blemu.errors
    assert path.read_text() == "definition: HM-10\n"
