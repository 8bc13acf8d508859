"""The examples of the documentation."""
import pathlib
import re

import pytest

README = pathlib.Path(__file__).resolve().parents[1] / "README.md"


def examples(file):
    return re.findall(r"```python\n(.*?)```", file.read_text(), re.DOTALL)


def test_the_first_test_is_green(pytester):
    pytester.makepyfile(test_tag=examples(README)[0])
    pytester.runpytest("-p", "blemu.pytest_plugin", "-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_the_example_with_asyncio_runs(capsys):
    [example] = [each for each in examples(README) if "asyncio.run(main())" in each]
    exec(compile(example, str(README), "exec"), {})
    assert capsys.readouterr().out.splitlines()[-2:] == ["write", "log"]


def test_the_example_with_time_runs():
    [example] = [each for each in examples(README) if "advance(600)" in each]
    names = {}
    exec(compile(example, str(README), "exec"), names)
    assert len(names["values"]) == 600


@pytest.mark.parametrize("number", range(len(examples(README))))
def test_every_example_compiles(number):
    compile(examples(README)[number], f"{README}: example {number + 1}", "exec")
