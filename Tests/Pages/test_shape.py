"""How long a page is, and what it begins with."""

#: The languages of code blocks: see 'Tests/Pages/run --help'.
LANGUAGES = {"mermaid", "sh", "sh air", "sh manual", "console", "text", "json", "xml", "csv", "ini", "diff", "yaml", "transcript", "python", "swift", "html", "js"}


def test_a_page_is_short(page):
    assert len(page.text.encode()) <= 15 * 1024


def test_a_page_begins_with_its_title_and_its_contents(page):
    assert page.prose[0].startswith("# "), f"{page.name}:1: no title"
    sections = [heading for heading in page.headings if heading.level == 2]
    if len(sections) > 3 and len(page.text.encode()) > 5 * 1024:
        contents = {link.target for link in page.links if link.line < sections[0].line}
        assert not [section.text for section in sections if f"#{section.anchor}" not in contents], "the contents do not lead to these"


def test_the_front_fits_two_screens(page):
    if page.name == "README.md":
        assert page.text.count("\n") <= 120


def test_a_code_block_has_a_language(page):
    assert not [f"{block.place}: ```{block.language}" for block in page.blocks if block.language not in LANGUAGES]
    assert not [f"{page.name}:{line}: indented code; put it between ```sh and ```" for line in page.indented]
