"""The Debian packages: what is in them, and how they come and go."""
import filecmp
import fnmatch
import gzip
import re
import subprocess

import debian

import pytest


def test_the_same_release_gives_the_same_bytes(packages, tmp_path):
    made = debian.make(tmp_path)
    assert "blemu" in made and made.keys() == packages.keys()
    for name, again in made.items():
        assert filecmp.cmp(packages[name], again, shallow=False)


def test_each_library_in_the_program_has_its_licence(packages, tmp_path):
    subprocess.run(["dpkg-deb", "--extract", packages["blemu"], tmp_path], check=True)
    folder = tmp_path / "usr/share/doc/blemu"
    named = set(re.findall(r"notices/([\w.+*-]+)\.gz", (folder / "copyright").read_text()))
    notices = {file.name.removesuffix(".gz") for file in (folder / "notices").iterdir()}
    assert {"swift", "libglib2.0-dev"} <= notices
    assert [each for each in notices if not any(fnmatch.fnmatch(each, name) for name in named)] == []


def test_debian_finds_no_error(packages):
    done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error", *packages.values()], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout


def test_the_program_is_hardened(packages, tmp_path):
    subprocess.run(["dpkg-deb", "--extract", packages["blemu"], tmp_path], check=True)
    done = subprocess.run([debian.REPOSITORY / "Tests/Release/check", tmp_path / "usr/bin/blemu"], stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stdout


def test_the_manual_pages_are_correct(packages, tmp_path):
    subprocess.run(["dpkg-deb", "--extract", packages["blemu"], tmp_path], check=True)
    pages = sorted((tmp_path / "usr/share/man").rglob("*.gz"))
    assert [page.name for page in pages] == ["blemu.1.gz", "blemu-definition.5.gz", "blemu-transcript.5.gz", "blemu-control.7.gz"]
    for page in pages:
        text = gzip.decompress(page.read_bytes())
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=text, stdout=subprocess.PIPE)
        assert done.stdout == b"", page.name


def test_it_comes_and_goes(packages, root):
    """Installed by the commands of the front page, and removed without a trace."""
    before = root.files()
    places = [root.copy(package) for package in packages.values()]
    root.must(f"apt-get install --yes {' '.join(places)}")
    assert root.must("blemu --version", debian.USER).startswith(f"blemu {debian.VERSION} (")
    assert "passed, 0 failed" in root.must("blemu test hm-10", debian.USER)
    assert root.must("blemu web --help", debian.USER)
    assert "blemu help virtual-time" in root.must("blemu help python", debian.USER)
    root.must("getent passwd blemu")
    # What systemd makes for a unit that ran
    root.must("mkdir -p /etc/blemu /var/lib/blemu && touch /var/lib/blemu/hm-10.state")
    root.must("systemctl enable blemu@hm-10")
    root.must("apt-get remove --yes blemu")
    root.must("apt-get purge --yes blemu")
    assert root.run("getent passwd blemu || getent group blemu")[0] == ""
    after = root.files()
    assert after - before == set()
    assert before - after == set()


def test_what_a_person_has_configured_stays(packages, root):
    root.must(f"dpkg -i {root.copy(packages['blemu'])}")
    root.must("mkdir -p /etc/blemu && echo 'blemu: 1' >/etc/blemu/lamp.yaml")
    root.must("dpkg --purge blemu")
    root.must("cat /etc/blemu/lamp.yaml")


def test_another_version_takes_its_place(packages, older, root):
    """An older version over a newer one, too, if the person says so."""
    older, newer = root.copy(older), root.copy(packages["blemu"])
    before = root.files()
    root.must(f"apt-get install --yes {older}")
    root.must(f"apt-get install --yes {newer} && test ! -e /usr/share/blemu/only-in-0.0.1")
    output, status = root.run(f"apt-get install --yes {older}")
    assert status == 100 and "downgrade" in output
    root.must(f"apt-get install --yes --allow-downgrades {older} && test -e /usr/share/blemu/only-in-0.0.1")
    root.must("dpkg --purge blemu")
    assert root.files() == before


def test_the_page_of_an_earlier_version_goes(packages, older, root, tmp_path):
    """It was a package of its own."""
    before = root.files()
    page = root.copy(debian.page("0.0.1", tmp_path))
    root.must(f"apt-get install --yes {root.copy(older)} {page} && test -x /usr/libexec/blemu/blemu-web")
    root.must(f"apt-get install --yes {root.copy(packages['blemu'])}")
    assert root.must("dpkg-query --show --showformat '${db:Status-Status}' blemu-web") == "not-installed"
    root.must("! test -e /usr/libexec/blemu")
    root.must("dpkg --purge blemu")
    assert root.files() == before
