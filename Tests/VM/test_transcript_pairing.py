"""Transcripts whose central pairs, on the air: with bluetoothd and without it."""
import subprocess

import pytest

import bluez
import hci
from device import PROGRAM
from pairing import without_bluetoothd
from patience import SILENCE, eventually

DEFINITION = """\
blemu: 1
name: Lock
advertisement: { local-name: Lock, services: [FFE0] }
SECURITY
services:
  - uuid: FFE0
    characteristics:
      - { id: open, uuid: FFE1, properties: [read, write, notify], value: "00" }
      - { id: encrypted, uuid: FFE2, properties: [read], permissions: [encrypt-read], value: "01" }
      - { id: authenticated, uuid: FFE3, properties: [read], permissions: [encrypt-authenticated-read], value: "02" }
messages: { told: "{number: u8}" }
rules:
  - { on: { receive: told, from: open }, do: { send: told, to: open } }
  - { on: paired, do: { send: { bytes: "01" }, to: wire } }
  - { on: bonded, do: { send: { bytes: "02" }, to: wire } }
"""
PAIRED, BONDED = ["[ wire  01"], ["[ wire  01", "[ wire  02"]
UNPAIRED = ["read encrypted", "! insufficient-authentication"]
ENCRYPTED = ["read encrypted", "= 01", "read authenticated", "! insufficient-authentication"]
AUTHENTICATED = ["read encrypted", "= 01", "read authenticated", "= 02"]

JUST_WORKS = [
    ["connect", *UNPAIRED, "pair", *PAIRED, *ENCRYPTED, "disconnect", "connect", *UNPAIRED],
    ["connect", "bond", *BONDED, *ENCRYPTED, "disconnect", "connect", *ENCRYPTED, "pair", *ENCRYPTED],
]
DISPLAY = [
    ["connect", *UNPAIRED, "pair", *PAIRED, *AUTHENTICATED],
    ["connect", "pair passkey=000000", "! confirm-value-failed", "connect", *UNPAIRED, "bond", *BONDED, "disconnect", "connect", *AUTHENTICATED],
    ["connect", "pair io-capability=no-input-no-output", *PAIRED, *ENCRYPTED],
    ["connect", "pair io-capability=display-only", *PAIRED, *ENCRYPTED],
    ["connect", "bond secure-connections=never", *BONDED, *AUTHENTICATED],
]
SECTIONS = {
    "": JUST_WORKS,
    "security: {}": JUST_WORKS,
    "security: { bonding: false }": [["connect", "pair", *PAIRED, *ENCRYPTED, "disconnect", "connect", *UNPAIRED]],
    "security: { io-capability: display-only }": DISPLAY,
    "security: { io-capability: display-yes-no }": [
        ["connect", "pair", *PAIRED, *AUTHENTICATED],
        ["connect", "pair passkey=000000", "! confirm-value-failed", "connect", *UNPAIRED],
    ],
    "security: { io-capability: keyboard-only, passkey: '123456' }": [
        ["connect", "pair passkey=123457", "! confirm-value-failed", "connect", *UNPAIRED],
        ["connect", "pair io-capability=keyboard-only", *PAIRED, *AUTHENTICATED],
    ],
    "security: { io-capability: keyboard-only }": [["connect", "pair", "! passkey-entry-failed", "connect", *UNPAIRED]],
    "security: { pairing: false }": [["connect", *UNPAIRED, "pair", "! pairing-not-supported", "connect", *UNPAIRED]],
    "security: { secure-connections: required }": [
        ["connect", "bond secure-connections=never", "! authentication-requirements", "connect", *UNPAIRED, "pair", *PAIRED, *ENCRYPTED],
    ],
    "security: { io-capability: display-only, secure-connections: required }": [
        ["connect", "bond secure-connections=never", "! authentication-requirements", "connect", *UNPAIRED, "bond", *BONDED, *AUTHENTICATED],
        ["connect", "pair", *PAIRED, *AUTHENTICATED],
    ],
    "security: { io-capability: display-yes-no, secure-connections: required }": [
        ["connect", "bond", *BONDED, *AUTHENTICATED, "disconnect", "connect", *AUTHENTICATED],
    ],
}


@pytest.fixture
def run(tmp_path):
    """Returns a function that runs these sections with a device of this security."""
    def run(security, sections, on, central="bluez"):
        (tmp_path / "lock.yaml").write_text(DEFINITION.replace("SECURITY", security))
        transcript = tmp_path / "lock.transcript"
        text = "".join(f"== {number}\n" + "\n".join(lines) + "\n" for number, lines in enumerate(sections, 1))
        if on == "bluez":  # bluetoothd's error on a link that is not encrypted
            text = text.replace("\n".join(UNPAIRED), "read encrypted\n! insufficient-encryption")
            # Linux refuses a central that asks for authentication where neither side can enter a passkey.
            text = text.replace("\n".join(["pair io-capability=display-only", *PAIRED, *ENCRYPTED]),
                                "pair io-capability=display-only\n! authentication-requirements")
        transcript.write_text(text)
        where = [] if on == "loopback" else ["--on", f"{on}:hci0", "--central", f"{central}:hci1"]
        done = subprocess.run([PROGRAM, "test", transcript, *where], capture_output=True, text=True, timeout=SILENCE)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stdout.endswith(f"{len(sections)} passed, 0 failed\n")
    return run


def settings():
    return [hci.settings(adapter) for adapter in ("hci0", "hci1")]


def has_keys(own, other):
    try:
        hci.manage(own, 0x001B, hci.address(other) + bytes([1, 0]))  # Unpair Device
        return True
    except hci.Refused:
        return False


@pytest.mark.parametrize("on, security", [
    (on, security) for on in ("loopback", "exact", "bluez") for security in SECTIONS
    if on != "bluez" or "required" not in security  # BlueZ cannot require LE Secure Connections
])
def test_beside_bluetoothd(on, security, run):
    for adapter in ("hci0", "hci1"):  # After a test with bluetoothctl, bluetoothd may still be doing that.
        bluez.set_adapter_property("Pairable", False, adapter)
    before = settings()
    run(security, SECTIONS[security], on)
    eventually(lambda: settings() == before, lambda: f"{settings()} is not {before}")
    hci.set_powered("hci0", True)
    assert not has_keys("hci0", "hci1") and not has_keys("hci1", "hci0")


@pytest.mark.parametrize("security", [each for each in SECTIONS if each])
def test_without_bluetoothd(security, run):
    with without_bluetoothd():
        before = settings()
        run(security, SECTIONS[security], "exact", central="exact")
        assert settings() == before
        hci.set_powered("hci0", True)
        assert not has_keys("hci0", "hci1") and not has_keys("hci1", "hci0")


def test_a_bundled_device_without_bluetoothd():
    with without_bluetoothd():
        done = subprocess.run(
            [PROGRAM, "test", "ble-keyboard", "--on", "exact:hci0", "--central", "exact:hci1"], capture_output=True, text=True, timeout=SILENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(" passed, 0 failed\n")
