"""Takes the version from that of the program."""
import pathlib
import subprocess

import setuptools

VERSION = pathlib.Path(__file__).resolve().parents[1] / "version"
setuptools.setup(version=subprocess.check_output([VERSION], text=True).strip())
