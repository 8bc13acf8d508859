"""The examples of the documentation."""
import pathlib
import re

import pytest

FRONT = pathlib.Path(__file__).resolve().parents[3] / "README.md"
README, BLEAK, TIME = (pathlib.Path(__file__).resolve().parents[1] / name for name in ("README.md", "bleak.md", "virtual-time.md"))


def examples(file):
    return re.findall(r"```python\n(.*?)```", file.read_text(), re.DOTALL)


@pytest.mark.parametrize("page", [FRONT, README], ids=["front", "own"])
def test_the_first_test_is_green(pytester, page):
    if page == FRONT:
        pytest.importorskip("bleak", reason="bleak is in the Python of tools/test-python")
    pytester.makepyfile(test_tag=examples(page)[0])
    pytester.runpytest("-p", "blemu.pytest_plugin", "-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_the_example_with_asyncio_runs(capsys):
    [example] = [each for each in examples(README) if "asyncio.run(main())" in each]
    exec(compile(example, str(README), "exec"), {})
    assert capsys.readouterr().out.splitlines()[-2:] == ["write", "log"]


def test_the_examples_with_time_run(capsys):
    *_, virtual, held, running = examples(TIME)
    for example in held, running:
        names = {}
        exec(compile(example, str(TIME), "exec"), names)
        assert len(names["values"]) == 600
    exec(compile(virtual, str(TIME), "exec"), {})
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["0.0", "1.0", "2.0", "603"]


def test_the_script_finds_two_devices(capsys, tmp_path, monkeypatch):
    pytest.importorskip("bleak", reason="bleak is in the Python of tools/test-python")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))  # otherwise it also finds what somebody runs on this machine
    [example] = [each for each in examples(BLEAK) if "blemu.bleak.in_memory" in each]
    exec(compile(example, str(BLEAK), "exec"), {})
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()] == [
        ["00:00:00:00:00:01", "HMSoft"], ["00:00:00:00:01:01", "iTAG"]]


@pytest.mark.parametrize("page", sorted(README.parent.glob("*.md")), ids=lambda page: page.name)
def test_every_example_compiles(page):
    for number, example in enumerate(examples(page), 1):
        compile(example, f"{page}: example {number}", "exec")
