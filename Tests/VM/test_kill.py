"""kill -9 at any moment: nothing that blemu has confirmed is lost, and the adapter is as the run found it, on bluez after the next run."""
import contextlib

import dbus
import pytest

import bluez
import hci
from device import DEFINITIONS
from killing import PORT, Device, Scenario
from pairing import Control, KernelPairing, forget, without_bluetoothd

DEFINITION = DEFINITIONS / "killed.yaml"


class Bluetoothd:
    """Pairs where bluetoothd runs. Before, the adapter has a name and a way to pair that a device changes."""

    def __init__(self, contexts):
        self._contexts = contexts
        contexts.callback(bluez.forget_devices)
        self._prepare()

    def _prepare(self):
        self._control = self._contexts.enter_context(Control())
        for name, before, after in [("Alias", "Found", ""), ("PairableTimeout", dbus.UInt32(600), dbus.UInt32(0))]:
            bluez.set_adapter_property(name, before)
            self._contexts.callback(bluez.set_adapter_property, name, after)
        bluez.wait_for_adapter(Alias="Found", PairableTimeout=600)

    def restart(self):
        bluez.restart()
        self._prepare()

    def forget(self):
        bluez.forget_devices()

    def pair(self):
        self._control.begin()

    def give_up(self):
        self._control.send(f"cancel-pairing {hci.address_text('hci0')}")

    def adapter(self, name):
        found = bluez.adapter_properties(name)
        return {key: found[key] for key in ("Alias", "Powered", "Pairable", "PairableTimeout", "Discoverable")} | {
            "settings": hci.settings(name), "UUIDs": self.services(name)}

    def services(self, name):
        return sorted(bluez.adapter_properties(name)["UUIDs"])


class Kernel:
    """Pairs where no bluetoothd runs. Before, the adapter is off."""

    def __init__(self, contexts):
        contexts.enter_context(without_bluetoothd())
        self._pairing = contexts.enter_context(KernelPairing())
        hci.set_powered("hci0", False)

    def forget(self):
        forget("hci1", "hci0")

    def pair(self):
        with contextlib.suppress(hci.Refused):
            self._pairing.pair()

    def give_up(self):
        """Nothing to do: the kernel has given up when the link ended."""

    def adapter(self, name):
        return hci.settings(name)


@pytest.fixture
def share(request):
    """20 moments in all; with --all, 200."""
    return 10 if request.config.option.all else 1


@pytest.mark.parametrize("on, host, wire", [
    ("bluez", Bluetoothd, ("--pty", "line")), ("exact", Bluetoothd, ("--tcp", str(PORT))), ("exact", Kernel, ("--pty", "line"))],
    ids=["bluez", "exact", "exact-alone"])
def test_a_device(on, host, wire, share, contexts, tmp_path, air):
    device = Device(tmp_path / "state", on)
    option, place = wire
    words = ["run", DEFINITION, "--on", f"{on}:hci0", "--state", device.state,
             option, tmp_path / place if option == "--pty" else place]
    Scenario(words, [device], host(contexts), tmp_path, air).try_moments(5 * share)


def test_a_stand(share, contexts, tmp_path, air):
    (tmp_path / "stand.yaml").write_text(f"""
stand: Two
devices:
  one: {{ definition: {DEFINITION}, on: 'bluez:hci0', state: one, wire: {{ pty: line }} }}
  two: {{ definition: {DEFINITION}, on: 'exact:hci2', state: two, wire: {{ tcp: {PORT} }} }}
""")
    devices = [Device(tmp_path / "one"), Device(tmp_path / "two", "exact", "hci2", "hci3")]
    Scenario(["up", tmp_path / "stand.yaml"], devices, Bluetoothd(contexts), tmp_path, air).try_moments(5 * share)
