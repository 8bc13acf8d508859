"""Requests while a device streams as fast as the machine can: they are answered as if it did not."""
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time
import unittest

import bluez
from att import ATTError, Central
from blemu import Blemu
from meanwhile import MeanwhileCase
from wire import DEFINITIONS

FAST, ASKED = DEFINITIONS / "fast-wire.yaml", DEFINITIONS / "asked-wire.yaml"
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


class Bus:
    """Follows what bluetoothd asks, and how long it waits. A context manager; then `times` has seconds."""

    def __init__(self, *members):
        matches = (*(f"type=method_call,member={member}" for member in members), "type=method_return", "type=error")
        self._monitor = subprocess.Popen(["dbus-monitor", "--system", "--profile", *matches], stdout=subprocess.PIPE,
                                         stderr=subprocess.DEVNULL, text=True)
        self._monitor.stdout.readline()  # it listens

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._monitor.terminate()
        rows = [line.rstrip("\n").split("\t") for line in self._monitor.communicate()[0].splitlines()]
        # type, time, serial, sender, destination, and of a reply the serial of its call
        calls = {(row[3], row[2]): float(row[1]) for row in rows if row[0] == "mc"}
        replies = [(row[4], row[5], float(row[1])) for row in rows if row[0] in ("mr", "err") and len(row) > 5]
        self.times = [at - calls[caller, serial] for caller, serial, at in replies if (caller, serial) in calls]


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


class Streaming(unittest.TestCase):
    def measure(self, *program):
        """Reads and writes while the program is at the serial side. The medians on the bus and on the air, in seconds; how much
        slower blemu is for having to share the processors; and values a second."""
        with Blemu(ASKED, "--on", "bluez:hci0", "--exec", *program, "--") as blemu:
            environment = {"PYTHONPATH": str(pathlib.Path(__file__).parent)}
            reader = subprocess.Popen([sys.executable, "-c", READER, str(REQUESTS)], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True, env=environment)
            self.assertEqual(reader.stdout.readline(), "ready\n")
            with Bus("ReadValue", "WriteValue") as bus, Share(blemu.process) as share:
                output = reader.communicate("go\n")[0]
            self.assertEqual(reader.returncode, 0)
            messages = [event["message"] for event in blemu.happened("warning")]
            self.assertEqual([message for message in messages if message.startswith("BlueZ")], [])
        found = json.loads(output)
        self.assertEqual(len(bus.times), REQUESTS)
        bus, air = statistics.median(bus.times), statistics.median(found["times"])
        rate = found["received"] / 244 / found["seconds"]
        print(f"  {' '.join(program)}: on the bus {bus * 1000:.1f} ms, on the air {air * 1000:.1f} ms, "
              f"{share.slowdown:.1f} times slower for waiting; {rate:.0f} values a second")
        return bus, air, share.slowdown, rate

    def test_requests_are_answered_as_if_it_did_not(self):
        idle = self.measure("sleep", "1000")
        self.addCleanup(bluez.restart)
        # bluetoothd looks at messages only when it has no value to read (gdbus/mainloop.c).
        with self.subTest("a bluetoothd that always has one: it runs when blemu has nothing to do"):
            os.setpriority(os.PRIO_PROCESS, int(pathlib.Path("/run/bluetoothd.pid").read_text()), 19)
            self.compare(idle)
        with self.subTest("a bluetoothd that says all that it does, and is slower than blemu"):
            bluez.restart("--debug")
            self.compare(idle)

    def compare(self, idle):
        idle_bus, idle_air, _, _ = idle
        bus, air, slowdown, rate = self.measure("cat", "/dev/zero")
        # The machine's share: blemu has to wait for a processor, all of which are busy now.
        self.assertLess(bus, 3 * idle_bus * slowdown)
        # On the air bluetoothd and both ends of the link have to, too; and there is what lies ahead of the response.
        self.assertLess(air, 3 * idle_air * slowdown + 0.15 + QUEUE / rate)


class GivingUp(MeanwhileCase):
    """bluetoothd answers by itself when blemu does not for 5 s; the log tells."""

    def test_an_answer_that_comes_too_late_is_told(self):
        with Blemu(FAST, "--on", "bluez:hci0", "--stdio") as blemu, Central() as central:
            ffe1 = central.characteristic("FFE1")
            central.read(ffe1)
            blemu.await_event("read")
            blemu.process.send_signal(signal.SIGSTOP)
            try:
                with self.assertRaises(ATTError) as given:
                    central.read(ffe1)
                self.assertEqual(given.exception.code, 0x0E)
            finally:
                time.sleep(1)
                blemu.process.send_signal(signal.SIGCONT)
            message = blemu.await_event("warning")["message"]
            self.assertRegex(message, r"^BlueZ gave up waiting: answered after \d+\.\d s, a request for 'FFE1'\. ")
            # What comes in time is no news.
            central.read(ffe1)
            self.assertEqual(len(blemu.happened("warning")), 1)


class Failing(unittest.TestCase):
    """The tests' own promise: nobody waits for a thread that is dead."""

    def test_a_thread_that_fails_ends_its_test_with_its_own_error(self):
        class Example(MeanwhileCase):
            def runTest(self):
                self.meanwhile(lambda: 1 // 0)
                time.sleep(10_000)

        result = unittest.TestResult()
        Example().run(result)
        self.assertEqual(len(result.errors), 1)
        self.assertIn("ZeroDivisionError", result.errors[0][1])


if __name__ == "__main__":
    unittest.main()
