"""labgrid-client and pytest as processes that have their modules already, because many of them start at once."""
import logging
import multiprocessing
import os
import pathlib
import sys

import pytest
from farm import PATIENCE
from labgrid.remote.client import main as labgrid_client

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["blemu.labgrid", "children", "labgrid.pytestplugin"])

_PROGRAMS = {"labgrid-client": labgrid_client, "pytest": pytest.console_main}


class Child:
    """A Python program that runs as if a shell had started it."""

    def __init__(self, folder, program, *words, **environment):
        self._log = pathlib.Path(folder, f"{program}-{os.urandom(4).hex()}.log")
        self._process = _context.Process(target=_run, args=(folder, self._log, program, list(map(str, words)), environment))
        self._process.start()

    def output(self, *, status=0):
        """Waits for its end, and returns all that it has said."""
        self._process.join(PATIENCE)
        text = self._log.read_text()
        assert self._process.exitcode == status, f"exit status {self._process.exitcode}: {text}"
        return text.strip()


def _run(folder, log, program, words, environment):
    # At its end, grpc can leave a task behind. asyncio logs that among the words of the program.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    os.chdir(folder)
    os.environ.update(environment)
    with open(log, "wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)
    sys.argv = [program, *words]
    sys.exit(_PROGRAMS[program]())
