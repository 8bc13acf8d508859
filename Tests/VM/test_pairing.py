"""Pairing as the definition says, on bluez and on exact. The central is the kernel's, with bluetoothd or without it."""
import dbus
import pytest

import bluez
import hci
from att import Central
from device import DEFINITIONS, Blemu
from pairing import AUTHENTICATION_FAILED, DISPLAY_ONLY, DISPLAY_YES_NO, KEYBOARD_ONLY, NO_INPUT_NO_OUTPUT, Control, KernelPairing, unpair, without_bluetoothd
from patience import PATIENCE, eventually

FFF6 = "0000fff6-0000-1000-8000-00805f9b34fb"
SECRET = DEFINITIONS / "secret.yaml"
BONDABLE, SECURE_CONNECTIONS = 1 << 4, 1 << 11
LOST_KEYS = ("has lost the keys of its bond, and bluetoothd refuses to pair it while it has its own "
             "(JustWorksRepairing in /etc/bluetooth/main.conf)")
REMOVED = "blemu has removed bluetoothd's keys: pair again at the central"
LEGACY, LEGACY_AUTHENTICATED, SECURE, SECURE_AUTHENTICATED = range(4)  # kinds of keys (bluez: doc/mgmt-api.txt)
REPEATS = pytest.mark.repeats


@pytest.fixture
def device(tmp_path):
    """Returns a function that runs the secret device with this security; None: with none."""
    def run(security=None, on="exact:hci0"):
        definition = tmp_path / "secret.yaml"
        line = "" if security is None else f"security: {{ {security} }}\n"
        definition.write_text(SECRET.read_text() + line)
        return Blemu(definition, on=on)
    return run


@pytest.fixture
def following(tmp_path):
    """Returns a function that runs a device whose way to pair follows a setting: 1 Just Works, 2 a passkey, 0 as the system.
    A central that has not paired leaves it as `then`."""
    def run(on, first, then):
        definition = tmp_path / "following.yaml"
        definition.write_text("""
blemu: 1
name: Following
advertisement: { local-name: Following }
settings:
  type: { type: integer, min: 0, max: 2, default: 0 }
  then: { type: integer, min: 0, max: 2, default: 0 }
  pass: { type: text, max: 6, default: "000000" }
security:
  if: type > 0
  io-capability: if(type == 1, 'no-input-no-output', 'display-only')
  passkey: "{pass}"
services:
  - { uuid: FFF0, characteristics: [{ uuid: FFF6, properties: [read], value: "06" }] }
rules:
  - on: disconnect
    if: not encrypted
    do:
      - { set: { type: then } }
      - { log: "type {type}" }
""")
        return Blemu(definition, "--set", f"type={first}", "--set", f"then={then}", on=on)
    return run


def security_settings(adapter="hci0"):
    return hci.settings(adapter) & (BONDABLE | SECURE_CONNECTIONS)


def refusal(cause):
    return f"the device refused to pair with {hci.address_text('hci1')}, because its security says '{cause}'"


def key_missing(reason):
    return (f"{hci.address_text('hci1')} encrypts the link with a key of an earlier pairing, and {reason}; "
            "forget this device at the central, then pair again")


def pairing_events(blemu):
    return [each["event"] for each in blemu.happened("paired", "bonded", "pairing-failed", "encrypted", "passkey")]


class TestWithoutBluetoothd:
    """The kernel's own pairing, once of each kind. Tests/SecurityManagerTests decides what both sides do, and Tests/Radio pairs with
    Bumble, so the other tests of this class run with --all."""

    @pytest.fixture(autouse=True)
    def no_bluetoothd(self):
        with without_bluetoothd():
            before = security_settings()
            yield
            assert security_settings() == before

    @REPEATS
    def test_just_works(self, device):
        with device("io-capability: no-input-no-output") as blemu, KernelPairing() as pairing, Central() as central:
            pairing.pair()
            assert pairing.keys.get(timeout=PATIENCE) == SECURE
            assert blemu.await_event("encrypted") | {"time": ""} == {
                "time": "", "event": "encrypted", "central": hci.address_text("hci1"), "level": "encrypted", "key-size": 16}
            blemu.await_event("paired", central=hci.address_text("hci1"))
            blemu.await_event("bonded")
            eventually(lambda: hci.is_encrypted("hci1"), lambda: "the link is not encrypted")
            assert central.read(central.characteristic("FFF6")) == b"\6"

    def test_a_passkey_is_shown_and_entered_at_the_central(self, meanwhile, device):
        with device("io-capability: display-only") as blemu, KernelPairing(capability=KEYBOARD_ONLY) as pairing, Central():
            pairs = meanwhile(pairing.pair)
            pairing.typed.put(int(blemu.await_event("passkey")["passkey"]))
            pairs.result(PATIENCE)
            assert blemu.await_event("encrypted")["level"] == "secure"
            blemu.await_event("bonded")

    @REPEATS
    def test_it_follows_settings(self, meanwhile, following):
        with following("exact:hci0", 1, 2) as blemu, KernelPairing(capability=KEYBOARD_ONLY) as pairing:
            with Central():
                blemu.await_event("connected")
            blemu.await_event("log", message="type 2")
            with Central():
                pairs = meanwhile(pairing.pair)
                pairing.typed.put(int(blemu.await_event("passkey")["passkey"]))
                pairs.result(PATIENCE)
                assert blemu.await_event("encrypted")["level"] == "secure"
                blemu.await_event("bonded")
            assert blemu.warnings() == []

    def test_a_wrong_passkey_fails(self, meanwhile, device):
        with device("io-capability: display-only") as blemu, KernelPairing(capability=KEYBOARD_ONLY) as pairing, Central():
            pairs = meanwhile(pairing.pair)
            pairing.typed.put((int(blemu.await_event("passkey")["passkey"]) + 1) % 1_000_000)
            with pytest.raises(hci.Refused, match=f"status {AUTHENTICATION_FAILED}"):
                pairs.result(PATIENCE)
            blemu.await_event("pairing-failed", central=hci.address_text("hci1"))
            assert pairing_events(blemu) == ["passkey", "pairing-failed"]

    @REPEATS
    def test_the_passkey_of_the_central_is_entered_at_the_device(self, meanwhile, device):
        with device("io-capability: keyboard-only, passkey: '123456'") as blemu, KernelPairing(capability=DISPLAY_ONLY) as pairing, Central():
            with pytest.raises(hci.Refused):  # the central shows one at random
                pairing.pair()
            pairing.shown.get(timeout=PATIENCE)
            blemu.await_event("pairing-failed")

    def test_numbers_are_compared(self, device):
        with device("io-capability: display-yes-no") as blemu, KernelPairing(capability=DISPLAY_YES_NO) as pairing, Central():
            pairing.pair()
            assert int(blemu.await_event("passkey")["passkey"]) == pairing.shown.get(timeout=PATIENCE)
            blemu.await_event("bonded")
            assert pairing.keys.get(timeout=PATIENCE) == SECURE_AUTHENTICATED

    @pytest.mark.parametrize("mode, kind", [("never", LEGACY), pytest.param("allowed", SECURE, marks=REPEATS)])
    def test_secure_connections(self, mode, kind, device):
        with device(f"secure-connections: {mode}") as blemu, KernelPairing() as pairing, Central():
            pairing.pair()
            assert pairing.keys.get(timeout=PATIENCE) == kind
            blemu.await_event("bonded")
            assert [each["event"] for each in blemu.happened("paired", "bonded")] == ["paired", "bonded"]

    @REPEATS
    @pytest.mark.parametrize("bondable", [True, False])
    @pytest.mark.parametrize("capability, centrals", [("no-input-no-output", NO_INPUT_NO_OUTPUT), ("display-only", KEYBOARD_ONLY)])
    def test_legacy_pairing_is_refused(self, capability, centrals, bondable, meanwhile, device):
        hci.manage("hci1", 0x002D, b"\0")
        try:
            with device(f"io-capability: {capability}, secure-connections: required") as blemu, \
                    KernelPairing(capability=centrals, bondable=bondable) as pairing, Central():
                pairs = meanwhile(pairing.pair)
                with pytest.raises(hci.Refused):
                    pairs.result(PATIENCE)
                assert blemu.await_event("pairing-failed")["reason"] == "authentication requirements"
                blemu.await_event("warning", message=refusal("secure-connections: required"))
                blemu.await_event("disconnected")
                assert len(blemu.happened("pairing-failed")) == 1
                assert blemu.happened("paired", "bonded") == []
        finally:
            hci.manage("hci1", 0x002D, b"\1")

    @REPEATS
    @pytest.mark.parametrize("bondable", [True, False])
    def test_refused(self, bondable, device):
        with device("pairing: false") as blemu, KernelPairing(bondable=bondable) as pairing, Central() as central:
            with pytest.raises(hci.Refused):
                pairing.pair()
            assert blemu.await_event("pairing-failed")["reason"] == "pairing not supported"
            blemu.await_event("warning", message=refusal("pairing: false"))
            assert not hci.is_encrypted("hci1")
            central.find_information()

    @REPEATS
    def test_a_bonded_central_encrypts_the_next_link_at_once(self, device):
        with device("io-capability: no-input-no-output") as blemu, KernelPairing() as pairing:
            with Central():
                pairing.pair()
                blemu.await_event("bonded")
            blemu.await_event("disconnected")
            with Central() as central:
                blemu.await_event("connected")
                central.require_encryption()
                assert blemu.await_event("encrypted")["key-size"] == 16
            assert [each["event"] for each in blemu.happened("paired", "bonded")] == ["paired", "bonded"]

    @REPEATS
    def test_it_asks_for_security(self, device):
        with device("request: true") as blemu, KernelPairing(), Central() as central:
            blemu.await_event("bonded")
            eventually(lambda: hci.is_encrypted("hci1"), lambda: "the link is not encrypted")
            assert central.read(central.characteristic("FFF6")) == b"\6"

    @REPEATS
    def test_what_is_not_kept_is_forgotten(self, device):
        with device("bonding: false") as blemu, KernelPairing() as pairing:
            with Central():
                pairing.pair()
                blemu.await_event("paired")
            blemu.await_event("disconnected")
            assert blemu.happened("bonded") == []

    @REPEATS
    @pytest.mark.parametrize("bondable, request_", [(True, 0x09), (False, 0x08)])
    def test_it_announces_no_bonding(self, bondable, request_, device):
        with device("bonding: false") as blemu, KernelPairing(bondable=bondable) as pairing, \
                hci.PairingPackets("hci1") as packets, Central():
            pairing.pair()
            blemu.await_event("paired")
            assert packets.authentication(1) == request_  # Pairing Request
            assert packets.authentication(2) == 0x08  # Pairing Response

    @REPEATS
    def test_a_central_whose_key_the_device_does_not_keep(self, device):
        with device("bonding: false") as blemu, KernelPairing() as pairing:
            with Central():
                pairing.pair()
                blemu.await_event("paired")
            blemu.await_event("disconnected")
            with Central() as central:
                blemu.await_event("connected")
                central.require_encryption()
                blemu.await_event("warning", message=key_missing("the device keeps none ('bonding: false')"))
                central.await_disconnection()


BOTH = pytest.mark.parametrize("on", ["exact:hci0", "bluez:hci0"])


class TestBesideBluetoothd:
    @pytest.fixture(autouse=True)
    def forget(self):
        bluez.forget_devices()
        before = security_settings()
        yield
        eventually(lambda: security_settings() == before, lambda: f"{security_settings():x} is not {before:x}")
        bluez.forget_devices()

    @BOTH
    def test_just_works(self, on, device):
        with device("io-capability: no-input-no-output", on) as blemu, Control() as control:
            control.find()
            control.begin()
            control.await_output("Pairing successful")
            blemu.await_event("connected", central=hci.address_text("hci1"))
            blemu.await_event("paired", central=hci.address_text("hci1"))
            blemu.await_event("bonded")
            levels = [each["level"] for each in blemu.happened("encrypted")]
            assert levels == (["encrypted"] if on.startswith("exact") else [])
            assert bluez.read_remote(FFF6) == b"\6"
            assert blemu.warnings() == []

    @BOTH
    def test_a_passkey_is_shown_and_entered_at_the_central(self, on, device):
        with device("io-capability: display-only", on) as blemu, Control(KEYBOARD_ONLY) as control:
            control.find()
            control.begin()
            passkey = blemu.await_event("passkey")["passkey"]
            control.await_output("Enter passkey")
            control.send(passkey)
            control.await_output("Pairing successful")
            blemu.await_event("bonded")
            assert blemu.happened("pairing-failed") == []

    @BOTH
    def test_it_follows_settings(self, on, following):
        with following(on, 1, 2) as blemu, Control(KEYBOARD_ONLY) as control:
            with Central():
                blemu.await_event("connected")
            blemu.await_event("log", message="type 2")
            control.find()
            control.begin()
            passkey = blemu.await_event("passkey")["passkey"]
            control.await_output("Enter passkey")
            control.send(passkey)
            control.await_output("Pairing successful")
            blemu.await_event("bonded")
            assert blemu.warnings() == []

    def test_it_pairs_as_the_system_again(self, following):
        """The agent of before asks."""
        with Control() as control:
            control.send("default-agent")
            control.await_output("Default agent request successful")
            with following("bluez:hci0", 2, 0) as blemu:
                with Central():
                    blemu.await_event("connected")
                blemu.await_event("log", message="type 0")
                control.find()
                control.begin()
                control.await_output(r"Accept pairing \(yes/no\)")
                control.send("yes")
                control.await_output("Pairing successful")
                blemu.await_event("bonded")
                assert blemu.warnings() == []

    @BOTH
    def test_a_wrong_passkey_fails(self, on, device):
        with device("io-capability: display-only", on) as blemu, Control(KEYBOARD_ONLY) as control:
            control.find()
            control.begin()
            passkey = blemu.await_event("passkey")["passkey"]
            control.await_output("Enter passkey")
            control.send(str((int(passkey) + 1) % 1_000_000))
            control.await_output("Failed to pair")
            blemu.await_event("pairing-failed", central=hci.address_text("hci1"))
            assert blemu.happened("paired", "bonded") == []

    @BOTH
    @pytest.mark.parametrize("passkey", ["123456", None])
    def test_the_passkey_of_the_central_is_entered_at_the_device(self, passkey, on, device):
        security = "io-capability: keyboard-only" + (f", passkey: '{passkey}'" if passkey else "")
        with device(security, on) as blemu, Control(DISPLAY_ONLY) as control:
            control.find()
            control.begin()
            control.await_output("Passkey: [0-9]+")
            control.await_output("Failed to pair")  # it shows one at random
            missing = [each for each in blemu.warnings() if "that cannot be entered here" in each]
            assert bool(missing) == (passkey is None)

    @BOTH
    def test_refused(self, on, device):
        with device("pairing: false", on) as blemu, Control() as control:
            control.find()
            control.begin()
            control.await_output("Failed to pair")
            if on.startswith("exact"):  # BlueZ does not tell of a refusal by the kernel
                assert blemu.await_event("pairing-failed")["reason"] == "pairing not supported"
            blemu.await_event("warning", message=refusal("pairing: false"))
            assert blemu.happened("paired", "bonded") == []
            assert not hci.is_encrypted("hci1")

    @BOTH
    def test_numbers_are_compared(self, on, device):
        with device("io-capability: display-yes-no", on) as blemu, Control(DISPLAY_YES_NO) as control:
            control.find()
            control.begin()
            passkey = blemu.await_event("passkey")["passkey"]
            control.await_output(f"Confirm passkey {int(passkey)}|Confirm passkey {passkey}")
            control.send("yes")
            control.await_output("Pairing successful")
            blemu.await_event("bonded")

    @BOTH
    def test_a_bonded_central_encrypts_the_next_link_at_once(self, on, device):
        with device("io-capability: no-input-no-output", on) as blemu, Control() as control:
            control.find()
            control.begin()
            control.await_output("Pairing successful")
            blemu.await_event("bonded")
            self.reconnect(control, blemu)
            assert [each["event"] for each in blemu.happened("paired", "bonded")] == ["paired", "bonded"]

    def test_a_central_that_has_forgotten_the_device_pairs_again(self, device):
        with device("io-capability: no-input-no-output", "bluez:hci0") as blemu, Control() as control:
            self.bond(control, blemu)
            self.let_central_forget(control, blemu)
            control.find()
            control.begin()
            control.await_output("Failed to pair")
            blemu.await_event("warning", message=self.lost(REMOVED))
            control.send(f"remove {hci.address_text('hci0')}")
            control.await_output("has been removed|not available")
            self.bond(control, blemu)
            assert len(blemu.warnings()) == 1

    def test_on_exact_such_a_central_pairs_again_at_once(self, device):
        with device("io-capability: no-input-no-output", "exact:hci0") as blemu, Control() as control:
            for _ in range(2):
                self.bond(control, blemu)
                self.let_central_forget(control, blemu)
            assert blemu.warnings() == []

    def test_a_central_that_has_forgotten_the_device_and_stays_connected(self, device):
        """bluetoothd asks it for encryption, and it does not answer."""
        with device("io-capability: no-input-no-output", "bluez:hci0") as blemu:
            with Control(own="hci2") as control:
                self.bond(control, blemu)
            blemu.await_event("disconnected")
            with hci.SilentCentral("hci2") as central:
                blemu.await_event("warning", message=self.lost(REMOVED, "hci2"))
                central.await_disconnection()
            bluez.wait_for_adapter("hci2", Powered=True)
            with pytest.raises(hci.Refused, match="status 6"):  # Not Paired
                unpair("hci0", "hci2")

    def test_it_pairs_at_the_first_try_where_bluetoothd_asks(self, device):
        with bluez.configured("[General]\nJustWorksRepairing = confirm"), \
                device("io-capability: no-input-no-output", "bluez:hci0") as blemu, Control() as control:
            self.bond(control, blemu)
            self.let_central_forget(control, blemu)
            control.find()
            control.begin()
            control.await_output("Pairing successful")
            assert blemu.warnings() == []

    def test_the_keys_of_the_system_stay(self, device):
        with Control() as control:
            control.send("default-agent")
            control.await_output("Default agent request successful")
            with device("io-capability: no-input-no-output", "bluez:hci0") as blemu:
                self.bond(control, blemu)
                self.let_central_forget(control, blemu)
            with device(None, "bluez:hci0") as blemu:
                control.find()
                control.begin()
                control.await_output("Failed to pair")
                address = hci.address_text("hci1")
                blemu.await_event("warning", message=self.lost(
                    f"remove bluetoothd's keys (bluetoothctl remove {address}), then pair again at the central"))
            unpair("hci0", "hci1")  # they are there

    def test_a_central_whose_key_is_gone(self, device):
        with device("io-capability: no-input-no-output", "bluez:hci0") as blemu, Control() as control:
            self.bond(control, blemu)
            control.send(f"disconnect {hci.address_text('hci0')}")
            blemu.await_event("disconnected")
            bluez.forget_devices("hci0")
            control.send(f"connect {hci.address_text('hci0')}")
            blemu.await_event("warning", message=key_missing("this machine no longer has it"))

    def test_a_central_that_does_not_answer_bluetoothd(self, device):
        with device(None, "bluez:hci0") as blemu, Central(answers=False) as central:
            blemu.await_event("connected")
            central.await_disconnection()
            assert blemu.await_event("warning")["message"].startswith(
                f"this machine has ended the link to {hci.address_text('hci1')}, as bluetoothd does")

    def test_keys_outlast_a_bluetoothd_that_starts_anew(self, device):
        with device("io-capability: no-input-no-output", "bluez:hci0") as blemu, Control() as control:
            control.find()
            control.begin()
            control.await_output("Pairing successful")
            blemu.await_event("bonded")
            self.restart(control, blemu)
            self.reconnect(control, blemu, is_connected=False)

    def test_the_next_bluetoothd_asks_this_device_too(self, device):
        with device("io-capability: display-only", "bluez:hci0") as blemu, Control(KEYBOARD_ONLY) as control:
            self.restart(control, blemu)
            control.find()
            control.begin()
            control.await_output("Enter passkey")
            control.send(blemu.await_event("passkey")["passkey"])
            control.await_output("Pairing successful")
            blemu.await_event("bonded")

    def test_what_is_not_kept_is_forgotten(self, device):
        with device("bonding: false", "bluez:hci0") as blemu, Control() as control:
            control.find()
            control.begin()
            control.await_output("Pairing successful")
            blemu.await_event("paired")
            control.send(f"disconnect {hci.address_text('hci0')}")
            blemu.await_event("disconnected")
            assert blemu.happened("bonded") == []
        with pytest.raises(hci.Refused, match="status 6"):  # Not Paired
            unpair("hci0", "hci1")

    def test_a_pairing_with_another_adapter_is_refused(self, device):
        with device("io-capability: no-input-no-output", "bluez:hci0") as blemu, Control(own="hci2") as other, Control() as control:
            other.send("advertise on")
            other.await_output("Advertising object registered")
            control.find("hci2")
            control.begin("hci2")
            control.await_output("Failed to pair")
            assert blemu.await_event("warning")["message"].startswith(
                f"blemu refused to pair {hci.address_text('hci1')} with another adapter")
            assert blemu.happened("paired", "pairing-failed") == []

    def test_the_agent_before_is_put_back(self, device):
        with Control() as control:
            control.send("default-agent")
            control.await_output("Default agent request successful")
            with device("io-capability: no-input-no-output", "bluez:hci0") as blemu:
                control.find()
                control.begin()
                control.await_output("Pairing successful")
                assert "Accept pairing" not in control.output
                blemu.await_event("bonded")
            bluez.forget_devices()
            with device(on="bluez:hci0") as blemu:
                control.find()
                control.begin()
                control.await_output(r"Accept pairing \(yes/no\)")
                control.send("yes")
                control.await_output("Pairing successful")
                blemu.await_event("bonded")

    def bond(self, control, blemu):
        control.find()
        control.begin()
        control.await_output("Pairing successful")
        blemu.await_event("bonded")

    def let_central_forget(self, control, blemu):
        control.send(f"remove {hci.address_text('hci0')}")
        control.await_output("Device has been removed")
        blemu.await_event("disconnected")

    def lost(self, remedy, central="hci1"):
        return f"{hci.address_text(central)} {LOST_KEYS}; {remedy}"

    def restart(self, control, blemu):
        bluez.restart()
        blemu.await_event("on-air")
        control.await_output("Agent registered")
        control.send(f"select {hci.address_text('hci1')}")

    def reconnect(self, control, blemu, is_connected=True):
        if is_connected:
            control.send(f"disconnect {hci.address_text('hci0')}")
            blemu.await_event("disconnected")
        control.send(f"connect {hci.address_text('hci0')}")
        control.await_output("Connection successful")
        blemu.await_event("connected")
        eventually(lambda: hci.is_encrypted("hci1"), lambda: "the link is not encrypted")
        assert bluez.read_remote(FFF6) == b"\6"


class TestPrivateAddressBesideBluetoothd:
    """The central connects from resolvable private addresses, as phones do."""

    @pytest.fixture(autouse=True)
    def privacy(self):
        bluez.forget_devices()
        set_privacy(True)
        yield
        bluez.forget_devices()
        set_privacy(False)

    @BOTH
    def test_a_bonded_central_is_known_from_its_next_address(self, on, device):
        with device("io-capability: no-input-no-output", on) as blemu, Control() as control:
            control.find()
            control.begin()
            control.await_output("Pairing successful")
            private = blemu.await_event("connected")["central"]
            assert private != hci.address_text("hci1")
            assert blemu.await_event("identified", central=private)["identity"] == hci.address_text("hci1")
            blemu.await_event("bonded")
            control.send(f"disconnect {hci.address_text('hci0')}")
            blemu.await_event("disconnected")
            set_privacy(True)  # with another address
            control.send(f"connect {hci.address_text('hci0')}")
            control.await_output("Connection successful")
            blemu.await_event("connected")
            eventually(lambda: hci.is_encrypted("hci1"), lambda: "the link is not encrypted")
            assert bluez.read_remote(FFF6) == b"\6"
            assert len(blemu.happened("bonded")) == 1
            assert blemu.warnings() == []


class TestPrivateDeviceBesideBluetoothd:
    """The device has resolvable private addresses."""

    @pytest.fixture(autouse=True)
    def forget(self):
        bluez.forget_devices()
        yield
        bluez.forget_devices()

    # Linux 7.2 resolves addresses in the controller. With RootCanal, it then no longer sees an address that has changed, and gives up.
    @pytest.mark.debian_kernel
    def test_a_bonded_central_finds_it_at_its_next_address(self, tmp_path):
        definition = tmp_path / "private.yaml"
        text = SECRET.read_text().replace("advertisement:\n", "advertisement:\n  address: { kind: resolvable, every: 20s }\n")
        definition.write_text(text + "security: { io-capability: no-input-no-output }\n")
        with Blemu(definition, on="exact:hci0") as blemu, Control() as control:
            on_air = blemu.happened("on-air")[0]
            address, identity = on_air["address"], on_air["identity"]
            control.find(address)
            control.begin(address)
            control.await_output("Pairing successful")
            blemu.await_event("bonded")
            control.send(f"disconnect {identity}")
            blemu.await_event("disconnected")
            assert blemu.await_event("address")["address"] not in (address, identity)
            control.send(f"connect {identity}")
            control.await_output("Connection successful")
            blemu.await_event("connected")
            eventually(lambda: hci.is_encrypted("hci1"), lambda: "the link is not encrypted")
            assert bluez.read_remote(FFF6, peripheral=address) == b"\6"
            assert len(blemu.happened("bonded")) == 1
            assert blemu.warnings() == []


def set_privacy(on, adapter="hci1"):
    """Lets the kernel give an adapter private addresses, the next one now, or its own again."""
    hci.set_powered(adapter, False)
    hci.manage(adapter, 0x002F, bytes([on]) + bytes(range(16)))  # Set Privacy
    hci.set_powered(adapter, True)
    bluez.wait_for_adapter(adapter, Powered=True)


class TestSettingsOfBlueZ:
    @pytest.fixture(autouse=True)
    def other_agent(self):
        with Control():  # bluetoothd lets nobody pair without an agent
            bluez.set_adapter_property("PairableTimeout", dbus.UInt32(600))
            bluez.wait_for_adapter(Pairable=True)
            yield
            bluez.set_adapter_property("PairableTimeout", dbus.UInt32(0))
            bluez.set_adapter_property("Pairable", dbus.Boolean(True))

    @pytest.mark.parametrize("was_pairable", [True, False])
    @pytest.mark.parametrize("pairs", [True, False])
    def test_put_back(self, pairs, was_pairable, device):
        bluez.set_adapter_property("Pairable", dbus.Boolean(was_pairable))
        bluez.wait_for_adapter(Pairable=was_pairable)
        with device(f"pairing: {str(pairs).lower()}", "bluez:hci0"):
            bluez.wait_for_adapter(Pairable=pairs, PairableTimeout=0)
        bluez.wait_for_adapter(Pairable=was_pairable, PairableTimeout=600)

    def test_put_back_by_the_run_after_one_that_was_killed(self, device):
        with device("pairing: false", "bluez:hci0") as blemu:
            bluez.wait_for_adapter(Pairable=False, PairableTimeout=0)
            blemu.kill()
        with device(None, "bluez:hci0"):
            pass
        bluez.wait_for_adapter(Pairable=True, PairableTimeout=600)

    def test_left_alone_without_security(self, device):
        with device(None, "bluez:hci0"):
            assert bluez.adapter_properties()["PairableTimeout"] == 600
