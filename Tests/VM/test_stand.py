"""Several devices in one process: blemu up, and blemu run with several."""
import pytest

import bluez
import hci
from att import Central
from device import DEFINITIONS, Blemu, Stand
from pairing import DISPLAY_ONLY, KEYBOARD_ONLY, Control
from patience import PATIENCE, eventually

SECRET = DEFINITIONS / "secret.yaml"
UNAVAILABLE = 69
NUMBERED = """
blemu: 1
name: Numbered
settings: { number: { type: integer, default: 0, min: 0, max: 255 } }
advertisement: { local-name: Numbered, services: [FFE0] }
services:
  - uuid: FFE0
    characteristics: [{ uuid: FFE1, properties: [read], value: "{number: u8}" }]
"""


@pytest.fixture
def stand(tmp_path):
    """Returns a function that runs a stand with these devices: a line of YAML each, by name."""
    def run(**devices):
        (tmp_path / "numbered.yaml").write_text(NUMBERED)
        path = tmp_path / "stand.yaml"
        path.write_text("stand: Test\ndevices:\n" + "".join(f"  {name}: {{ {line} }}\n" for name, line in devices.items()))
        return Stand(path)
    return run


def numbered(number, on, more=""):
    return f"definition: ./numbered.yaml, on: '{on}', set: {{ number: {number} }}{more}"


def reads(peripheral, own, times=1):
    """Reads the number as often, on one link."""
    with Central(peripheral, own) as central:
        handle = central.characteristic("FFE1")
        return {central.read(handle)[0] for _ in range(times)}


def adapters(*names):
    """Everything that a run may change of these adapters."""
    def properties(adapter):
        found = bluez.adapter_properties(adapter)
        return {name: found[name] for name in ("Alias", "Powered", "Pairable", "PairableTimeout", "Discoverable")} | {
            "UUIDs": sorted(found["UUIDs"]), "settings": hci.settings(adapter),
            "instances": bluez.advertising_manager(adapter)["ActiveInstances"]}
    return {adapter: properties(adapter) for adapter in names}


@pytest.mark.parametrize("transports", [("bluez", "bluez", "exact"), ("exact", "exact", "bluez")], ids="-".join)
def test_three_devices_are_read_at_the_same_time(meanwhile, stand, transports):
    devices = {f"d{number}": numbered(number + 1, f"{transport}:hci{number}") for number, transport in enumerate(transports)}
    with stand(**devices) as blemu:
        blemu.await_on_air("d0", "d1", "d2")
        readers = [meanwhile(reads, f"hci{number}", f"hci{number + 3}", 100) for number in range(3)]
        assert [reader.result(PATIENCE) for reader in readers] == [{1}, {2}, {3}]
        assert [blemu.of(f"d{number}", "on-air")[0]["adapter"] for number in range(3)] == ["hci0", "hci1", "hci2"]
        eventually(lambda: all(len(blemu.of(name, "read")) == 100 for name in devices), blemu.story)
        for number in range(3):
            with blemu.device(f"d{number}") as device:
                assert device.get("number") == number + 1


def test_a_device_on_every_adapter_is_read(meanwhile, stand):
    """By its neighbour: an adapter does not advertise while it connects. tools/vm has up to 16 adapters."""
    count = len(hci.adapters())
    names = [f"d{number}" for number in range(count)]
    with stand(**{name: numbered(number + 1, f"bluez:hci{number}") for number, name in enumerate(names)}) as blemu:
        blemu.await_on_air(*names)
        for half in range(2):
            readers = {number: meanwhile(reads, f"hci{number}", f"hci{number ^ 1}", 20) for number in range(half, count, 2)}
            for number, reader in readers.items():
                assert reader.result(PATIENCE) == {number + 1}
        assert blemu.warnings() == []
        assert blemu.stop() == 0, blemu.story()


def test_several_devices_on_one_adapter_of_exact(meanwhile, stand):
    names = [f"d{number}" for number in range(4)]
    with stand(**{name: numbered(number + 1, "exact:hci0") for number, name in enumerate(names)}) as blemu:
        blemu.await_on_air(*names)
        addresses = [blemu.of(name, "on-air")[0]["address"] for name in names]
        assert addresses[0] == hci.address_text("hci0") and len(set(addresses)) == len(names)
        readers = [meanwhile(reads, "hci0" if number == 0 else address, f"hci{number + 1}", 20) for number, address in enumerate(addresses)]
        assert [reader.result(PATIENCE) for reader in readers] == [{1}, {2}, {3}, {4}]
        assert [len(blemu.of(name, "connected")) for name in names] == [1] * len(names)
        assert blemu.warnings() == []
        assert blemu.stop() == 0, blemu.story()


def test_a_device_for_which_the_adapter_has_no_room(stand, tmp_path):
    """The virtual controllers have 16 advertising sets."""
    path = tmp_path / "sets.yaml"
    path.write_text("blemu: 1\nname: Sets\nadvertisement: { services: [FFE0], sets: { "
                    + ", ".join(f"s{number}: {{ services: [FFE0] }}" for number in range(8)) + " } }\n")
    with stand(first=f"definition: {path}, on: 'exact:hci0'", second=f"definition: {path}, on: 'exact:hci0'") as blemu:
        blemu.await_event("on-air")
        eventually(lambda: len(blemu.errors) == 3, blemu.story)
        assert [line.split(": ", 2)[2] for line in blemu.errors[:1]] == ["hci0 has no room for another advertising set"]


@pytest.mark.parametrize("transports", [("bluez", "bluez"), ("bluez", "exact")], ids="-".join)
def test_a_signal_puts_the_settings_of_all_adapters_back(stand, transports):
    both = ("hci0", "hci1")
    shared = [name for name, transport in zip(both, transports) if transport == "bluez"]  # the kernel does not have the others meanwhile
    before = adapters(*both)
    with stand(**{f"d{number}": numbered(1, f"{transport}:hci{number}") for number, transport in enumerate(transports)}) as blemu:
        blemu.await_on_air("d0", "d1")
        during = adapters(*shared)
        assert during != {name: before[name] for name in shared}
        assert blemu.stop() == 0, blemu.story()
        assert len(blemu.happened("off-air")) == 2
        eventually(lambda: adapters(*both) == before, lambda: f"{adapters(*both)} is not {before}")


def test_one_is_stopped_and_the_others_go_on(stand):
    with stand(first=numbered(1, "bluez:hci0", ", restart: on-failure"), second=numbered(2, "exact:hci1")) as blemu:
        blemu.await_on_air("first", "second")
        with blemu.device("first") as device:
            device.stop()
        blemu.await_event("off-air", device="first")
        assert reads("hci1", "hci3") == {2}
        assert blemu.of("first", "warning") == [] and len(blemu.of("first", "on-air")) == 1
        assert blemu.stop() == 0, blemu.story()


@pytest.mark.parametrize("transport", ["bluez", "exact"])
class TestFailures:
    def test_one_that_fails_is_said_and_stops_no_other(self, stand, transport):
        with Blemu("hm-10-cable", on="exact:hci1"), stand(
                first=numbered(1, "bluez:hci0"), second=numbered(2, f"{transport}:hci1")) as blemu:
            blemu.await_on_air("first")
            eventually(lambda: len(blemu.errors) == 3, blemu.story)
            assert blemu.errors == [
                "blemu: second: another blemu is using hci1", f"  stop it, or choose another adapter with --on {transport}:hciN",
                "  'blemu doctor' examines this machine"]
            assert reads("hci0", "hci3") == {1}
            assert blemu.stop() == UNAVAILABLE, blemu.story()
            assert blemu.of("second", "on-air") == []

    def test_one_that_has_failed_starts_again(self, stand, transport):
        with Blemu("hm-10-cable", on="exact:hci1") as holder, stand(
                first=numbered(1, "bluez:hci0"), second=numbered(2, f"{transport}:hci1", ", restart: on-failure")) as blemu:
            blemu.await_event("warning", device="second", message="restarts in 1 s")
            blemu.await_event("warning", device="second", message="restarts in 2 s")
            holder.stop()
            blemu.await_event("on-air", device="second")
            assert reads("hci1", "hci3") == {2}
            assert reads("hci0", "hci3") == {1}
            assert blemu.stop() == 0, blemu.story()

    def test_an_adapter_goes_and_returns(self, stand, transport):
        if transport == "exact":
            pytest.skip("an adapter that is taken cannot be blocked; TestTaking.test_it_is_removed_and_returns")
        with stand(first=numbered(1, "bluez:hci0"), second=numbered(2, f"{transport}:hci1")) as blemu:
            blemu.await_on_air("first", "second")
            hci.block("hci1", True)
            blemu.await_event("off-air", device="second")
            assert reads("hci0", "hci3") == {1}
            hci.block("hci1", False)
            bluez.set_adapter_property("Powered", True, "hci1")
            blemu.await_event("on-air", device="second")
            assert reads("hci1", "hci3") == {2}
            assert blemu.of("first", "off-air") == []


class TestPairing:
    """bluetoothd has one default agent, which it asks about all adapters."""

    @pytest.fixture(autouse=True)
    def strangers(self):
        bluez.forget_devices()
        yield
        bluez.forget_devices()

    def secret(self, tmp_path, name, capability):
        path = tmp_path / f"{name}.yaml"
        path.write_text(SECRET.read_text() + f"security: {{ io-capability: {capability} }}\n")
        return path

    def pair_with_passkey(self, blemu, name, peripheral, own):
        with Control(KEYBOARD_ONLY, own) as control:
            control.find(peripheral)
            control.begin(peripheral)
            passkey = blemu.await_event("passkey", device=name)["passkey"]
            control.await_output("Enter passkey")
            control.send(passkey)
            control.await_output("Pairing successful")
            blemu.await_event("bonded", device=name, central=hci.address_text(own))

    @pytest.mark.parametrize("transports", [("bluez", "bluez"), ("exact", "exact"), ("exact", "bluez")], ids="-".join)
    def test_centrals_pair_with_each(self, stand, tmp_path, transports):
        path = self.secret(tmp_path, "secret", "display-only")
        with stand(first=f"definition: {path}, on: '{transports[0]}:hci0'",
                   second=f"definition: {path}, on: '{transports[1]}:hci1'") as blemu:
            blemu.await_on_air("first", "second")
            self.pair_with_passkey(blemu, "first", "hci0", "hci2")
            self.pair_with_passkey(blemu, "second", "hci1", "hci3")
            assert blemu.warnings() == []

    def test_each_adapter_of_exact_has_its_own_capability(self, stand, tmp_path):
        """The second device begins last, so that bluetoothd has set its capability on all adapters."""
        shows = self.secret(tmp_path, "shows", "display-only")
        enters = self.secret(tmp_path, "enters", "keyboard-only, passkey: '123456'")
        with Blemu("hm-10-cable", on="exact:hci1") as holder, stand(
                first=f"definition: {shows}, on: 'exact:hci0'",
                second=f"definition: {enters}, on: 'bluez:hci1', restart: on-failure") as blemu:
            blemu.await_on_air("first")
            blemu.await_event("warning", device="second", message="restarts in 1 s")
            holder.stop()
            blemu.await_event("on-air", device="second")
            self.pair_with_passkey(blemu, "first", "hci0", "hci2")
            with Control(DISPLAY_ONLY, "hci3") as control:
                control.find("hci1")
                control.begin("hci1")
                control.await_output("Passkey: [0-9]+")
            assert blemu.of("first", "warning") == []

    def test_bluez_has_one_capability_and_says_so(self, stand, tmp_path):
        shows = self.secret(tmp_path, "shows", "display-only")
        enters = self.secret(tmp_path, "enters", "keyboard-only, passkey: '123456'")
        with stand(first=f"definition: {shows}, on: 'bluez:hci0'", second=f"definition: {enters}, on: 'bluez:hci1'") as blemu:
            blemu.await_on_air("first", "second")
            warning, = blemu.happened("warning")
            assert warning["message"].startswith("bluetoothd uses the IO capability of the last device for all adapters: ")
            assert warning["message"].endswith("; use '--on exact' for one of them")


def test_several_on_the_command_line(tmp_path):
    (tmp_path / "numbered.yaml").write_text(NUMBERED)
    process = Stand(f"{tmp_path}/numbered.yaml@hci0", f"{tmp_path}/numbered.yaml@exact:hci1", command="run")
    with process as blemu:
        blemu.await_on_air("numbered", "numbered-2")
        assert reads("hci0", "hci3") == reads("hci1", "hci4") == {0}
        assert blemu.stop() == 0, blemu.story()
