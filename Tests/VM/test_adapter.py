"""Runs on an adapter: they start, end and are killed, and the adapter is restored."""
import contextlib
import os
import signal
import subprocess
from collections import Counter

import dbus
import pytest

import bluez
import hci
from att import Central
from device import PROGRAM, REPOSITORY, Blemu, Stand, wait_for_guards
from patience import PATIENCE, eventually

FFE0 = "0000ffe0-0000-1000-8000-00805f9b34fb"


def state():
    """Returns everything that a run may change and must restore."""
    properties = bluez.adapter_properties()
    properties["UUIDs"] = sorted(properties["UUIDs"])
    return properties | {"ActiveInstances": bluez.advertising_manager()["ActiveInstances"]}


def alias():
    return bluez.adapter_properties()["Alias"]


@contextlib.contextmanager
def subscribed(blemu):
    """A time with a central that has subscribed."""
    with Central() as central:
        central.subscribe(central.characteristic("FFE1"))
        blemu.await_event("subscribed")
        yield central


def use():
    """Lets a central find the serial characteristic and read it."""
    with Central() as central:
        return central.read(central.characteristic("FFE1"))


@pytest.fixture
def unchanged(air):
    """Checks after the test, and whenever called, that the adapter is as before."""
    def check():
        # BlueZ answers before it shows another alias, or has sent it to the kernel.
        eventually(lambda: state() == before, lambda: f"{state()} instead of {before}")
        assert before["ActiveInstances"] == 0
        assert FFE0 not in before["UUIDs"]
        air.wait_for_silence()

    before = state()
    yield check
    check()


@pytest.fixture
def kitchen(unchanged):
    """An adapter with an alias set by a user."""
    before = alias()
    bluez.set_adapter_property("Alias", "Kitchen")
    yield
    bluez.set_adapter_property("Alias", before)


class TestLife:
    def test_is_on_the_air_only_when_services_and_advertisement_are(self, unchanged):
        with Blemu("hm-10") as blemu:
            assert bluez.advertising_manager()["ActiveInstances"] == 1
            now = bluez.adapter_properties()
            assert FFE0 in now["UUIDs"]
            assert now["Alias"] == "HMSoft"
            on_air = blemu.happened("on-air")[0]
            assert (on_air["adapter"], on_air["address"]) == ("hci0", hci.address_text("hci0"))

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
    def test_ends_properly_at_every_polite_signal(self, unchanged, number):
        with Blemu("hm-10") as blemu:
            assert blemu.stop(number) == 0, blemu.story()
            assert "reason" not in blemu.happened("off-air")[-1]
            unchanged()

    def test_ends_properly_with_a_connected_central(self, unchanged):
        with Blemu("hm-10") as blemu, subscribed(blemu) as central:
            assert blemu.stop() == 0, blemu.story()
            central.await_disconnection()
            assert blemu.happened("unsubscribed", "disconnected", "off-air")[-1]["event"] == "off-air"

    def test_the_links_of_its_centrals_end_also_when_it_is_killed(self, unchanged):
        with Blemu("hm-10") as killed, Central() as central:
            killed.await_event("connected")
            killed.kill()
            central.await_disconnection()
        wait_for_guards()
        with Blemu("hm-10"):  # restores the adapter
            use()

    def test_ends_properly_right_after_the_start(self, unchanged):
        for _ in range(6):
            with Blemu("hm-10") as blemu:
                assert blemu.stop() == 0, blemu.story()
            assert [event["event"] for event in blemu.happened("on-air", "off-air")] == ["on-air", "off-air"]

    @pytest.mark.parametrize("call", ["RegisterApplication", "RegisterAdvertisement"])
    def test_ends_in_good_order_while_it_goes_on_the_air(self, unchanged, call):
        with bluez.Calls(call) as calls:
            blemu = Blemu("hm-10")
            calls.await_next()
            assert blemu.stop() == 0, blemu.story()

    def test_a_second_run_works_like_the_first(self, unchanged):
        for _ in range(2):
            with Blemu("hm-10"):
                assert use() == bytes(reversed(hci.address("hci0")))
            unchanged()

    def test_restores_an_alias_set_by_a_user(self, kitchen):
        with Blemu("hm-10"):
            assert alias() == "HMSoft"
        eventually(lambda: alias() == "Kitchen", alias)

    def test_restores_the_adapter_also_without_a_note(self, unchanged):
        with Blemu("hm-10", env=os.environ | {"XDG_STATE_HOME": "/proc"}) as blemu:
            assert alias() == "HMSoft"
        unchanged()
        assert "cannot write /proc" in blemu.warnings()[0]

    def test_powers_an_adapter_for_the_run(self, unchanged):
        bluez.set_adapter_property("Powered", False)
        try:
            bluez.wait_for_adapter(Powered=False)
            with Blemu("hm-10"):
                assert bluez.adapter_properties()["Powered"]
                use()
            assert not bluez.adapter_properties()["Powered"]
        finally:
            bluez.set_adapter_property("Powered", True)
            bluez.wait_for_adapter(Powered=True)

    def test_the_next_run_cleans_up_after_a_killed_one(self, kitchen):
        with Blemu("hm-10") as killed:
            killed.kill()
        assert alias() == "HMSoft"
        with Blemu("bracelet") as blemu:
            assert blemu.warnings() == ["an earlier run was killed; blemu restores the settings of hci0 when this run ends"]
            use()
        eventually(lambda: alias() == "Kitchen", alias)
        with Blemu("bracelet") as blemu:
            assert blemu.warnings() == []

    def test_an_adapter_that_bluetoothd_does_not_serve_yet_is_awaited(self):
        with contextlib.ExitStack() as stack:
            taken = stack.enter_context(contextlib.ExitStack())
            taken.enter_context(hci.taken("hci0"))
            run = stack.enter_context(Stand("hm-10@hci0", command="run"))
            assert run.await_event("warning")["message"] == "bluetoothd does not serve hci0 yet; blemu waits up to 5 s"
            taken.close()
            assert run.await_event("on-air")["adapter"] == "hci0"
            assert run.stop() == 0, run.story()


class TestInterruptions:
    @pytest.fixture
    def blemu(self):
        before = state()
        with Blemu("hm-10") as blemu:
            yield blemu
        assert state() == before

    def test_bluetoothd_restarts(self, blemu):
        use()
        bluez.run("bluetoothd-stop")
        # bluetoothd switches the adapters off when it ends, and may still say so.
        assert blemu.await_event("off-air")["reason"] in ("bluetoothd has stopped", "hci0 was switched off")
        bluez.run("bluetoothd-start")
        blemu.await_event("on-air")
        assert bluez.advertising_manager()["ActiveInstances"] == 1
        use()

    def test_bluetoothd_restarts_with_a_subscribed_central(self, blemu):
        with subscribed(blemu):
            bluez.restart()
            blemu.await_event("off-air")
            # Each once. The order is up to bluetoothd.
            gone = [event["event"] for event in blemu.happened("unsubscribed", "disconnected")]
            assert Counter(gone) == Counter(["unsubscribed", "disconnected"])
        self.assert_back(blemu)

    @pytest.mark.skipif(bluez.VERSION != (5, 87), reason="only bluetoothd 5.87 crashes when a program scans for the UUID of a service")
    def test_bluetoothd_crashes_because_a_program_scans(self, blemu):
        scanner = dbus.Interface(dbus.SystemBus().get_object("org.bluez", "/org/bluez/hci1"), "org.bluez.Adapter1")
        scanner.SetDiscoveryFilter({"Transport": "le", "UUIDs": [FFE0]})
        scanner.StartDiscovery()
        assert blemu.await_event("off-air")["reason"] == "bluetoothd has stopped"
        assert blemu.await_event("warning")["message"].startswith("BlueZ 5.87 crashes when a program on this machine scans for ")
        bluez.run("bluetoothd-start")
        blemu.await_event("on-air")

    def test_the_adapter_is_switched_off_and_on(self, blemu):
        bluez.set_adapter_property("Powered", False)
        assert blemu.await_event("off-air")["reason"] == "hci0 was switched off"
        bluez.set_adapter_property("Powered", True)
        blemu.await_event("on-air")
        use()

    def test_the_adapter_is_switched_off_with_a_subscribed_central(self, blemu):
        with subscribed(blemu) as central:
            bluez.set_adapter_property("Powered", False)
            blemu.await_event("off-air")
            central.await_disconnection()
        assert len(blemu.happened("disconnected")) == 1
        bluez.set_adapter_property("Powered", True)
        self.assert_back(blemu)

    def assert_back(self, blemu):
        blemu.await_event("on-air")
        with subscribed(blemu):
            pass


class TestTwoRuns:
    def test_a_second_run_on_one_adapter_is_refused(self):
        with Blemu("hm-10") as first:
            second = subprocess.run([PROGRAM, "run", "bracelet", "--on", "bluez:hci0"], cwd=REPOSITORY, text=True,
                                    capture_output=True, timeout=PATIENCE)
            assert (second.returncode, second.stdout, second.stderr) == (
                69, "", "blemu: another blemu is using hci0\n"
                        "  stop it, or choose another adapter with --on bluez:hciN\n  'blemu doctor' examines this machine\n")
            use()
            assert alias() == "HMSoft"
            assert first.happened("off-air") == []

    def test_two_runs_on_two_adapters_are_two_devices(self):
        address = hci.address_text("hci1")
        with Blemu("hm-10"), Blemu("bracelet", on=f"bluez:{address}") as second:
            on_air = second.happened("on-air")[0]
            assert (on_air["adapter"], on_air["address"]) == ("hci1", address)
            with Central(peripheral="hci1", own="hci0") as central:
                serial = central.characteristic("FFE1")
                central.subscribe(serial)
                # A5, length, command 03, 2 January, XOR; 5 packets
                central.write(serial, bytes.fromhex("A5 06 03 01 02 A3"))
                assert central.notification() == bytes.fromhex("A5 06 83 05 00 25")
            use()
