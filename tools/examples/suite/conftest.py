"""The client under test, or one with a planted bug."""
import asyncio
import importlib
import types

import pytest

import client


def pytest_addoption(parser):
    parser.addoption("--adapter", help="the client's adapter, as in hci1; without it, any")
    parser.addoption("--planted", metavar="BUG", help="tests the client with this bug, a module of 'planted'")


@pytest.fixture
def parts(request):
    """The classes of the client, with those of the planted bug in their place."""
    bug = request.config.getoption("planted")
    planted = vars(importlib.import_module(f"planted.{bug}")) if bug else {}
    return types.SimpleNamespace(**{**vars(client), **planted})


@pytest.fixture
def link(request, parts, blemu_device):
    """A link to the test's device, which is not connected yet."""
    return parts.Link(blemu_device.status().device_name, request.config.getoption("adapter"))


@pytest.fixture
def bracelet(parts, link):
    return parts.Bracelet(link)


@pytest.fixture
def hm10(parts, link):
    return parts.HM10(link)


@pytest.fixture
def outcome(link):
    """Runs a conversation over the link, and returns what it returns, or the error that the client reports.

    So a test looks at what the device has seen first: that explains an error.
    """
    async def run(conversation):
        try:
            async with link:
                return await conversation
        except client.NoAnswer as error:
            return error

    return lambda conversation: asyncio.run(run(conversation))
