"""Keeps results, and makes them again only when their inputs have changed."""
import hashlib
import pathlib
import tempfile

TOOL = sorted(pathlib.Path(__file__).parent.glob("*.py")) + [pathlib.Path(__file__).with_name("build")]


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def fingerprint(files, *more):
    """The contents of these files, the other arguments and the tool itself, as a text to compare."""
    parts = [(str(path), digest(path)) for path in [*files, *TOOL]]
    return hashlib.sha256(repr((parts, more)).encode()).hexdigest()


def made(result, wanted, make):
    """The result; made again unless it exists, has the wanted fingerprint, and its headers are unchanged.

    `make` receives a folder to work in, and returns its output there and the headers that it found. An incomplete
    result is never visible.
    """
    note = result.with_name(result.name + ".made-of")
    if result.exists() and _is_current(note, wanted):
        return result
    result.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=result.parent) as work:
        work = pathlib.Path(work)
        output, headers = make(work)
        (work / "made-of").write_text("".join([f"{wanted}\n", *(f"{digest(path)} {path}\n" for path in headers)]))
        note.unlink(missing_ok=True)
        output.replace(result)
        (work / "made-of").replace(note)
    return result


def _is_current(note, wanted):
    if not note.exists():
        return False
    first, *headers = note.read_text().splitlines()
    return first == wanted and all(_is_same(*line.split(" ", 1)) for line in headers)


def _is_same(before, path):
    path = pathlib.Path(path)
    return path.is_file() and digest(path) == before


def forget_old(results, count):
    """Removes all but the newest results, `count` of them."""
    for path in sorted(results, key=lambda path: path.stat().st_mtime)[:-count]:
        path.unlink(missing_ok=True)
        path.with_name(path.name + ".made-of").unlink(missing_ok=True)
