"""The top level stays as it is, and no source, flag, test or tool assumes a processor: each place that names one is in the table,
and says why."""
import re
import subprocess

import pages

#: Folders and files, and why they may name a processor.
PLACES = {
    "tools/vm.d/architecture": "the processors that tools/vm emulates",
    "tools/vm": "user-mode Linux exists only for x86-64",
    "tools/debian": "names the processors in a message",
    "tools/debian.d/clients.txt": "names the processors that have hashes",
    "tools/test-python.d/": "names the processors that have hashes",
    "tools/package": "names of packages",
    "tools/package.d/": "names of packages and tags of wheels",
    "Sources/programs/Doctor/Facts/KernelVersion.swift": "names of kernels, as examples",
    "Tests/DoctorTests/": "names of kernels, as examples",
    "Tests/Packages/": "names of packages and tags of wheels",
    "Tests/CapturesTests/Captures/": "recordings, and what was counted of them",
    "Tests/Pages/test_architecture.py": "this table",
}
NAME = re.compile(r"\bx86|x86_64|\bamd64\b|\bi[3-6]86\b|\baarch64\b|\barm64\b|qemu-system-\w|#if arch")


def tracked(*places):
    listed = subprocess.run(["git", "ls-files", "-z", "--", *places], cwd=pages.REPOSITORY, check=True, capture_output=True)
    return listed.stdout.decode().rstrip("\0").split("\0")


def names_a_processor(file):
    content = (pages.REPOSITORY / file).read_bytes()
    return b"\0" not in content and NAME.search(content.decode(errors="replace"))


def test_no_other_place_names_a_processor():
    # A page tells people which machines there are.
    others = [file for file in tracked("Package.swift", "Sources", "Tests", "tools") if not file.endswith(".md") and not file.startswith(tuple(PLACES))]
    assert [file for file in others if names_a_processor(file)] == []


def test_the_top_level_is_what_a_newcomer_can_take_in():
    names = {file.split("/")[0] for file in tracked(".")}
    assert {name for name in names if not name.startswith(".")} == {"Package.swift", "Peripherals", "README.md", "Sources", "Tests", "tools"}
