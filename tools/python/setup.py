"""Takes the version from that of the program."""
import pathlib
import subprocess

import setuptools

setuptools.setup(version=subprocess.check_output([pathlib.Path(__file__).parent.parent / "version"], text=True).strip())
