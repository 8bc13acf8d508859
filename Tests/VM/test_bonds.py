"""What a device on exact keeps of bonded centrals: from link to link, and with --state from run to run."""
import contextlib
import pathlib
import subprocess

import pytest

import hci
from att import CCCD, Central, assert_refused as assert_refused_with
from device import DEFINITIONS, Blemu
from pairing import KernelPairing, encrypt, forget, without_bluetoothd

PING, PONG = b"\x01", b"\x02"
INSUFFICIENT_AUTHENTICATION, KEY_SIZE_TOO_SHORT, INSUFFICIENT_ENCRYPTION = 0x05, 0x0C, 0x0F


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state.yaml"


def device(*arguments):
    return Blemu(DEFINITIONS / "bonding.yaml", *arguments, on="exact:hci0")


def guarded(permission, folder, security=""):
    """Runs a device with a value that needs a permission and a key of 16 bytes, FFF1, and one for any key, FFF2."""
    definition = folder / "guarded.yaml"
    definition.write_text(f"""
blemu: 1
name: Guarded
advertisement: {{ local-name: Guarded }}
security: {{ {security} }}
services:
  - uuid: FFF0
    characteristics:
      - {{ uuid: FFF1, properties: [read], permissions: [{permission}], key-size: 16, value: "41" }}
      - {{ uuid: FFF2, properties: [read], permissions: [{permission}], value: "42" }}
""")
    return Blemu(definition, on="exact:hci0")


@contextlib.contextmanager
def longest_key(adapter, size):
    """A time in which an adapter makes keys of at most so many bytes (net/bluetooth/smp.c)."""
    path = pathlib.Path(f"/sys/kernel/debug/bluetooth/{adapter}/max_key_size")
    if not path.exists():
        subprocess.run(["mount", "-t", "debugfs", "none", "/sys/kernel/debug"], check=True)
    before = path.read_text()
    path.write_text(str(size))
    try:
        yield
    finally:
        path.write_text(before)


def bond(blemu, pairing):
    """Pairs, subscribes to the answers, and disconnects."""
    with Central() as central:
        pairing.pair()
        blemu.await_event("bonded", central=hci.address_text("hci1"))
        central.subscribe(central.characteristic("FFF2"))
        blemu.await_event("subscribed", attribute="answer")
    blemu.await_event("disconnected")


def answer(central):
    """Asks for an answer, which is a notification."""
    central.write(central.characteristic("FFF1"), PING)
    return central.notification()


class TestWithoutBluetoothd:
    @pytest.fixture(autouse=True)
    def no_bluetoothd(self):
        with without_bluetoothd():
            yield
            hci.manage("hci1", 0x002D, b"\1")  # Set Secure Connections

    def test_subscriptions_last_from_link_to_link(self):
        with device() as blemu, KernelPairing() as pairing:
            bond(blemu, pairing)
            with Central() as central:
                blemu.await_event("connected")
                assert central.read(central.descriptor(central.characteristic("FFF2"), CCCD)) == b"\0\0"
                encrypt(central)
                assert answer(central) == PONG
                blemu.await_event("subscribed", attribute="answer")
                assert central.read(central.descriptor(central.characteristic("FFF2"), CCCD)) == b"\1\0"

    def test_a_bonded_central_is_told_to_encrypt_the_link_and_another_to_pair(self, tmp_path):
        with guarded("encrypt-read", tmp_path) as blemu, KernelPairing() as pairing:
            with Central() as central:
                value = central.characteristic("FFF1")
                assert_refused_with(INSUFFICIENT_AUTHENTICATION, central.read, value)
                pairing.pair()
                blemu.await_event("bonded")
                assert central.read(value) == b"A"
            blemu.await_event("disconnected")
            with Central() as central:
                blemu.await_event("connected")
                assert_refused_with(INSUFFICIENT_ENCRYPTION, central.read, value)
                encrypt(central)
                assert central.read(value) == b"A"

    def test_keys_that_are_not_kept_encrypt_nothing(self, tmp_path):
        with guarded("encrypt-read", tmp_path, "bonding: false") as blemu, KernelPairing() as pairing:
            with Central() as central:
                pairing.pair()
                blemu.await_event("paired")
            blemu.await_event("disconnected")
            with Central() as central:
                assert_refused_with(INSUFFICIENT_AUTHENTICATION, central.read, central.characteristic("FFF1"))

    def test_a_short_key_is_not_enough(self, tmp_path):
        with longest_key("hci1", 7), guarded("encrypt-read", tmp_path) as blemu, KernelPairing() as pairing, Central() as central:
            pairing.pair()
            assert blemu.await_event("encrypted")["key-size"] == 7
            blemu.await_event("bonded")
            value = central.characteristic("FFF1")
            assert_refused_with(KEY_SIZE_TOO_SHORT, central.read, value)
            assert central.read(central.characteristic("FFF2")) == b"B"

    def test_a_device_that_wants_a_long_key_refuses_a_short_one(self, tmp_path):
        with longest_key("hci1", 7), guarded("encrypt-read", tmp_path, "key-size: 16") as blemu, KernelPairing() as pairing, Central():
            with contextlib.suppress(hci.Refused):  # the kernel accepts it, and blemu drops it
                pairing.pair()
            assert blemu.await_event("pairing-failed")["reason"] == "encryption key size"
            assert blemu.await_event("warning")["message"].endswith("because its security says 'key-size: 16'")
            blemu.await_event("disconnected")
            assert blemu.happened("paired", "bonded") == []

    def test_a_central_that_only_pairs_again_has_none_without_bonding(self):
        """Its keys are gone, and so are its subscriptions."""
        with device() as blemu, KernelPairing(bondable=False) as pairing:
            with Central() as central:
                pairing.pair()
                blemu.await_event("paired")
                central.subscribe(central.characteristic("FFF2"))
            blemu.await_event("disconnected")
            assert blemu.happened("bonded") == []
            forget("hci1", "hci0")
            with Central() as central:
                pairing.pair()
                blemu.await_event("encrypted")
                assert central.read(central.descriptor(central.characteristic("FFF2"), CCCD)) == b"\0\0"

    @pytest.mark.parametrize("secure_connections, keys", [(True, 1), (False, 2)])
    def test_a_bond_outlasts_the_run(self, secure_connections, keys, path):
        hci.manage("hci1", 0x002D, bytes([secure_connections]))  # LE legacy pairing has a key for each role
        with KernelPairing() as pairing:
            with device("--state", path) as blemu:
                bond(blemu, pairing)
                assert path.stat().st_mode & 0o777 == 0o600
                blemu.kill()
            kept = path.read_text()
            assert f'  - central: "{hci.address_text("hci1")}"\n    address-type: public\n    device: "{hci.address_text("hci0")}"\n' in kept
            assert '    configurations: { answer: notify }\n' in kept
            forget("hci0", "hci1")
            with device("--state", path) as blemu, Central() as central:
                blemu.await_event("connected")
                encrypt(central)
                assert answer(central) == PONG
                assert blemu.await_event("encrypted")["key-size"] == 16
                assert blemu.happened("paired", "bonded") == []
            assert path.read_text() == kept
            assert kept.count("- { kind: ") == keys

    def test_a_central_hears_once_that_the_attributes_have_changed(self, path):
        with KernelPairing() as pairing:
            with device("--state", path) as blemu:
                with Central() as central:
                    pairing.pair()
                    blemu.await_event("bonded")
                    central.subscribe(central.characteristic("2A05"), indications=True)
                blemu.await_event("disconnected")
            for changes, indicated in [([], b""), (["has-more=true"], b"\x01\x00\xff\xff"), (["has-more=true"], b"")]:
                settings = [word for change in changes for word in ("--set", change)]
                with device("--state", path, *settings) as blemu, Central() as central:
                    encrypt(central)
                    central.write(central.characteristic("FFF1"), PING)  # what comes with the encryption has come before
                    assert central.waiting() == indicated

    def test_without_a_file_a_bond_ends_with_the_run(self):
        with KernelPairing() as pairing:
            with device() as blemu:
                bond(blemu, pairing)
            with device() as blemu:
                assert_refused(blemu)

    def test_bonds_are_forgotten(self, path):
        with KernelPairing() as pairing:
            with device("--state", path) as blemu:
                bond(blemu, pairing)
                blemu.kill()
            with device("--state", path, "--forget-bonds") as blemu:
                assert_refused(blemu)
                forget("hci1", "hci0")
                bond(blemu, pairing)
            assert f"blemu: forgot the bonds with {hci.address_text('hci1')}" in blemu.errors
            assert path.read_text().count("- central:") == 1

    def test_a_bad_key_is_shown_and_nothing_is_lost(self, path):
        text = f'definition: "Bonding"\nbonds:\n  - {{ central: {hci.address_text("hci1")}, device: 00, table: 0 }}\n'
        path.write_text(text)
        blemu = device("--state", path)
        blemu.wait()
        assert blemu.stop() == 65
        assert f"{path}:3:43: error: expected a Bluetooth address, found '00'" in blemu.errors
        assert path.read_text() == text

    def test_another_adapter_does_not_take_the_bonds(self, path):
        """To a central, it is another device."""
        with KernelPairing() as pairing:
            with device("--state", path) as blemu:
                bond(blemu, pairing)
        kept = path.read_text().replace(hci.address_text("hci0"), "00:00:00:00:00:42")
        path.write_text(kept)
        with device("--state", path) as blemu:
            assert_refused(blemu)
        assert path.read_text() == kept


def assert_refused(blemu):
    """The device has not the key of the central, which then ends the link."""
    with Central() as central:
        blemu.await_event("connected")
        central.require_encryption()
        with contextlib.suppress(OSError):
            central.read(1)
        central.await_disconnection()
    blemu.await_event("disconnected")
    assert blemu.happened("encrypted") == []
