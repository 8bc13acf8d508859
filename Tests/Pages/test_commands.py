"""The commands of the pages work, and print what the pages show."""
import pytest

import pages
from commands import run_page
from names import unknown

EXECUTED = ("sh", "console")


@pytest.mark.parametrize("page", [each for each in pages.ALL if any(block.language in EXECUTED for block in each.blocks)], ids=repr)
def test_commands_work(page, tmp_path):
    what = run_page(page, EXECUTED, tmp_path)
    assert not what, what


def test_commands_exist(page):
    assert not unknown(page)


def test_python_compiles(page):
    for block in page.blocks:
        if block.language == "python":
            compile(block.text, block.place, "exec")
