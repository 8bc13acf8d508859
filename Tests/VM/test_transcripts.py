"""The transcripts of all bundled devices with Linux as the central, and the state of the adapter after 'blemu test'."""
import concurrent.futures
import contextlib
import queue
import re
import signal
import subprocess
import threading
import xml.etree.ElementTree

import pytest

import bluez
import hci
from device import DEFINITIONS, PROGRAM, REPOSITORY
from patience import PATIENCE, SILENCE

TRANSPORTS = ("bluez", "exact")
#: The central is the kernel's.
ON_THE_AIR = {name: ("--on", f"{name}:hci0", "--central", "bluez:hci1") for name in TRANSPORTS}
FAILED, USAGE, UNAVAILABLE, INTERRUPTED = 1, 64, 69, 130
PORTIONS = 6  # of the bundled transcripts, which machines share
TRANSCRIPTS = sorted((REPOSITORY / "Peripherals").glob("*/*/*.transcript"), key=lambda path: -path.stat().st_size)


def run(*arguments):
    """Runs `blemu test ARGUMENT...` to its end."""
    return subprocess.run([PROGRAM, "test", *map(str, arguments)], cwd=REPOSITORY, capture_output=True, text=True, timeout=SILENCE)


#: Lines whose effect BlueZ or the kernel decides, and not blemu: who may do what, what a client finds, and what happens below the
#: attributes.
DECIDED_BY_LINUX = re.compile(r"^((pair|bond|finds|not advertising|unsubscribe|advertise|disconnected)\b|! |read \S+/\d)", re.MULTILINE)

#: From 5.69 on, BlueZ sends nothing to a bonded central that comes back, until it subscribes again.
COMES_BACK_SUBSCRIBED = re.compile(r"^bond\b.*^subscribe\b.*^disconnect$\n^connect\b", re.MULTILINE | re.DOTALL)


class Conversations:
    """The sections of a transcript that run on a transport on the air.

    Tests/Radio and Tests/VirtualAir play all of them on exact, with a central on blemu's own host, and bluez has the same device above
    the same attributes. So here it is enough to see that a central on Linux finds each device and talks to it, and each section with a
    line whose effect Linux decides.
    """

    def __init__(self, transcript, transport, all_sections):
        self.transcript = transcript
        lines = transcript.read_text().splitlines()
        starts = [number for number, line in enumerate(lines, 1) if line.startswith("== ")]
        texts = {start: "\n".join(lines[start:end - 1]) for start, end in zip(starts, [*starts[1:], len(lines) + 1])}
        if starts and not all_sections:
            self.places = [f"{transcript}:{line}" for line in self._selected(texts, transport)]
        else:
            self.places = [transcript]

    @staticmethod
    def _selected(texts, transport):
        """Returns the lines at which the selected sections begin, of a section's text by that line."""
        on_the_air = {line: text for line, text in texts.items() if not re.search(r"^(memory-only|connect raw|disconnect reason)", text, re.MULTILINE)}
        if transport == "bluez" and bluez.VERSION >= (5, 69):
            on_the_air = {line: text for line, text in on_the_air.items() if not COMES_BACK_SUBSCRIBED.search(text)}
        selected = {line for line, text in on_the_air.items() if DECIDED_BY_LINUX.search(text)}
        for word in ("advertises", "connect"):
            selected |= set([line for line, text in on_the_air.items() if re.search(rf"^{word}\b", text, re.MULTILINE)][:1])
        return sorted(selected)

    @property
    def pairs(self):
        """Whether one of its sections on the air pairs."""
        sections = re.split(r"^== ", self.transcript.read_text(), flags=re.MULTILINE)
        return any(re.search(r"^(pair|bond)\b", each, re.MULTILINE) and "\nmemory-only" not in each for each in sections)


def pytest_generate_tests(metafunc):
    if "runs" in metafunc.fixturenames:
        cases = [(number % PORTIONS, transport, transcript) for number, transcript in enumerate(TRANSCRIPTS) for transport in TRANSPORTS]
        cases.sort(key=lambda case: case[0])
        ids = [f"{transcript.stem}-{transport}" for _, transport, transcript in cases]
        metafunc.parametrize("runs, transport, transcript", cases, indirect=["runs"], ids=ids, scope="class")


class TestBundled:
    """The transcripts run in parallel on all pairs of adapters, because they mostly wait. Of those that pair, one runs at a time:
    bluetoothd has one default agent for all adapters, and that answers for one device. Machines share the class portion by portion."""

    @pytest.fixture(scope="class")
    def runs(self, request, tmp_path_factory):
        """Runs the selected transcripts of a portion: futures by transport and transcript."""
        folder, pairs, adapters = tmp_path_factory.mktemp("reports"), queue.SimpleQueue(), iter(hci.adapters())
        for pair in zip(adapters, adapters):
            pairs.put(pair)
        agent = threading.Lock()

        def run_one(transport, transcript):
            conversations = Conversations(transcript, transport, request.config.option.all)
            report = folder / f"{transcript.stem}-{transport}.xml"
            with agent if conversations.pairs else contextlib.nullcontext():
                device, central = pairs.get()
                where = ("--on", f"{transport}:{device}", "--central", f"bluez:{central}")
                try:
                    return where, run(*conversations.places, *where, "--report", report), report
                finally:
                    pairs.put((device, central))

        params = [item.callspec.params for item in request.session.items if item.cls is request.cls]
        wanted = [(each["transport"], each["transcript"]) for each in params if each["runs"] == request.param]
        with concurrent.futures.ThreadPoolExecutor(pairs.qsize()) as pool:
            yield {each: pool.submit(run_one, *each) for each in wanted}
            pool.shutdown(cancel_futures=True)

    def test_transcripts_pass(self, runs, transport, transcript):
        where, done, report = runs[transport, transcript].result()
        assert done.returncode == 0, f"{' '.join(where)}\n{done.stderr}{done.stdout}"
        suites = xml.etree.ElementTree.parse(report).getroot()
        count = int(suites.get("tests"))
        assert [suite.get("name") for suite in suites] == [str(transcript)]
        assert done.stdout == f"ok      {count} of {count}  {transcript}\n{count} passed, 0 failed\n"
        assert count > 0


@pytest.mark.parametrize("transport", ["memory", *TRANSPORTS])
@pytest.mark.parametrize("name", ["ciphers", "conversation", "greeting", "layered", "measuring", "sealed", "small-buffers", "words"])
def test_the_transcript_passes_as_in_memory(transport, name):
    done = run(DEFINITIONS / f"{name}.transcript", *ON_THE_AIR.get(transport, ()))
    assert done.returncode == 0, done.stdout + done.stderr


class TestDiffering:
    """A wrong transcript of the bracelet on the air."""

    @pytest.fixture
    def write(self, tmp_path):
        """Writes the transcript, and returns its path."""
        def write(*lines):
            transcript.write_text("\n".join(("== Wrong", "connect", "subscribe serial", *lines)) + "\n")
            return transcript

        transcript = tmp_path / "bracelet.transcript"
        for name in ("bracelet.yaml", "history.csv"):
            (tmp_path / name).write_bytes((REPOSITORY / "Peripherals/fitness/bracelet" / name).read_bytes())
        return write

    @pytest.mark.parametrize("lines, problem", [
        (["> serial  day-request month=1 day=2", "< serial  day-total packets=6"], ":5: Wrong: packets is 5, not 6\n"),
        (["> serial  day-request month=1 day=2", "wait 3s"], ":5: Wrong: no line expects this: < serial  A5 06 83 05 00 25"),
        (["> serial  00", "< serial  day-total  within 300ms"], ":5: Wrong: nothing arrived within "),
    ], ids=["another_value", "an_unexpected_value", "a_missing_value"])
    def test_reports_the_place_and_the_difference(self, write, lines, problem):
        transcript = write(*lines)
        done = run(transcript, *ON_THE_AIR["bluez"])
        assert done.returncode == FAILED, done.stdout + done.stderr
        assert f"{transcript}{problem}" in done.stdout
        assert done.stdout.endswith("\n0 passed, 1 failed\n")

    def test_shows_both_sides(self, write):
        done = run(write("> serial  day-request month=1 day=2", "< serial  day-total packets=6"), *ON_THE_AIR["bluez"])
        line = r"->    5  < serial  day-total packets=6 +\d+\.\d{3}  < serial  A5 06 83 05 00 25"
        assert re.search(line, done.stdout), done.stdout

    def test_ctrl_c_restores_the_adapter(self, write):
        before = bluez.adapter_properties()["Alias"]
        process = subprocess.Popen([PROGRAM, "test", write("wait 10min"), *ON_THE_AIR["bluez"]], stdout=subprocess.PIPE, text=True)
        bluez.wait_for_adapter(Alias="Bracelet")
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == INTERRUPTED, output
        assert "interrupted" in output
        assert bluez.adapter_properties()["Alias"] == before


@pytest.mark.parametrize("status, message, arguments", [
    (UNAVAILABLE, "hci0 cannot serve both the device and the central", ["--on", "bluez:hci0", "--central", "bluez:hci0"]),
    (UNAVAILABLE, "hci7", ["--on", "bluez:hci0", "--central", "bluez:hci7"]),
    (USAGE, "'--on bluez' also needs '--central'", ["--on", "bluez:hci0"]),
], ids=["one_adapter_is_not_enough", "there_is_no_such_adapter", "a_central_is_needed"])
def test_adapters_are_refused(status, message, arguments):
    done = run("bracelet", *arguments)
    assert done.returncode == status, done.stdout + done.stderr
    assert message in done.stderr
