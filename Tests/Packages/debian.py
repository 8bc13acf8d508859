"""Debian packages, and root file systems in which they are installed."""
import pathlib
import re
import shutil
import subprocess

from commands import PROGRAM, REPOSITORY

SUITES = ["bookworm", "trixie"]
VERSION = subprocess.check_output([REPOSITORY / "tools/version"], text=True).strip()
#: An ordinary user, who is in each of Debian's roots.
USER = "games"


def make(folder):
    """Makes the packages of the release: their files, by name."""
    printed = subprocess.run([REPOSITORY / "tools/package", "deb", "--output", folder, "--program", PROGRAM], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {pathlib.Path(line).name.partition("_")[0]: pathlib.Path(line) for line in printed.splitlines()}


def with_version(package, version, folder):
    """The package as that of another version, with a file that only this one has."""
    files = folder / "files"
    subprocess.run(["dpkg-deb", "--raw-extract", package, files], check=True)
    control = files / "DEBIAN/control"
    text = re.sub(r"^Version: .*", f"Version: {version}", control.read_text(), flags=re.MULTILINE)
    # The page of an earlier version was a package of its own.
    control.write_text(re.sub(r"^(Breaks|Replaces): .*\n", "", text, flags=re.MULTILINE))
    (files / "usr/share/blemu" / f"only-in-{version}").write_text("")
    made = folder / f"{package.name.partition('_')[0]}_{version}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", files, made], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(files)
    return made


def page(version, folder):
    """The package blemu-web, the page of an earlier version."""
    program = folder / "blemu-web/usr/libexec/blemu/blemu-web"
    control = folder / "blemu-web/DEBIAN/control"
    for path in (program, control):
        path.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    control.write_text(f"Package: blemu-web\nSource: blemu\nVersion: {version}\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\n"
                       f"Depends: blemu (= {version})\nDescription: page of blemu\n")
    made = folder / f"blemu-web_{version}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "--build", folder / "blemu-web", made], check=True, stdout=subprocess.DEVNULL)
    return made


class Root:
    """A root file system that may be changed: what changes is in memory, and gone at the end."""

    def __init__(self, suite, folder, size="512m"):
        self.lower = subprocess.check_output([REPOSITORY / "tools/debian", suite, "machine"], text=True).strip()
        self.changes, self.path, self.size = folder / "changes", folder / "root", size

    def __enter__(self):
        for folder in (self.changes, self.path):
            folder.mkdir()
        _mount("-t", "tmpfs", "-o", f"size={self.size}", "tmpfs", self.changes)
        for name in ("upper", "work"):
            (self.changes / name).mkdir()
        layers = f"lowerdir={self.lower},upperdir={self.changes}/upper,workdir={self.changes}/work"
        _mount("-t", "overlay", "-o", layers, "overlay", self.path)
        _mount("-t", "proc", "proc", self.path / "proc")
        _mount("--rbind", "/dev", self.path / "dev")
        return self

    def __exit__(self, *_):
        for place in (self.path, self.changes):
            subprocess.run(["umount", "--recursive", "--lazy", place], check=True)

    def resize(self, size):
        """Makes the disk smaller or larger."""
        _mount("-o", f"remount,size={size}", self.changes)

    def copy(self, file):
        """Copies a file there, and returns its path."""
        shutil.copy(file, self.path / "root")
        return f"/root/{file.name}"

    def run(self, command, user="root", **environment):
        """What a command of the shell prints, also to standard error, and its exit status."""
        variables = {"PATH": "/usr/local/bin:/usr/bin:/usr/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        done = subprocess.run(
            ["chroot", f"--userspec={user}", self.path, "/bin/sh", "-c", f"cd /; {command}"], env={**variables, **environment},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        return done.stdout, done.returncode

    def must(self, command, user="root", **environment):
        """What a command prints that succeeds."""
        output, status = self.run(command, user, **environment)
        assert status == 0, output
        return output

    def files(self):
        """All files but those that apt, dpkg and their like keep of their own work."""
        kept = "/proc /dev /root /tmp /var/lib/dpkg /var/lib/apt /var/log /var/cache /var/lib/systemd/deb-systemd-helper-enabled".split()
        pruned = " -o ".join(f"-path {path}" for path in kept)
        return set(self.must(f"find / '(' {pruned} ')' -prune -o -printf '%M %u %p\\n'").splitlines())


def _mount(*arguments):
    subprocess.run(["mount", *arguments], check=True)
