"""The version of a commit: a later commit has a later one, and its tag the latest."""
import os
import pathlib
import shutil
import subprocess

import pytest
from commands import REPOSITORY, call

NUMBER = pathlib.Path("Sources/control/BlemuControl/Protocol/ProgramVersion.swift")


class Repository:
    """A repository with tools/version, whose version is 1.2.0."""

    def __init__(self, folder):
        self.folder = folder
        self.seconds = 1_800_000_000
        (folder / NUMBER.parent).mkdir(parents=True)
        (folder / "tools").mkdir()
        (folder / NUMBER).write_text('  package static let text = "1.2.0"\n')
        for file in ("version", ".gitattributes"):
            shutil.copy(REPOSITORY / "tools" / file, folder / "tools" / file)
        self.git("init", "--quiet")
        self.commit()

    def git(self, *words):
        who = {f"GIT_{role}_{what}": "a@b.example" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        return call("git", *words, cwd=self.folder, env=os.environ | who | {"GIT_COMMITTER_DATE": f"@{self.seconds} +0100"})

    def commit(self):
        self.seconds += 10
        self.git("add", ".")
        self.git("commit", "--quiet", "--allow-empty", "--message", "Change")

    def version(self, *options):
        return call(self.folder / "tools/version", *options).strip()


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "repository")


def is_earlier(one, other):
    return subprocess.run(["dpkg", "--compare-versions", one, "lt", other]).returncode == 0


def test_a_later_commit_has_a_later_version(repository):
    first = repository.version("--deb")
    repository.commit()
    second, commit = repository.version("--deb"), repository.version("--commit")
    assert repository.version() == "1.2.0.dev20270115080020"
    assert second == f"1.2.0~dev20270115080020+g{commit}"
    assert is_earlier(first, second) and is_earlier(second, "1.2.0") and is_earlier("1.1.0", first)


def test_a_tag_makes_it_a_release(repository):
    repository.git("tag", "v1.1.0")
    assert ".dev" in repository.version()
    repository.git("tag", "v1.2.0")
    assert repository.version() == repository.version("--deb") == "1.2.0"
    (repository.folder / NUMBER).open("a").write("// changed\n")
    assert repository.version() == "1.2.0.dev20270115080010"
    assert repository.version("--deb").endswith(repository.version("--commit").replace(" with changes", ".changes"))


@pytest.mark.parametrize("tag", [None, "v1.2.0"])
def test_a_clone_of_one_commit_and_an_archive_have_the_same(repository, tmp_path, tag):
    repository.commit()
    if tag:
        repository.git("tag", tag)
    expected = [repository.version(*options) for options in ((), ("--deb",), ("--commit",), ("--date",))]
    call("git", "clone", "--quiet", "--depth", "1", f"file://{repository.folder}", tmp_path / "clone")
    (tmp_path / "archive").mkdir()
    repository.git("archive", "--output", tmp_path / "archive.tar", "HEAD")
    call("tar", "-xf", tmp_path / "archive.tar", "-C", tmp_path / "archive")
    for name in ("clone", "archive"):
        assert [call(tmp_path / name / "tools/version", *options).strip() for options in ((), ("--deb",), ("--commit",), ("--date",))] == expected


def test_without_git_it_is_the_earliest(repository):
    commits = repository.version()
    shutil.rmtree(repository.folder / ".git")
    assert repository.version() == "1.2.0.dev0" and repository.version("--commit") == repository.version("--date") == ""
    assert is_earlier("1.2.0~dev0", commits.replace(".dev", "~dev"))


# --- Packages of it

def test_the_changes_begin_with_this_version():
    headings = [line for line in (REPOSITORY / ".github/CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    assert headings[0] == f"## {call(REPOSITORY / 'tools/version').strip().partition('.dev')[0]}"


@pytest.mark.parametrize("says, has_archives, message, status", [
    ("blemu 0.0.1 (00000000)", True, "is 'blemu 0.0.1 (00000000)', and these sources are 'blemu", 65),
    ("", False, "where tools/build lists what it has linked in", 66),
])
def test_a_program_of_other_sources_is_refused(tmp_path, says, has_archives, message, status):
    program = tmp_path / "blemu"
    program.write_text(f"#!/bin/sh\necho '{says}'\n")
    program.chmod(0o755)
    if has_archives:
        (tmp_path / "blemu.archives").touch()
    said = call(REPOSITORY / "tools/package", "deb", "--output", tmp_path, "--program", program, status=status, env=os.environ)
    assert message in said
