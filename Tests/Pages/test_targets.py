"""The targets of Package.swift: each declares what it imports, uses none below it, and has a row on the page of the architecture."""
import functools
import json
import os
import re
import subprocess
import tempfile

import pages

PAGE = pages.page("Sources/README.md")
#: The floor of each target of the sources: the folder above its own.
FLOORS = {path.name: path.parent.name for path in (pages.REPOSITORY / "Sources").glob("*/*") if path.is_dir()}
#: A row of a table: a target, and what it does.
ROW = re.compile(r"\| `([\w-]+)` \|[^|]*\|$", re.MULTILINE)
IMPORT = re.compile(r"^(?:@\w+ )*(?:\w+ )?import (?:(?:struct|class|func|enum|protocol|var|typealias) )?(\w+)", re.MULTILINE)


@functools.cache
def manifest():
    """The folder of each target with Swift sources, and what it declares that it uses, in the order of Package.swift."""
    with tempfile.TemporaryDirectory() as scratch:
        told = subprocess.run(["swift", "package", "--scratch-path", scratch, "dump-package"], cwd=pages.REPOSITORY, check=True, capture_output=True,
                              env={**os.environ, "BLEMU_RELEASE_PROGRAMS": "1"})
    targets = {target["name"]: target for target in json.loads(told.stdout)["targets"]}
    folders = {name: target.get("path") or f"Tests/{name}" for name, target in targets.items()}
    return {name: (folder, {used["byName"][0] for used in targets[name]["dependencies"]})
            for name, folder in folders.items() if any((pages.REPOSITORY / folder).rglob("*.swift"))}


def imports(folder):
    return set().union(*(IMPORT.findall(path.read_text()) for path in (pages.REPOSITORY / folder).rglob("*.swift")))


def sections():
    """The tables of the page, by the heading above: the targets of each floor."""
    text = PAGE.text[PAGE.text.index("\n### "):]
    parts = re.split(r"^### (.*)\n", text.partition("\n## ")[0], flags=re.MULTILINE)
    return {title: ROW.findall(part) for title, part in zip(parts[1::2], parts[2::2])}


def order():
    return [name for names in sections().values() for name in names]


def test_the_manifest_is_understood():
    assert {"FuzzTests", "virtual-air", "engine-bench", "BehaviorTests"} <= set(manifest())
    assert "DeviceModel" in manifest()["Behavior"][1] and "Faults" in manifest()["FuzzTests"][1]


def test_a_target_declares_what_it_imports():
    known = set(manifest()) | set(FLOORS)
    undeclared = {name: (imports(folder) & known) - used for name, (folder, used) in manifest().items()}
    assert {name: names for name, names in undeclared.items() if names} == {}


def test_a_target_imports_what_it_declares():
    # Tests may declare a program that they start; TestSupport is declared for all tests at once.
    unused = {name: used - imports(folder) for name, (folder, used) in manifest().items() if folder.startswith("Sources/")}
    assert {name: names for name, names in unused.items() if names} == {}


def test_the_page_has_each_target_on_its_floor():
    libraries = {path.parent.name for path in (pages.REPOSITORY / "Sources").glob("*/*/module.modulemap")}
    assert {name: title for title, names in sections().items() for name in names} == {name: floor for name, floor in FLOORS.items() if name not in libraries}


def test_no_target_uses_one_below_it():
    above = set()
    for name in order():
        used = manifest()[name][1] if name in manifest() else set()
        assert used & set(order()) <= above, f"{name} uses one below it"
        above.add(name)


def test_the_graph_has_the_arrows_between_the_floors():
    """An arrow that others imply is left out."""
    graph, = [block.text for block in PAGE.blocks if block.language == "mermaid"]
    drawn = set(re.findall(r"^ *(\w+) --> (\w+)$", graph, re.MULTILINE))
    needed = {(FLOORS[name], FLOORS[one]) for name in order() if name in manifest() for one in manifest()[name][1] & set(FLOORS) if FLOORS[one] != FLOORS[name]}
    assert drawn == {(left, right) for left, right in needed if not _is_implied(left, right, needed)}


def _is_implied(left, right, arrows):
    """Whether a way of two or more arrows leads from the one to the other."""
    reached, waiting = set(), [end for start, end in arrows if start == left and end != right]
    while waiting:
        one = waiting.pop()
        if one not in reached:
            reached.add(one)
            waiting += [end for start, end in arrows if start == one]
    return right in reached


def test_the_files_and_names_on_the_page_exist():
    folders = [pages.REPOSITORY / name for name in ("Sources", "Tests", "tools/python")]
    paths = [pages.REPOSITORY / "Package.swift"] + [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    files = "\n".join(str(path) for path in paths)
    words = set().union(*(re.findall(r"\w+", path.read_text()) for path in paths if path.suffix == ".swift"))
    unknown = []
    for line, span in PAGE.code_spans:
        if re.search(r"\.(swift|c|py)$", span):
            known = re.search("/" + re.escape(span).replace("…", "[^/\n]+") + "$", files, re.MULTILINE)
        elif re.fullmatch(r"[A-Z]\w+(\.\w+)*", span):
            known = set(span.split(".")) <= words
        else:
            known = True
        unknown += [] if known else [f"{PAGE.name}:{line}: {span}"]
    assert not unknown
