"""Bytes of which each piece tells where in the stream it was, and what has arrived of them."""
import dataclasses

RECORD = 16  # bytes
#: A piece of this size is unmistakable: it contains a whole record.
CERTAIN = 2 * RECORD
#: The furthest place, in bytes, at which the stream is looked for after a gap. It is more than any pipe or terminal holds.
FURTHEST = 1 << 20


def content(start, length):
    """Returns bytes of the stream. It is a sequence of numbered lines."""
    first = start // RECORD
    lines = b"".join(b"%015d\n" % number for number in range(first, (start + length) // RECORD + 1))
    return lines[start - first * RECORD:][:length]


@dataclasses.dataclass
class Gap:
    """Bytes that have not arrived: from `start` to before `end`."""

    start: int
    end: int


def length(gaps):
    """How many bytes are missing."""
    return sum(gap.end - gap.start for gap in gaps)


class Corrupt(Exception):
    """What has arrived is nowhere in the rest of the stream: it was changed, repeated or reordered."""


class Arrival:
    """The bytes that have arrived at some place, in their order, and the gaps between them."""

    def __init__(self, place):
        self.place, self.position, self.count, self.gaps = place, 0, 0, []
        self._uncertain = b""

    def take(self, data):
        self.count += len(data)
        data = self._uncertain + data
        while True:
            same = _common(data, content(self.position, len(data)))
            self.position += same
            data = data[same:]
            if len(data) < CERTAIN:
                break
            found = content(self.position, FURTHEST).find(data[:CERTAIN])
            if found < 0:
                expected = content(self.position, CERTAIN)
                raise Corrupt(f"{self.place}: {data[:CERTAIN]!r} arrived, but from byte {self.position} on, the stream is {expected!r}")
            self.gaps.append(Gap(self.position, self.position + found))
            self.position += found
        self._uncertain = data

    @property
    def is_certain(self):
        return not self._uncertain


def _common(one, other):
    if one == other:
        return len(one)
    return next(at for at, (a, b) in enumerate(zip(one, other)) if a != b)
