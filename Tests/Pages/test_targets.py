"""The page of the architecture has the targets of Package.swift, and their dependencies."""
import re

import pages

PAGE = pages.page("Sources/README.md")
MANIFEST = (pages.REPOSITORY / "Package.swift").read_text()
FOLDERS = {path.name for path in (pages.REPOSITORY / "Sources").glob("*/*") if path.is_dir()}
#: A row of a table: a target, what it does, and what it uses.
ROW = re.compile(r"\| `([\w-]+)` \|[^|]*\| ([^|]*) \|$", re.MULTILINE)


def manifest():
    """The targets of the sources with what they use, in the order of Package.swift."""
    targets = {}
    each = re.compile(r'^    (?:\.executableT|\.t|t)arget\(\s*(?:name: )?"(?:[a-z]+/)?([\w-]+)"(.*?)(?=^    [./\w]|^  \])', re.MULTILINE | re.DOTALL)
    for found in each.finditer(MANIFEST):
        listed = re.match(r",\s*(?:dependencies:\s*)?\[(.*?)\]", found[2], re.DOTALL)
        targets[found[1]] = set(re.findall(r'"([\w-]+)"', listed[1])) if listed else set()
    return {name: used for name, used in targets.items() if name in FOLDERS}


def sections():
    """The tables of the page, by the heading above: the targets of each, with what they use."""
    text = PAGE.text[PAGE.text.index("\n### "):]
    parts = re.split(r"^### (.*)\n", text.partition("\n## ")[0], flags=re.MULTILINE)
    return {title: {name: set(re.findall(r"[\w-]+", used)) for name, used in ROW.findall(part)} for title, part in zip(parts[1::2], parts[2::2])}


def table():
    return {name: used for rows in sections().values() for name, used in rows.items()}


def test_the_manifest_is_understood():
    assert FOLDERS - set(manifest()) <= {name for name in FOLDERS if name.startswith("C")}, "a library of C is no target with sources"
    assert "Behavior" in manifest()["AttributeServer"]


def test_the_table_is_true():
    assert table() == manifest()


def test_no_target_uses_one_below_it():
    above = set()
    for name, used in table().items():
        assert used & set(manifest()) <= above, f"{name} uses one below it"
        above.add(name)


def test_the_graph_has_the_arrows_of_the_table():
    """Between groups; an arrow that others imply is left out."""
    graph, = [block.text for block in PAGE.blocks if block.language == "mermaid"]
    titles = dict(re.findall(r"^ *(\w+)\[(.+?)\]", graph, re.MULTILINE))
    drawn = {(titles[left], titles[right]) for left, right in re.findall(r"^ *(\w+) --> (\w+)$", graph, re.MULTILINE)}
    assert set(titles.values()) == set(sections())
    home = {name: title for title, rows in sections().items() for name in rows}
    needed = {(home[name], home[one]) for name, used in table().items() for one in used & set(home) if home[one] != home[name]}
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
