"""Requests while a device streams as fast as the machine can: they are answered as if it did not."""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import threading

import pytest

import bluez
from att import assert_refused
from blemu import DEFINITIONS, Blemu

ASKED = DEFINITIONS / "asked-wire.yaml"
REQUESTS = 50
# Values of 244 bytes that lie ahead of a response in the socket of the link (net/core/sock.c: 212,992 bytes with
# all that the kernel keeps for each), and in bluetoothd's, which no server can take back.
QUEUE = 200 + 40

# The central is a process of its own: here, the reader of the log would hold it up.
READER = """
import json, sys, time
from att import Central

count = int(sys.argv[1])
with Central() as central:
    central.exchange_mtu(517)
    ffe1, ffe2 = central.characteristic("FFE1"), central.characteristic("FFE2")
    configuration = central.descriptor(ffe1, "2902")
    print("ready", flush=True)
    sys.stdin.readline()
    central.write(configuration, b"\\1\\0")
    times, received, start = [], 0, time.monotonic()
    for number in range(count):
        time.sleep(0.1)
        asked = time.monotonic()
        central.read(ffe1) if number % 2 else central.write(ffe2, b"asked")
        times.append(time.monotonic() - asked)
        received += len(central.waiting())
    print(json.dumps({"times": times, "received": received, "seconds": time.monotonic() - start}))
"""


class Share:
    """How much slower a process is for having to wait for a processor. A context manager; then `slowdown` is 1 for one
    that had a processor whenever it wanted (Linux, Documentation/scheduler/sched-stats.rst, /proc/PID/schedstat)."""

    def __init__(self, process):
        self._path = pathlib.Path(f"/proc/{process.pid}/schedstat")

    def _times(self):
        return [int(field) for field in self._path.read_text().split()[:2]]  # it ran, it waited to run; ns

    def __enter__(self):
        self._start = self._times()
        return self

    def __exit__(self, *_):
        ran, waited = (after - before for before, after in zip(self._start, self._times()))
        self.slowdown = (ran + waited) / ran


def measure(*program):
    """Reads and writes while the program is at the serial side. The medians on the bus and on the air, in seconds; how much
    slower blemu is for having to share the processors; and values a second."""
    with Blemu(ASKED, "--exec", *program, "--") as blemu:
        environment = {"PYTHONPATH": str(pathlib.Path(__file__).parent)}
        reader = subprocess.Popen([sys.executable, "-c", READER, str(REQUESTS)], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True, env=environment)
        assert reader.stdout.readline() == "ready\n"
        with bluez.Calls("ReadValue", "WriteValue") as calls, Share(blemu.process) as share:
            output = reader.communicate("go\n")[0]
        assert reader.returncode == 0
        assert [message for message in blemu.warnings() if message.startswith("BlueZ")] == []
    found = json.loads(output)
    assert len(calls.times) == REQUESTS
    bus, air = statistics.median(calls.times), statistics.median(found["times"])
    rate = found["received"] / 244 / found["seconds"]
    print(f"  {' '.join(program)}: on the bus {bus * 1000:.1f} ms, on the air {air * 1000:.1f} ms, "
          f"{share.slowdown:.1f} times slower for waiting; {rate:.0f} values a second")
    return bus, air, share.slowdown, rate


@pytest.fixture
def bluetoothd():
    yield
    bluez.restart()


def test_requests_are_answered_as_if_it_did_not(bluetoothd, case):
    idle = measure("sleep", "1000")
    # bluetoothd looks at messages only when it has no value to read (gdbus/mainloop.c).
    with case("a bluetoothd that always has one: it runs when blemu has nothing to do"):
        os.setpriority(os.PRIO_PROCESS, int(pathlib.Path("/run/bluetoothd.pid").read_text()), 19)
        compare(idle)
    with case("a bluetoothd that says all that it does, and is slower than blemu"):
        bluez.restart("--debug")
        compare(idle)


def compare(idle):
    idle_bus, idle_air, _, _ = idle
    bus, air, slowdown, rate = measure("cat", "/dev/zero")
    # The machine's share: blemu has to wait for a processor, all of which are busy now.
    assert bus < 3 * idle_bus * slowdown
    # On the air bluetoothd and both ends of the link have to, too; and there is what lies ahead of the response.
    assert air < 3 * idle_air * slowdown + 0.15 + QUEUE / rate


def test_an_answer_that_comes_too_late_is_told(wire):
    """bluetoothd answers by itself when blemu does not for 5 s; the log tells."""
    wire.start(DEFINITIONS / "fast-wire.yaml", "--stdio")
    central = wire.central()
    wire.blemu.await_event("read")
    with wire.stopped():
        assert_refused(0x0E, central.read, wire.ffe1)
    message = wire.blemu.await_event("warning")["message"]
    assert re.match(r"BlueZ gave up waiting: blemu answered a request for 'FFE1' after \d+\.\d s\. ", message)
    # What comes in time is no news.
    central.read(wire.ffe1)
    assert len(wire.blemu.warnings()) == 1


def test_a_thread_that_fails_ends_its_test_with_its_own_error(meanwhile):
    """The tests' own promise: nobody waits for a thread that is dead."""
    with pytest.raises(ZeroDivisionError):
        meanwhile(lambda: 1 // 0)
        threading.Event().wait()
