"""--on exact: what BlueZ cannot advertise."""
import struct
import subprocess

import pytest

import bluez
import hci
from att import Central
from device import DEFINITIONS, PROGRAM, REPOSITORY, Blemu
from patience import PATIENCE

UNAVAILABLE = 69
POINTER = "  'blemu doctor' examines this machine\n"
TWO_BEACONS = DEFINITIONS / "two-beacons.yaml"
FLAGS, FLAGS_OF_BROADCASTER = bytes.fromhex("020106"), bytes.fromhex("020104")
SERVICES = bytes.fromhex("0303E0FF")
IBEACON = FLAGS + bytes.fromhex("1AFF4C000215E2C56DB5DFFB48D2B060D0F5A71096E000010002C5")
EDDYSTONE_ADDRESS = bytes.fromhex("0253005E00C0")


def exact(*arguments, on="exact:hci0", **options):
    return Blemu(*arguments, on=on, **options)


def name_field(name):
    return bytes([len(name) + 1, 0x09]) + name.encode()


def eddystone(seconds):
    return FLAGS_OF_BROADCASTER + bytes.fromhex("0303AAFE 1116AAFE 20000BB8150000000000") + struct.pack(">I", 10 * seconds)


@pytest.fixture
def device(tmp_path):
    """Writes a definition with this advertisement, and FFE0/FFE1 unless it only advertises."""
    def device(advertisement, services=True):
        lines = ["blemu: 1", "name: Device", "advertisement:", *(f"  {line}" for line in advertisement.splitlines())]
        if services:
            lines += ["services:", "  - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read, notify], value: '{address}' }] }"]
        path = tmp_path / "device.yaml"
        path.write_text("\n".join(lines) + "\n")
        return path

    return device


def assert_heard(air, pdus, of="hci0", by="hci1"):
    """Checks that an adapter hears these PDUs, and no others, of an address."""
    air.forget_reports()
    with bluez.discovery(by):
        for pdu in pdus:
            air.wait_to_hear(*pdu, of=of, by=by)
        assert air.heard(of, by) == pdus


def use(own="hci1"):
    """Lets a central read the characteristic."""
    with Central("hci0", own) as central:
        assert central.read(central.characteristic("FFE1")) == bytes(reversed(hci.address("hci0")))


def long_data(size):
    """Returns an advertisement of this size, and its bytes: flags, then data of companies with at most 255 bytes each."""
    sizes = [255] * ((size - 3) // 255) + [(size - 3) % 255]
    values = [bytes([number]) * (size - 4) for number, size in enumerate(sizes)]
    keys = "".join(f"  {number:04X}: {value.hex()}\n" for number, value in enumerate(values))
    data = b"".join(struct.pack("<BBH", size - 1, 0xFF, number) + value for number, (size, value) in enumerate(zip(sizes, values)))
    return "manufacturer-data:\n" + keys, FLAGS_OF_BROADCASTER + data


def refusal(definition):
    """Returns the exit status and standard error of a `blemu run` that ends by itself."""
    done = subprocess.run([PROGRAM, "run", definition, "--on", "exact:hci0"], cwd=REPOSITORY, text=True, capture_output=True,
                          timeout=PATIENCE)
    return done.returncode, done.stderr


class TestKinds:
    @pytest.mark.parametrize("keys, pdus, of", [
        ("type: scannable\nservices: [FFE0]", {("ADV_SCAN_IND", FLAGS_OF_BROADCASTER + SERVICES), ("SCAN_RSP", b"")}, "hci0"),
        ("type: broadcast\nlocal-name: Name", {("ADV_NONCONN_IND", FLAGS_OF_BROADCASTER + name_field("Name"))}, "hci0"),
        ("type: broadcast\nlocal-name: Name\naddress: C0:00:5E:00:53:02",
         {("ADV_NONCONN_IND", FLAGS_OF_BROADCASTER + name_field("Name"))}, EDDYSTONE_ADDRESS),
        ("type: broadcast\nservices: [FFE0]\nphy: 1M", {("broadcast 1M/1M", FLAGS_OF_BROADCASTER + SERVICES)}, "hci0"),
        ("type: broadcast\nservices: [FFE0]\nphy: 2M", {("broadcast 1M/2M", FLAGS_OF_BROADCASTER + SERVICES)}, "hci0"),
        ("type: broadcast\nservices: [FFE0]\nphy: coded", {("broadcast coded/coded", FLAGS_OF_BROADCASTER + SERVICES)}, "hci0"),
        ("type: scannable\nservices: [FFE0]\nphy: 2M",
         {("scannable 1M/2M", b""), ("scan response 1M/2M", SERVICES)}, "hci0"),
    ], ids=["scannable", "broadcast", "own-address", "1M", "2M", "coded", "scannable-2M"])
    def test_a_device_that_is_not_connectable(self, air, device, keys, pdus, of):
        with exact(device(keys + "\ndiscoverable: false", services=False)):
            air.wait_for(lambda it: not it.connectable)
            assert_heard(air, pdus, of)
        air.wait_for_silence()
        assert air.sets() == []

    @pytest.mark.parametrize("keys, kind", [("phy: 1M", "connectable 1M/1M"), ("phy: 2M", "connectable 1M/2M"),
                                            ("phy: coded", "connectable coded/coded")], ids=["1M", "2M", "coded"])
    def test_a_connectable_device_on_a_phy(self, air, device, keys, kind):
        with exact(device(f"services: [FFE0]\nlocal-name: Name\n{keys}")) as blemu:
            assert_heard(air, {(kind, FLAGS + SERVICES + name_field("Name"))})
            for own in ("hci1", "hci2", "hci1"):
                use(own)
                blemu.await_event("connected", central=hci.address_text(own))
            assert blemu.warnings() == []
        air.wait_for_silence()

    @pytest.mark.parametrize("channels", [[37], [38, 39]], ids=str)
    def test_channels(self, air, device, channels):
        with exact(device(f"services: [FFE0]\nlocal-name: Name\nchannels: {channels}\ninterval: {{ min: 100ms, max: 150ms }}")) as blemu:
            found = air.wait_for(lambda it: it.connectable)
            assert (found.channels, found.interval) == (set(channels), (100, 150))
            assert_heard(air, {("ADV_IND", FLAGS + SERVICES), ("SCAN_RSP", name_field("Name"))})
            for own in ("hci1", "hci2", "hci1"):
                use(own)
                blemu.await_event("connected", central=hci.address_text(own))

    def test_a_connectable_device_advertises_on_while_centrals_are_connected(self, air, device, contexts):
        with exact(device("services: [FFE0]\nchannels: [37]")):
            for own in ("hci1", "hci2", "hci3"):
                contexts.enter_context(Central(own=own)).characteristic("FFE1")
                air.wait_for()

    def test_a_directed_device_is_for_one_central(self, air, device):
        with exact(device(f"services: [FFE0]\ndirected: '{hci.address_text('hci1')}'")) as blemu:
            assert blemu.happened("on-air")[0]["advertising-data"] == ""
            assert_heard(air, {("ADV_DIRECT_IND", b"")})
            assert air.heard(by="hci2") == set()
            for _ in range(2):
                use("hci1")
                blemu.await_event("connected", central=hci.address_text("hci1"))
                blemu.await_event("disconnected")
                assert_heard(air, {("ADV_DIRECT_IND", b"")})

    @pytest.mark.parametrize("size", [252, 503, 512])
    def test_long_data(self, air, device, size):
        """512 bytes are the virtual controllers' limit."""
        keys, data = long_data(size)
        assert len(data) == size
        with exact(device(keys + "phy: 2M", services=False)):
            assert_heard(air, {("broadcast 1M/2M", data)})

    def test_data_that_is_too_long_for_the_controller(self, device):
        keys, data = long_data(1650)
        assert len(data) == 1650
        assert refusal(device(keys + "phy: 2M", services=False)) == (
            UNAVAILABLE, "blemu: hci0 sends at most 512 bytes of advertising data, not 1650\n"
            "  choose another adapter with --on exact:hciN, or shorten the data\n" + POINTER)

    def test_long_data_that_changes(self, air, device):
        keys, data = long_data(400)
        with exact(device(keys + "service-data: { FEAA: '{uptime // 1s: u8}' }\nphy: 1M\nevery: 1s", services=False)):
            numbers, value = air.wait_for_sets(1), -1
            for _ in range(3):
                beginning, end = data, bytes.fromhex("0416AAFE")
                found = air.wait_for(lambda it, last=value: it.data[:-1] == beginning + end and it.data[-1] > last)
                value = found.data[-1]
                assert air.wait_for_sets(1) == numbers

    def test_a_static_address_of_a_device_with_channels(self, air, device):
        with exact(device("services: [FFE0]\naddress: C0:00:5E:00:53:02\nchannels: [39]")):
            assert_heard(air, {("ADV_IND", FLAGS + SERVICES), ("SCAN_RSP", b"")}, of=EDDYSTONE_ADDRESS)


class TestSets:
    def test_each_set_has_its_own_bytes_address_interval_and_period(self, air):
        with exact(TWO_BEACONS):
            numbers = air.wait_for_sets(3)
            beacon = air.wait_for(lambda it: it.data == IBEACON)
            assert (beacon.interval, beacon.connectable) == ((100, 100), False)
            assert beacon.address[-1] >= 0xC0 and beacon.address != EDDYSTONE_ADDRESS
            assert_heard(air, {("ADV_NONCONN_IND", IBEACON)}, of=beacon.address)
            assert_heard(air, {("ADV_IND", FLAGS + SERVICES), ("SCAN_RSP", name_field("Two beacons"))})
            first = self.await_eddystone(air, after=-1)
            second = self.await_eddystone(air, after=first)
            assert self.await_eddystone(air, after=second) > second > first
            air.forget_reports()
            with bluez.discovery("hci1"):
                air.wait_to_hear("SCAN_RSP", name_field("Eddystone"), of=EDDYSTONE_ADDRESS)
            assert air.wait_for_sets(3) == numbers
        air.wait_for_silence()
        assert air.sets() == []

    def await_eddystone(self, air, after):
        """Waits for a later value of the set, and returns its seconds."""
        found = air.wait_for(lambda it: it.address == EDDYSTONE_ADDRESS and it.data[:-4] == eddystone(0)[:-4] and
                             struct.unpack(">I", it.data[-4:])[0] > 10 * after)
        assert found.interval == (200, 250)
        return struct.unpack(">I", found.data[-4:])[0] // 10

    def test_the_transcript_passes_on_the_air(self):
        done = subprocess.run([PROGRAM, "test", TWO_BEACONS.with_suffix(".transcript"), "--on", "exact:hci0", "--central", "bluez:hci1"],
                              cwd=REPOSITORY, text=True, capture_output=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stdout + done.stderr

    def test_centrals_connect_beside_the_beacons(self, air):
        with exact(TWO_BEACONS) as blemu:
            for own in ("hci1", "hci2", "hci1"):
                use(own)
                blemu.await_event("connected", central=hci.address_text(own))
                blemu.await_event("disconnected")
                air.wait_for_sets(3)
            assert blemu.warnings() == []

    def test_a_central_pairs_beside_the_beacons(self):
        address = hci.address_text("hci0")
        with exact(TWO_BEACONS):
            bluez.forget_devices()
            with bluez.Dialogue("bluetoothctl", "--agent", "NoInputNoOutput") as control:
                control.await_output("Agent registered")
                for command, answer in (("default-agent", "Default agent request successful"), (f"select {hci.address_text('hci1')}", ""),
                                        ("scan le", rf"\[NEW\] Device {address}"), ("scan off", "Discovery stopped")):
                    control.send(command)
                    control.await_output(answer)
                control.send(f"pair {address}")
                control.await_output("Pairing successful")
                assert bluez.read_remote("0000fff6-0000-1000-8000-00805f9b34fb") == b"\6"
        bluez.forget_devices()

    def test_a_second_connectable_set(self, air, device):
        """Sensors for a long range advertise twice."""
        with exact(device("services: [FFE0]\nsets: { far: { type: connectable, discoverable: true, services: [FFE0], phy: coded } }")) as blemu:
            assert_heard(air, {("ADV_IND", FLAGS + SERVICES), ("SCAN_RSP", b""), ("connectable coded/coded", FLAGS + SERVICES)})
            for own in ("hci1", "hci2", "hci1", "hci2"):
                use(own)
                blemu.await_event("disconnected")
                air.wait_for_sets(2)
