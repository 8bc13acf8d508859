"""The JSON log: every event of a conversation, with its documented fields."""
import os
import re
import subprocess

import pytest

import hci
from att import Central
from device import PROGRAM, REPOSITORY, Blemu
from patience import PATIENCE

LINK = "/tmp/log-line"
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


class TestLog:
    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def conversation(cls):
        """Records the events of a conversation."""
        with Blemu("hm-10", "--pty", LINK) as blemu:
            terminal = os.open(LINK, os.O_RDWR | os.O_NOCTTY)
            with Central() as central:
                ffe1 = central.characteristic("FFE1")
                cls.value = central.read(ffe1)
                blemu.await_event("read")
                central.subscribe(ffe1)
                central.write_command(ffe1, b"Hello\r\n")
                blemu.await_event("wire-out")
                os.write(terminal, b"\0OK")
                central.notification()
                central.unsubscribe(ffe1)
                blemu.await_event("unsubscribed")
            blemu.await_event("disconnected")
            os.close(terminal)
        cls.events, cls.lines, cls.errors = blemu.events, blemu.other_lines, blemu.errors

    def event(self, name):
        """Returns the only event of that name, without its time."""
        found = [event for event in self.events if event["event"] == name]
        assert len(found) == 1
        return {key: value for key, value in found[0].items() if key not in ("event", "time")}

    def by_central(self, **fields):
        return {"central": hci.address_text("hci1")} | fields

    def test_every_line_is_an_event_with_its_time(self):
        assert (self.lines, self.errors) == ([], [])
        for event in self.events:
            assert re.fullmatch(TIME, event["time"])
        assert sorted(self.events, key=lambda event: event["time"]) == self.events

    def test_order(self):
        names = [event["event"] for event in self.events if event["event"] not in ("read", "wire")]
        assert names == ["on-air", "connected", "subscribed", "write", "wire-out", "wire-in", "notify",
                         "unsubscribed", "disconnected", "off-air"]

    def test_wire(self):
        changes = [event["change"] for event in self.events if event["event"] == "wire"]
        assert changes == ["opened", "baud-rate", "closed"]

    def test_on_air(self):
        event = self.event("on-air")
        assert event.pop("stack") == "BlueZ"  # which tells its version only with its Device ID
        assert re.fullmatch(rf"{re.escape(LINK)} -> /dev/pts/\d+, 9600 baud", event.pop("wire"))
        for field in ("advertising-data", "scan-response"):
            assert re.fullmatch(r"[0-9A-F]{2}( [0-9A-F]{2})+", event.pop(field))
        assert event == {"definition": "HM-10", "name": "HMSoft", "adapter": "hci0", "services": "FFE0",
                         "address": hci.address_text("hci0")}

    def test_the_central_is_named_by_its_address(self):
        assert self.event("connected") == self.by_central()
        assert self.event("subscribed") == self.by_central(attribute="FFE1")
        assert self.event("unsubscribed") == self.by_central(attribute="FFE1")
        assert self.event("disconnected") == self.by_central()

    def test_read(self):
        first = next(event for event in self.events if event["event"] == "read")
        assert {key: first[key] for key in ("central", "attribute", "value")} == \
            self.by_central(attribute="FFE1", value=self.value.hex(" ").upper())

    def test_values_in_hex_and_as_text(self):
        hello = {"value": "48 65 6C 6C 6F 0D 0A", "text": r"Hello\r\n"}
        answer = {"value": "00 4F 4B", "text": r"\x00OK"}
        assert self.event("write") == self.by_central(attribute="FFE1", **hello)
        assert self.event("wire-out") == hello
        assert self.event("wire-in") == answer
        assert self.event("notify") == {"attribute": "FFE1"} | answer

    def test_off_air_counts(self):
        event = self.event("off-air")
        assert event.pop("milliseconds") > 0
        assert event == {"centrals": 1, "values-in": 1, "values-out": 1, "values-lost": 0}


KEYED = """
blemu: 1
name: Keyed
services: [{ uuid: FFE0, characteristics: [{ id: keyed, uuid: FFE1, properties: [write, notify] }] }]
framing: { keyed: { decode: "xor(value, bytes('5A'))", encode: "xor(value, bytes('5A'))" } }
messages: { ask: "01 02", answer: "03" }
rules: [{ on: { receive: ask }, do: { send: answer } }]
"""


def test_encoded_values_are_logged_as_on_the_air_and_plain(tmp_path):
    definition = tmp_path / "keyed.yaml"
    definition.write_text(KEYED)
    with Blemu(definition) as blemu:
        with Central() as central:
            keyed = central.characteristic("FFE1")
            central.subscribe(keyed)
            central.write_command(keyed, b"\x5B\x58")
            assert central.notification() == b"\x59"
        blemu.await_event("disconnected")
    events = [(event["event"], event.get("direction"), event["value"]) for event in blemu.events
              if event["event"] in ("write", "plain", "notify")]
    assert events == [("write", None, "5B 58"), ("plain", "in", "01 02"), ("plain", "out", "03"), ("notify", None, "59")]


def test_no_log():
    """Nothing is logged, neither the start of a device nor its end."""
    command = [PROGRAM, "run", "hm-10", "--on", "loopback", "--stdio", "--log", "none"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=REPOSITORY, bufsize=0, **pipes) as process:
        process.stdin.write(b"AT")
        answer = process.stdout.read(2)
        process.terminate()
        output = process.communicate(timeout=PATIENCE)
    assert (answer, output, process.returncode) == (b"OK", (b"", b""), 0)
