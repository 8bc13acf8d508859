"""The transcripts of all bundled devices on real links, and what 'blemu test' leaves behind."""
import concurrent.futures
import pathlib
import queue
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree

import bluez
import hci
from blemu import PROGRAM, REPOSITORY
from patience import PATIENCE, SILENCE, progress

ON_THE_AIR = ("--on", "bluez:hci0", "--central", "bluez:hci1")
FAILED, USAGE, UNAVAILABLE, INTERRUPTED = 1, 64, 69, 130


def test(*arguments, timeout=SILENCE):
    """`blemu test ARGUMENT...` to its end."""
    return subprocess.run([PROGRAM, "test", *map(str, arguments)], cwd=REPOSITORY, capture_output=True, text=True,
                          timeout=timeout)


class Bundled(unittest.TestCase):
    """All of them, side by side on as many pairs of adapters as there are: most of the time passes with waiting."""

    def test_all_conversations_go_as_they_are_written(self):
        self.folder, self.pairs = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())), queue.SimpleQueue()
        adapters = iter(hci.adapters())
        for device, central in zip(adapters, adapters):
            self.pairs.put(("--on", f"bluez:{device}", "--central", f"bluez:{central}"))
        transcripts = sorted((REPOSITORY / "Peripherals").glob("*/*.transcript"), key=lambda path: -path.stat().st_size)
        self.assertTrue(transcripts)
        with concurrent.futures.ThreadPoolExecutor(self.pairs.qsize()) as pool:
            problems = "\n".join(filter(None, pool.map(self.problem, transcripts)))
        if problems:
            self.fail(problems)

    def problem(self, transcript):
        """What `blemu test TRANSCRIPT` says where a conversation goes another way; else nothing."""
        report, pair = self.folder / f"{transcript.stem}.xml", self.pairs.get()
        try:
            done = test(transcript, *pair, "--report", report)
        finally:
            self.pairs.put(pair)
            progress()
        if done.returncode != 0:
            return f"{' '.join(pair)}\n{done.stderr}{done.stdout}"
        suites = xml.etree.ElementTree.parse(report).getroot()
        count = int(suites.get("tests"))
        self.assertEqual([suite.get("name") for suite in suites], [str(transcript)])
        self.assertEqual(done.stdout, f"ok      {count} of {count}  {transcript}\n{count} passed, 0 failed\n")
        self.assertGreater(count, 0, transcript)
        return None


class Conversation(unittest.TestCase):
    def test_every_kind_of_line(self):
        done = test(REPOSITORY / "Tests/VM/definitions/conversation.transcript", *ON_THE_AIR)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Differing(unittest.TestCase):
    """A transcript that is wrong, of the bracelet on the air."""

    def setUp(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.transcript = folder / "bracelet.transcript"
        for name in ("bracelet.yaml", "history.csv"):
            (folder / name).write_bytes((REPOSITORY / "Peripherals/bracelet" / name).read_bytes())

    def write(self, *lines):
        self.transcript.write_text("\n".join(("== Wrong", "connect", "subscribe serial", *lines)) + "\n")

    def test_another_value(self):
        self.write("> serial  day-request month=1 day=2", "< serial  day-total packets=6")
        done = test(self.transcript, *ON_THE_AIR)
        self.assertEqual(done.returncode, FAILED, done.stdout + done.stderr)
        self.assertIn(f"{self.transcript}:5: Wrong: packets is 5, not 6\n", done.stdout)
        self.assertRegex(done.stdout, r"->    5  < serial  day-total packets=6 +\d+\.\d{3}  < serial  A5 06 83 05 00 25")
        self.assertTrue(done.stdout.endswith("\n0 passed, 1 failed\n"))

    def test_a_value_that_no_line_expects(self):
        self.write("> serial  day-request month=1 day=2", "wait 3s")
        done = test(self.transcript, *ON_THE_AIR)
        self.assertEqual(done.returncode, FAILED, done.stdout + done.stderr)
        self.assertIn(":5: Wrong: no line expects this: < serial  A5 06 83 05 00 25", done.stdout)

    def test_a_value_that_does_not_come(self):
        self.write("> serial  00", "< serial  day-total  within 300ms")
        done = test(self.transcript, *ON_THE_AIR)
        self.assertEqual(done.returncode, FAILED, done.stdout + done.stderr)
        self.assertIn(":5: Wrong: nothing came within ", done.stdout)

    def test_ctrl_c_puts_the_adapter_back(self):
        before = bluez.adapter_properties()["Alias"]
        self.write("wait 10min")
        process = subprocess.Popen([PROGRAM, "test", self.transcript, *ON_THE_AIR], stdout=subprocess.PIPE, text=True)
        deadline = time.monotonic() + PATIENCE
        while bluez.adapter_properties()["Alias"] == before:
            self.assertLess(time.monotonic(), deadline, "the device does not go on the air")
            time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, INTERRUPTED, output)
        self.assertIn("interrupted", output)
        self.assertEqual(bluez.adapter_properties()["Alias"], before)


class Adapters(unittest.TestCase):
    def assertRefused(self, status, message, *arguments):
        done = test("bracelet", *arguments)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertIn(message, done.stderr)

    def test_one_adapter_is_not_enough(self):
        self.assertRefused(UNAVAILABLE, "hci0 cannot be the device and the central at once", "--on", "bluez:hci0",
                           "--central", "bluez:hci0")

    def test_there_is_no_such_adapter(self):
        self.assertRefused(UNAVAILABLE, "hci7", "--on", "bluez:hci0", "--central", "bluez:hci7")

    def test_a_central_is_needed(self):
        self.assertRefused(USAGE, "'--on bluez' needs '--central'", "--on", "bluez:hci0")


if __name__ == "__main__":
    unittest.main()
