"""The transcripts of all bundled devices and of the specification, between two controllers: blemu's own host is device and central."""
import concurrent.futures
import re
import subprocess
import threading

import pytest

from programs import BLEMU, DEFINITIONS, PATIENCE, RADIO, REPOSITORY, free_port

BUNDLED = sorted(REPOSITORY.glob("Peripherals/*/*/*.transcript"), key=lambda path: -path.stat().st_size)
TRANSCRIPTS = BUNDLED + sorted(REPOSITORY.glob("Tests/Specification/*.transcript")) + [DEFINITIONS / f"{name}.transcript" for name in ("channels", "client", "locked")] + [REPOSITORY / "Tests/TestBedsTests/Phones/weak-keys.transcript"]
AT_ONCE = 12  # they mostly wait
LONGEST = 5 * PATIENCE

pytestmark = pytest.mark.xdist_group("transcripts")  # one process, whose radio all of them share


def sections(transcript):
    """The number of its sections on the air. A central there cannot get out of range, or change its link."""
    head, *sections = re.split(r"^== .*$", transcript.read_text(), flags=re.MULTILINE)
    in_memory = re.compile(r"^(memory-only\b|disconnect reason=supervision-timeout|parameters\b|phy\b|refuse parameters)", re.MULTILINE)
    return 0 if in_memory.search(head) else sum(not in_memory.search(section) for section in sections or [""])


@pytest.fixture(scope="module")
def runs(request):
    """The runs of the selected transcripts, all on one air: futures by transcript."""
    port = free_port()

    def run(transcript):
        return subprocess.run([BLEMU, "test", transcript, "--on", f"exact:tcp:127.0.0.1:{port}"],
                              cwd=REPOSITORY, capture_output=True, text=True, timeout=LONGEST)

    wanted = [item.callspec.params["transcript"] for item in request.session.items if "runs" in item.fixturenames]
    with subprocess.Popen([RADIO, "--port", str(port)], stdout=subprocess.PIPE, text=True) as radio:
        try:
            assert any("The air is open" in line for line in radio.stdout)
            threading.Thread(target=radio.stdout.read, daemon=True).start()  # a full pipe would stop it
            with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
                yield {transcript: pool.submit(run, transcript) for transcript in wanted}
                pool.shutdown(cancel_futures=True)
        finally:
            radio.terminate()


@pytest.mark.parametrize("transcript", [each for each in TRANSCRIPTS if sections(each)], ids=lambda path: path.stem)
def test_a_transcript_passes_between_two_controllers(runs, transcript):
    done = runs[transcript].result()
    count = sections(transcript)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == f"ok      {count} of {count}  {transcript}\n{count} passed, 0 failed\n"
