"""The files of a sketch and of a library, and the C++ text that joins the .ino files of a sketch."""
import pathlib

import prototypes

SUFFIXES = (".cpp", ".c", ".S")


class Mistake(Exception):
    """A mistake of the caller of tools/arduino."""

    def __init__(self, status, text=None):
        super().__init__(text)
        self.status = status


class Sketch:
    """The files of a sketch. An .ino file is a sketch; one with the name of its folder stands for the folder."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        if not self.path.exists():
            raise Mistake(66, f"there is no sketch '{path}'")
        if self.path.is_file() and self.path.suffix not in (".ino", ".pde"):
            raise Mistake(66, f"'{path}' is not a sketch; name an .ino file, or its folder")
        whole = self.path.is_dir() or self.path.stem == self.path.resolve().parent.name
        self.folder = self.path if self.path.is_dir() else self.path.parent
        self.name = self.folder.resolve().name if whole else self.path.stem
        self.parts = self._parts() if whole else [self.path]
        self.sources = sources_in(self.folder, beside=True) if whole else []
        self.main = self.parts[0]

    def _parts(self):
        parts = sorted(path for path in self.folder.iterdir() if path.suffix in (".ino", ".pde"))
        if not parts:
            raise Mistake(66, f"the folder '{self.path}' has no .ino file")
        first = [path for path in parts if path.stem == self.name]
        if not first and len(parts) > 1:
            names = ", ".join(path.name for path in parts)
            raise Mistake(66, f"'{self.path}' has several sketches ({names}); name one of them, or rename one after the folder")
        return first + [path for path in parts if path not in first]


def sources_in(folder, beside):
    """The sources in a folder: all below src and, for a sketch or a library without src, the files next to it."""
    below = (folder / "src").rglob("*") if (folder / "src").is_dir() else ()
    found = {*below, *(folder.iterdir() if beside else ())}
    return sorted(path for path in found if path.suffix in SUFFIXES)


class Library:
    """A folder of headers and sources, in one of the two layouts that the Arduino builder knows."""

    def __init__(self, path):
        folder = pathlib.Path(path)
        if not folder.is_dir():
            raise Mistake(66, f"there is no library '{path}'; name its folder")
        has_src = (folder / "src").is_dir()
        self.include = folder / "src" if has_src else folder
        self.sources = sources_in(folder, beside=not has_src)
        if not has_src and (folder / "utility").is_dir():
            self.sources += sources_in(folder / "utility", beside=True)


def quoted(path):
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'


def joined(sketch):
    """One C++ text of all parts; compiler messages name the parts and their lines."""
    text = ["#include <Arduino.h>\n"]
    for part in sketch.parts:
        text.append(f"#line 1 {quoted(part)}\n{part.read_text(errors='replace')}\n")
    return "".join(text)


def with_prototypes(sketch, text, preprocessed):
    found, first = prototypes.functions(preprocessed, {str(part) for part in sketch.parts})
    if not first:
        return text
    lines = [f"#line {each.line} {quoted(each.file)}\n{each.prototype}\n" for each in found]
    # The place: this many lines after the beginning of the part with the first function.
    at = text.index(f"#line 1 {quoted(first.file)}\n")
    for _ in range(first.line):
        at = text.index("\n", at) + 1
    return text[:at] + "".join(lines) + f"#line {first.line} {quoted(first.file)}\n" + text[at:]
