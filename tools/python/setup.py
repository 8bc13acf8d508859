"""Takes the version from that of the program, states the licence, and installs what Python runs when it starts."""
import pathlib
import subprocess

import setuptools
from setuptools.command.build_py import build_py

VERSION = pathlib.Path(__file__).resolve().parents[1] / "version"


class BuildWithStart(build_py):
    """Adds a file next to the package: Python runs such a file in site-packages when it starts. See src/blemu/bleak."""

    def run(self):
        super().run()
        self.copy_file("blemu-bleak.pth", self.build_lib)


# pyproject.toml states a licence in one way before setuptools 77, and in another way after it.
setuptools.setup(version=subprocess.check_output([VERSION], text=True).strip(), license="Apache-2.0", cmdclass={"build_py": BuildWithStart})
