"""Programs that the tests run, and what README.md tells its reader to save."""
import os
import pathlib
import re
import subprocess

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
#: What 'tools/build' has built.
PROGRAM = REPOSITORY / ".build/release/blemu"
ALONE = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"}


def call(*command, status=0, env=ALONE, cwd=None):
    """Runs a program, with the usual folders alone on the PATH unless `env` says otherwise, and returns what it prints."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, cwd=cwd)
    assert done.returncode == status, done.stdout
    return done.stdout


def tool(name, *arguments):
    """What a program of tools prints last: the path of what it has made."""
    return call(REPOSITORY / "tools" / name, *arguments, env=os.environ).splitlines()[-1]


def made(kind, folder):
    """The path of a new package of the release build."""
    return pathlib.Path(tool("package", kind, "--output", folder, "--program", PROGRAM))


def downloaded(requirements):
    """A folder with these wheels of PyPI, kept in the cache."""
    folder = pathlib.Path(os.environ.get("BLEMU_CACHE", pathlib.Path.home() / ".cache/blemu"), "wheels")
    download = ("/usr/bin/python3", "-m", "pip", "--quiet", "--disable-pip-version-check", "download", "--dest", folder, "--find-links", folder,
                "--no-deps", "--only-binary=:all:", "--require-hashes", "--requirement", requirements)
    if subprocess.run([*download, "--no-index"], capture_output=True).returncode != 0:
        call(*download, env=os.environ)
    return folder


def save_test_of_the_tag(folder):
    """Saves test_tag.py of the Python package's README.md, whose test operates a device in memory."""
    [text] = re.findall(r"^```python\n(.*?def test_a_phone_and_its_tag.*?)^```$", (REPOSITORY / "tools/python/README.md").read_text(), re.M | re.S)
    (folder / "test_tag.py").write_text(text)
