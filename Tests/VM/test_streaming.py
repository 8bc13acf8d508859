"""Requests are answered promptly while a device streams as fast as the machine can."""
import contextlib
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import threading
import time

import pytest

import bluez
from att import CCCD, Central, assert_refused
from device import DEFINITIONS, PROGRAM, Blemu
from patience import PATIENCE

pytestmark = pytest.mark.takes_time

ASKED = DEFINITIONS / "asked-wire.yaml"
REQUESTS = 16
# Values of 244 bytes that wait before a response in the socket of the link (net/core/sock.c: 212,992 bytes including the
# kernel's overhead) and in bluetoothd's socket. No server can take them back.
QUEUE = 200 + 40
GIVES_UP = 5  # Seconds: then bluetoothd itself refuses a request.

# The central is a separate process: in this one, the reader of the log would delay it.
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
    """Measures how much a process is slowed down by waiting for a processor. A context manager; afterwards `slowdown` is 1
    for a process that never had to wait (Linux, Documentation/scheduler/sched-stats.rst, /proc/PID/schedstat)."""

    def __init__(self, process):
        self._path = pathlib.Path(f"/proc/{process.pid}/schedstat")

    def _times(self):
        return [int(field) for field in self._path.read_text().split()[:2]]  # running, waiting to run; ns

    def __enter__(self):
        self._start = self._times()
        return self

    def __exit__(self, *_):
        ran, waited = (after - before for before, after in zip(self._start, self._times()))
        self.slowdown = (ran + waited) / ran


def measure(*program):
    """Reads and writes while the program is at the wire side. Returns the medians on the bus and on the air, in seconds,
    the slowdown of blemu by sharing the processors, and the values per second."""
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


def test_requests_are_answered_promptly(bluetoothd, case):
    idle = measure("sleep", "1000")
    # bluetoothd reads messages only when it has no value to read (gdbus/mainloop.c).
    with case("a bluetoothd that always has a value to read: it runs only while blemu is idle"):
        os.setpriority(os.PRIO_PROCESS, int(pathlib.Path("/run/bluetoothd.pid").read_text()), 19)
        compare(idle)
    with case("a bluetoothd with debug output, which is slower than blemu"):
        bluez.restart("--debug")
        compare(idle)


def compare(idle):
    idle_bus, idle_air, _, _ = idle
    bus, air, slowdown, rate = measure("cat", "/dev/zero")
    # Allows for the machine: all processors are busy, so blemu has to wait for one.
    assert bus < 3 * idle_bus * slowdown
    # On the air, bluetoothd and both ends of the link wait as well, and values are queued before the response.
    assert air < 3 * idle_air * slowdown + 0.15 + QUEUE / rate


@contextlib.contextmanager
def running(*arguments):
    """blemu without a log: who reads that of a stream delays everything."""
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def one_process(contexts, folder):
    """A device on hci0, and two that stream on hci1 and hci2."""
    wires = ["", *2 * [", wire: { exec: [cat, /dev/zero] }"]]
    lines = [f"  d{number}: {{ definition: {ASKED}, on: 'bluez:hci{number}'{wire} }}\n" for number, wire in enumerate(wires)]
    path = folder / "stand.yaml"
    path.write_text("stand: Streams\ndevices:\n" + "".join(lines))
    contexts.enter_context(running("up", path, "--log", "none"))


def three_processes(contexts, _):
    """The same with a process each."""
    for number, wire in enumerate([[], *2 * [["--exec", "cat", "/dev/zero"]]]):
        contexts.enter_context(running("run", ASKED, "--on", f"bluez:hci{number}", "--log", "none", "--no-control", *wire))


@pytest.mark.parametrize("run", [one_process, three_processes])
def test_a_device_answers_beside_two_that_stream(contexts, tmp_path, run):
    """bluetoothd reads an answer only while no socket has a value, no matter whose."""
    run(contexts, tmp_path)
    reader, *streams = (contexts.enter_context(Central(f"hci{number}", f"hci{number + 3}", mtu=0)) for number in range(3))
    ffe1 = reader.characteristic("FFE1")
    for central in streams:
        central.write(central.descriptor(central.characteristic("FFE1"), CCCD), b"\1\0")
    times = []
    with bluez.Calls("ReadValue") as calls:
        for _ in range(20):
            for central in streams:
                central.stream(20 * 20)  # 20 values: both are streaming
            asked = time.monotonic()
            reader.read(ffe1)
            times.append(time.monotonic() - asked)
    print(f"  a read takes {statistics.median(times) * 1000:.0f} ms (median), {max(times) * 1000:.0f} ms (maximum); "
          f"{max(calls.times) * 1000:.0f} ms of it at most until blemu has answered bluetoothd")
    assert statistics.median(times) < GIVES_UP / 5, times
    assert max(times) < GIVES_UP / 2, times


def test_a_late_answer_is_reported(wire):
    """bluetoothd answers by itself if blemu does not within 5 s. The log reports it."""
    wire.start(DEFINITIONS / "fast-wire.yaml", "--stdio")
    central = wire.central()
    wire.blemu.await_event("read")
    with wire.stopped():
        assert_refused(0x0E, central.read, wire.ffe1)
    message = wire.blemu.await_event("warning")["message"]
    assert re.match(r"BlueZ gave up waiting: blemu answered a request for 'FFE1' after \d+\.\d s\. ", message)
    # An answer in time is not reported.
    central.read(wire.ffe1)
    assert len(wire.blemu.warnings()) == 1


def test_a_failed_thread_ends_its_test_with_its_error(meanwhile):
    """Checks the test support: a test does not wait for a dead thread."""
    with pytest.raises(ZeroDivisionError):
        meanwhile(lambda: 1 // 0)
        threading.Event().wait()
