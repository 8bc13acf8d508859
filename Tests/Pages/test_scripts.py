"""What the scripts that people call first say on machines that lack something, before they build or install anything."""
import hashlib
import os
import signal
import subprocess
import time

import pytest

import pages

TOOLS = pages.REPOSITORY / "tools"
#: What the scripts call. The machine of a test has nothing else but what the test makes.
REAL = ("bash awk basename cat cp cut date df dirname env find flock getent grep head kill ln ls mkdir mktemp mv printf ps readlink "
        "realpath rm rmdir sed sha256sum sleep sort stat tail test timeout touch tr true uname uniq wc xargs").split()
OLD, NEW, BROKEN = "echo Swift version 6.0.3", "echo Swift version 6.2.3 '(swift-6.2.3-RELEASE)'", "echo needs GLIBC_2.38; exit 1"
LACKING = "printf '\\tlibncurses.so.6 => not found\\n\\tlibcurl.so.4 => not found\\n\\tlibc.so.6 => /lib/libc.so.6\\n'"


class Machine:
    """Programs that stand in for a machine's own, of an ordinary user."""

    def __init__(self, folder):
        self.folder, self.programs = folder, folder / "bin"
        self.programs.mkdir()
        for name in REAL:
            for real in (f"/usr/bin/{name}", f"/bin/{name}"):
                if os.path.exists(real):
                    (self.programs / name).symlink_to(real)
                    break
        self.has("id", "echo 1000")
        self.has("ldd", "true")
        self.has("apt-cache", "true")
        self.has("dpkg-query", 'shift 3; for name; do echo "ii  $name"; done')  # all packages are installed

    def has(self, name, script):
        program = self.programs / name
        program.unlink(missing_ok=True)
        program.write_text(f"#!/bin/bash\n{script}\n")
        program.chmod(0o755)

    def environment(self, **variables):
        return {"PATH": str(self.programs), "HOME": str(self.folder), **variables}

    def run(self, script, *arguments):
        done = subprocess.run([TOOLS / script, *arguments], env=self.environment(), cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.mark.parametrize("swift, apt, libraries, status, said", [
    (None, "", "true", 69, "there is no Swift on the PATH; install Swift 6.2 or later"),
    (None, "echo '  Candidate: 6.0.3-2'", "true", 69, "there is no Swift on the PATH"),  # Debian 13
    (None, "echo '  Candidate: 6.2.3-1+b1'", "true", 77, "sudo apt-get install --no-install-recommends swiftlang"),
    (OLD, "", "true", 69, "is Swift 6.0.3, and blemu needs 6.2 or later"),
    (BROKEN, "", "true", 69, "does not start: needs GLIBC_2.38; take the Swift for this release"),
    (BROKEN, "echo there is one", LACKING, 77, "sudo apt-get install --no-install-recommends libcurl4t64 libncurses6\n"),
    (BROKEN, "", LACKING.replace("curl", "curl7"), 69, "needs libcurl7.so.4, which is no library of this release"),
    (NEW, "", "true", 0, ""),
])
def test_what_swift_needs(machine, swift, apt, libraries, status, said):
    if swift:
        machine.has("swift", swift)
    machine.has("apt-cache", apt)
    machine.has("ldd", libraries)
    machine.has("dpkg-query", 'shift 3; for name; do [[ $name =~ ^(swiftlang|lib(ncurses|curl).*)$ ]] || echo "ii  $name"; done')
    found, output = machine.run("packages", "build")
    assert (found, said in output) == (status, True), output
    assert output or not status


def test_run_asks_for_everything_at_once(machine):
    machine.has("swift", NEW)
    machine.has("dpkg-query", "true")
    status, output = machine.run("run", "--virtual")
    assert status == 77
    assert {"libdbus-1-dev", "bluez", "cpio", "python3-dbus"} <= set(output.split()), output


def test_run_looks_for_the_file_first(machine):
    assert machine.run("run", "lamp.yaml") == (
        66, f"run: there is no file 'lamp.yaml' in {machine.folder}; name a definition, or a bundled device such as hm-10\n")


def test_install_looks_first_whether_it_may_write(machine):
    status, output = machine.run("install", "/dev/null/blemu")
    assert status == 77
    assert output.startswith("install: you may not write to /dev/null/blemu, and there is no sudo; "), output


def test_a_kernel_comes_from_debian_where_apt_has_none(machine):
    machine.has("apt-cache", "exit 100")  # as on Ubuntu
    machine.has("apt-get", '[ "$1" != indextargets ] || exit 0\nfor word; do case $word in *SourceList=*) cat "${word#*=}";; esac; done; exit 100')
    status, output = machine.run("vm.d/prepare", machine.folder / "vm")
    mirror = "http://deb.debian.org/debian"
    assert (status, output) == (125, f"deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {mirror} trixie main\n"
                                     f"vm: could not read Debian's package lists; is {mirror} reachable?\n")


def test_the_root_folder_is_not_shared(machine):
    status, output = machine.run("vm", "--share", "/", "true")
    assert status == 64 and "share a folder in it" in output


def test_a_machine_that_is_ended_leaves_nothing(machine):
    """timeout(1) sends its signal to the script, and then to its whole group."""
    uml, scratch, booted = (machine.folder / name for name in ("cache/uml", "scratch", "booted"))
    uml.mkdir(parents=True)
    scratch.mkdir()
    linux = uml / "linux"
    linux.write_text(f"#!/bin/bash\n[[ $* != *init=/bin/true* ]] || {{ echo Run /bin/true as init process; exit; }}\nmkdir ~/.uml; >{booted}\nexec sleep 60\n")
    linux.chmod(0o755)
    config = hashlib.sha256((TOOLS / "vm.d/uml.config").read_bytes()).hexdigest()
    (uml / "made-of").write_text(f"trixie-backports/linux-source linux-source-6.12 linux-source {config}  -\n")
    variables = machine.environment(BLEMU_CACHE=str(uml.parent), BLEMU_VM_ACCEL="uml", TMPDIR=str(scratch))
    command = [TOOLS / "vm", "--radio", "btvirt", "--logs", machine.folder / "logs", "true"]
    with subprocess.Popen(command, env=variables, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        while not booted.exists():
            if process.poll() is not None:
                said = process.stderr.read()
                pytest.skip(said) if "user-mode Linux exists only" in said else pytest.fail(said)
            time.sleep(0.01)
        process.terminate()
        os.killpg(process.pid, signal.SIGTERM)
        assert process.wait() in (143, -signal.SIGTERM)
    assert list(scratch.iterdir()) == []
    assert not (machine.folder / ".uml").exists()
