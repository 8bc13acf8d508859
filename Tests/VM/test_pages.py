"""The commands on the pages that need a radio: their blocks of `sh air`. The others run in Tests/Pages."""
import sys

import pytest

from device import REPOSITORY

sys.path.append(str(REPOSITORY / "Tests/Pages"))
import pages  # noqa: E402
from commands import run_page  # noqa: E402


@pytest.mark.parametrize("page", [each for each in pages.ALL if any(block.language == "sh air" for block in each.blocks)], ids=repr)
def test_commands_work(page, tmp_path):
    what = run_page(page, ["sh air"], tmp_path)
    assert not what, what
