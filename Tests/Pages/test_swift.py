"""The test that a page shows is one of those that tools/test runs."""
import pages

TESTS = pages.REPOSITORY / "tools/examples/swift/Tests/BraceletClientTests"


def test_the_example_of_the_library_is_a_test():
    shown = next(block.text for block in pages.page("tools/examples/swift/README.md").blocks if block.text.startswith("import BlemuControl"))
    assert shown + "\n" == (TESTS / "TagTests.swift").read_text()
