"""The test that a page shows is one of those that tools/test runs."""
import textwrap

import pages

TESTS = pages.REPOSITORY / "tools/examples/swift/Tests"


def test_the_example_of_the_library_is_a_test():
    shown = next(block.text for block in pages.page("tools/examples/swift/README.md").blocks if block.text.startswith("import BlemuControl"))
    assert shown + "\n" == (TESTS / "BraceletClientTests/TagTests.swift").read_text()


def test_the_example_of_core_bluetooth_is_a_test():
    shown = next(block.text for block in pages.page("Peripherals/guide/core-bluetooth.md").blocks if block.text.startswith("@Test"))
    assert textwrap.indent(shown, "  ") in (TESTS / "BluetoothAppTests/SerialManagerTests.swift").read_text()
