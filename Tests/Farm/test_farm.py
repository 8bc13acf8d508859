"""Devices on two machines that disappear and come back, over ssh and with labgrid."""
import contextlib
import os
import pathlib
import subprocess

import blemu
import pytest
from blemu.labgrid import BlemuAdapter, BlemuDriver
from children import Child
from farm import call, until
from labgrid import Target

LAMP = pathlib.Path(__file__).resolve().parents[2] / "tools/python/tests/lamp.yaml"

TEST = f"""
import blemu, pytest

@pytest.mark.blemu({str(LAMP)!r}, settings={{"level": 3}})
def test_lamp(blemu_device):
    assert isinstance(blemu_device, blemu.Device)
    assert blemu_device.get("level") == 3
    with blemu_device.fault("drop on switch"), blemu_device.central() as phone:
        phone.subscribe("switch")
        blemu_device.wire("turn", state=1)
    blemu_device.expect("* \\"the wire turns it to 1\\"", after=0)
    assert "subscribe" in blemu_device.journal_text()
"""


@pytest.fixture
def client(tmp_path):
    """labgrid-client: returns all that it says."""
    def client(*words, status=0, **environment):
        return Child(tmp_path, "labgrid-client", *words, **environment).output(status=status)

    return client


@pytest.fixture
def acquired(client):
    """Has a place for the length of a `with` statement."""
    @contextlib.contextmanager
    def acquired(place, **user):
        assert client("-p", place, "acquire", **user) == f"acquired place {place}"
        try:
            yield place
        finally:
            client("-p", place, "release", **user)

    return acquired


@pytest.fixture
def run_pytest(farm, tmp_path):
    """Starts a user's run of pytest, on a place, with both plugins."""
    def run_pytest(text, place, **environment):
        folder = tmp_path / f"{place}-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        (folder / "test_it.py").write_text(text)
        return Child(folder, "pytest", "-q", "-p", "blemu.pytest_plugin", "-p", "no:cacheprovider", "--lg-env",
                     farm.environment(folder, place), "--blemu-on", "labgrid", "test_it.py", **environment)

    return run_pytest


def program(**options):
    return {"program": os.environ["BLEMU"], **options}


def test_a_device_runs_over_ssh_alone(farm):
    with blemu.run(LAMP, host="pi1", **program(settings={"level": 3})) as lamp:
        assert lamp.get("level") == 3
        there = pathlib.Path(lamp.status().file).parent
        assert there.exists()
    assert not there.exists()


def test_a_socket_that_ssh_forwards_is_a_device(farm, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "blemu").mkdir(0o700)
    here = tmp_path / "blemu/pi1-lamp.sock"
    with blemu.run(LAMP, host="pi1", **program()) as lamp:
        there = pathlib.Path(lamp.status().file).with_name("control.sock")
        ssh = subprocess.Popen(["ssh", "-nN", "-L", f"{here}:{there}", "pi1"])
        try:
            until(here.exists)
            assert "\nlamp " in call(os.environ["BLEMU"], "ps")
            call(os.environ["BLEMU"], "set", "pi1-lamp", "level=4")
        finally:
            ssh.terminate()
        assert lamp.get("level") == 4


def test_the_device_ends_with_its_connection(farm):
    with pytest.raises(blemu.Error), blemu.run("hm-10", host="pi1", **program()) as module:
        process = module.status().process
        module._run.process.kill()
        until(lambda: not pathlib.Path(f"/proc/{process}").exists())


@pytest.mark.parametrize("arguments, message", [
    ({"definition": "no-such-device"}, "pi1: blemu did not start (exit status 66):\nblemu: there is no definition 'no-such-device'\n"),
    ({"definition": "hm-10", "program": "no-blemu"}, "pi1: blemu did not start (exit status 127):\n"),
    ({"definition": "hm-10", "host": "10.77.0.1"}, "cannot connect to 10.77.0.1:\nssh: connect to host 10.77.0.1 port 22: Connection refused\n"),
    ({"definition": "lamp.yaml"}, "there is no file lamp.yaml\n"),
])
def test_says_why_a_device_does_not_start(farm, arguments, message):
    with pytest.raises(blemu.Error) as caught, blemu.run(**{"host": "pi1", **program(), **arguments}):
        pass
    assert str(caught.value).startswith(message)


def test_tests_run_side_by_side_each_on_a_place_of_its_own(farm, acquired, run_pytest):
    with contextlib.ExitStack() as stack:
        places = [stack.enter_context(acquired(f"{machine.name}-{number}")) for number in range(10) for machine in farm.machines]
        runs = [run_pytest(TEST, place) for place in places]
        assert ["1 passed" in run.output() for run in runs] == [True] * 20


def test_a_reservation_chooses_a_free_place(farm, client, acquired, run_pytest):
    with acquired("pi1-0"):
        token = client("reserve", "--wait", "--shell", "place=0").removeprefix("export LG_TOKEN=")
        assert client("-p", "+", "acquire", LG_TOKEN=token) == "acquired place pi2-0"
        assert "1 passed" in run_pytest(TEST, "+", LG_TOKEN=token).output()
        client("-p", "+", "release", LG_TOKEN=token)
    client("cancel-reservation", token)


def test_a_place_that_another_user_has_is_refused(farm, client, acquired, run_pytest):
    with acquired("pi1-0", LG_USERNAME="ada", LG_HOSTNAME="desk"):
        assert client("-p", "pi1-0", "acquire", status=1) == (
            "labgrid-client: Error: Place pi1-0 is already acquired by desk/ada. To work simultaneously, ada can execute "
            f"'labgrid-client -p pi1-0 allow {os.uname().nodename}/root' on desk.")
        assert "Exit: Error: place pi1-0 is not acquired by your user, acquired by ada." in run_pytest(TEST, "pi1-0").output(status=2)


def test_an_environment_without_the_target_is_refused(farm, acquired, run_pytest):
    with acquired("pi1-0"):
        text = run_pytest(TEST.replace("settings=", 'on="labgrid:left", settings='), "pi1-0").output(status=1)
        assert "env.yaml has no target 'left'" in text


LOST = """
import pathlib, time, pytest

@pytest.mark.blemu("hm-10")
def test_lost(blemu_device):
    pathlib.Path("../begun").touch()
    while True:
        blemu_device.get("local-name")
        time.sleep(0.01)
"""


def test_a_machine_that_disappears_is_named(farm, tmp_path, client, acquired, run_pytest):
    lost = farm.machines[1]
    with acquired("pi1-1"), acquired("pi2-1"):
        run = run_pytest(LOST, "pi2-1")
        until((tmp_path / "begun").exists)
        lost.end()
        # Ten seconds later, the coordinator can know that the exporter is away, and labgrid then says so before it tries ssh.
        assert "cannot connect to pi2: it does not answer\n" in run_pytest(TEST, "pi2-1", LG_SSH_CONNECT_TIMEOUT="2").output(status=1)
        text = run.output(status=1)
        assert "E           blemu.EndedError: the connection to pi2 is lost\n" in text
        assert "'ssh pi2 blemu ps' shows whether it is back" in text
        assert "1 passed" in run_pytest(TEST, "pi1-1").output()

        lost.connect(True)
        until(lambda: "pi2/" not in client("resources"))
        assert "has an orphaned resource (exporter pi2 disconnected?)" in run_pytest(TEST, "pi2-1").output(status=1)
        lost.start(10)
        until(lambda: client("resources").count("pi2/") == 10)
        assert "1 passed" in run_pytest(TEST, "pi2-1").output()


@pytest.mark.parametrize("adapter, driver, transport", [
    ({}, {}, "loopback"), ({"adapter": "hci0"}, {}, "bluez:hci0"), ({"adapter": "hci0", "transports": ["exact", "bluez"]}, {}, "exact:hci0"),
    ({"adapter": "hci0", "transports": ["bluez", "exact"]}, {"transport": "exact"}, "exact:hci0")])
def test_a_device_uses_the_transport_of_its_driver(farm, adapter, driver, transport):
    target = Target("main")
    BlemuAdapter(target, name=None, host="pi1", **adapter)
    run = BlemuDriver(target, name=None, **driver)
    target.activate(run)
    assert run.run("hm-10").command.on == transport


def test_a_transport_that_the_adapter_does_not_offer_is_refused():
    with pytest.raises(blemu.Error, match="^pi1 does not offer exact on hci0\n  it offers bluez$"):
        BlemuAdapter(Target("main"), name=None, host="pi1", adapter="hci0").on("exact")
