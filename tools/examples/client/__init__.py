"""The client under test: it reads the bracelet's history, and talks to the HM-10, with bleak."""
from .bracelet import Bracelet
from .hm10 import HM10
from .link import Link, NoAnswer

__all__ = ["HM10", "Bracelet", "Link", "NoAnswer"]
