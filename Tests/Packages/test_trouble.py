"""Packages that cannot be installed, and an installed blemu that lacks something."""
import debian


def test_half_a_package(packages, root, tmp_path):
    half = tmp_path / "half.deb"
    half.write_bytes(packages["blemu"].read_bytes()[:1_000_000])
    before = root.files()
    output, status = root.run(f"dpkg -i {root.copy(half)}")
    assert status == 1 and "unexpected end of file or stream" in output
    assert root.files() == before


def test_a_full_disk(packages, root):
    package = root.copy(packages["blemu"])
    before = root.files()
    root.resize("16m")
    output, status = root.run(f"dpkg -i {package}")
    assert status == 1 and "No space left on device" in output
    assert root.files() == before
    root.resize("512m")
    root.must(f"dpkg -i {package}")
    assert root.must("blemu --version", debian.USER)


def test_two_versions_at_once(packages, root, tmp_path):
    """That of tools/install comes first on the PATH. Each has its own definitions."""
    root.must(f"dpkg -i {root.copy(packages['blemu'])}")
    root.must("cp /usr/bin/blemu /usr/local/bin/ && mkdir -p /usr/local/share/blemu && cp -R /usr/share/blemu/Peripherals /usr/local/share/blemu/")
    root.must("rm -R /usr/local/share/blemu/Peripherals/robots-and-boards/bluno && rm -R /usr/share/blemu/Peripherals/serial-modules/hm-10")
    assert root.must("command -v blemu") == "/usr/local/bin/blemu\n"
    assert root.run("blemu show hm-10")[1] == 0 and root.run("blemu show bluno")[1] != 0
    assert root.run("/usr/bin/blemu show bluno")[1] == 0 and root.run("/usr/bin/blemu show hm-10")[1] != 0


def test_no_bluetooth(packages, root):
    root.must(f"dpkg -i {root.copy(packages['blemu'])}")
    output, status = root.run("blemu run hm-10", debian.USER)
    assert status == 69
    assert output.startswith("blemu: "), output


def test_a_home_that_is_read_only(packages, root):
    root.must(f"dpkg -i {root.copy(packages['blemu'])}")
    root.must("mkdir -m 0555 /home/games")
    script = ("blemu run hm-10 --on loopback --log none & until blemu ps | grep -q hm-10; do :; done; "
              "blemu set hm-10 local-name=Robot && blemu get hm-10 local-name; kill $!; wait")
    assert root.must(script, debian.USER, HOME="/home/games").endswith("Robot\n")
