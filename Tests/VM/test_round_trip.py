"""What remains of bundled devices that are recorded on exact and learnt. TestBedsTests measures all of them in memory."""
import re
import subprocess

from device import REPOSITORY
from patience import SILENCE

PROGRAM = REPOSITORY / ".build/release/round-trip"

#: Devices that are learnt whole: all their sections pass. The number is that of the sections.
WHOLE = {"bracelet": 7, "colmi-r02": 10, "elk-bledom": 3, "environment-sensor": 5, "inlife-scale": 2, "jk-bms": 5, "mi-band": 3,
         "nordic-uart": 2, "switchbot-bot": 2, "um25c": 2}


def measure(*names):
    """Returns the rows of the table (Tests/TestBedsTests/RoundTrip/README.md): name, table, packets, sections that pass, all sections."""
    done = subprocess.run([PROGRAM, "hci0", "hci1", *names], capture_output=True, text=True, timeout=SILENCE)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    return [(name, table, packets, int(passed), int(count)) for name, table, packets, passed, count
            in re.findall(r"^\| (\S+) \| (\S+) \| (\S+) \| (\d+) of (\d+) \|", done.stdout, re.MULTILINE)]


def test_devices_are_learnt(request):
    """Those that are learnt whole; with --all every device."""
    rows = measure(*([] if request.config.option.all else WHOLE))
    assert [row[0] for row in rows if row[1:3] != ("yes", "yes")] == []
    assert {name: (passed, count) for name, _, _, passed, count in rows if name in WHOLE} == {name: (count, count) for name, count in WHOLE.items()}
