#!/usr/bin/env python3
"""Makes the compressed recordings of this folder from those next to it."""

import base64
import gzip
import pathlib
import struct
import zipfile
import zlib

here = pathlib.Path(__file__).parent


def records(name, count):
    """The head of a recording, and its first records."""
    data, offset = (here.parent / name).read_bytes(), 16
    for _ in range(count):
        offset += 24 + struct.unpack(">I", data[offset + 4 : offset + 8])[0]
    return data[:offset]


class Unseekable:
    """A stream as Android's, whose zip has sizes after the contents."""

    def __init__(self, file):
        self.file = file

    def write(self, data):
        return self.file.write(data)

    def flush(self):
        self.file.flush()


def archive(name, files):
    with (here / name).open("wb") as file, zipfile.ZipFile(Unseekable(file), "w") as out:
        out.comment = b"made for a test"
        for path, data, method in files:
            out.writestr(zipfile.ZipInfo(path, (2024, 1, 1, 0, 0, 0)), data, method)


logs = "FS/data/misc/bluetooth/logs/"
whole = (here.parent / "jk-b1a20s15p.btsnoop").read_bytes()
short = records("jk-bd6a24s10p.btsnoop", 20)
text = ("bugreport.txt", b"== dumpstate\n" * 100, zipfile.ZIP_DEFLATED)

(here / "jk-b1a20s15p.btsnoop.gz").write_bytes(gzip.compress(whole, mtime=0))
(here / "two-members.btsnoop.gz").write_bytes(
    gzip.compress(whole[:5000], mtime=0) + gzip.compress(whole[5000:], mtime=0)
)
archive(
    "bug-report.zip",
    [
        text,
        (logs + "btsnoop_hci.log", whole, zipfile.ZIP_DEFLATED),
        (logs + "btsnoop_hci.log.last", short, zipfile.ZIP_STORED),
        (logs + "btsnoop_hci.log.filtered", short[:16], zipfile.ZIP_STORED),
        ("FS/data/log/bt/btsnoop_hci.log", whole, zipfile.ZIP_DEFLATED),
        ("FS/data/log/bt/btsnoop_hci_1.log", b"", zipfile.ZIP_STORED),
    ],
)
archive("filtered.zip", [text, (logs + "btsnoop_hci.log.filtered", short, zipfile.ZIP_DEFLATED)])
archive("without-log.zip", [text, (logs + "btsnoop_hci.log", b"", zipfile.ZIP_STORED)])

# The numbers of one entry and of the directory as zip64 has them.
name = (logs + "btsnoop_hci.log").encode()
local = struct.pack("<4sHHHIIIIHH", b"PK\3\4", 45, 0, 0, 0, 0, len(short), len(short), len(name), 0) + name + short
extra = struct.pack("<HHH", 0x5455, 2, 0) + struct.pack("<HHQQQ", 1, 24, len(short), len(short), 0)
entry = (
    struct.pack("<4sHHHHIIIIHHHHHII", b"PK\1\2", 45, 45, 0, 0, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF, len(name), len(extra), 0, 0, 0, 0, 0xFFFFFFFF)
    + name
    + extra
)
end = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, len(entry), len(local))
locator = struct.pack("<4sIQI", b"PK\6\7", 0, len(local) + len(entry), 1)
last = struct.pack("<4sHHHHIIH", b"PK\5\6", 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
(here / "zip64.zip").write_bytes(local + entry + end + locator + last)


def summary(version, last, packets):
    """The log that Android has in the text of a bug report: packets as (wait, type, bytes, length before it was cut)."""
    records = b""
    for wait, kind, packet, original in packets:
        lengths = struct.pack("<H", len(packet) + 1) + (struct.pack("<H", original + 1) if version > 1 else b"")
        records += lengths + struct.pack("<IB", wait, kind) + packet
    digits = base64.b64encode(struct.pack("<BQ", version, last) + zlib.compress(records)).decode()
    lines = "\n".join(digits[start : start + 128] for start in range(0, len(digits), 128))
    return (
        "Bluetooth Status\n  enabled: true\n\n"
        f"--- BEGIN:BTSNOOP_LOG_SUMMARY ({len(records)} bytes in) ---\n{lines}\n--- END:BTSNOOP_LOG_SUMMARY ---\n\nProfile: GattService\n"
    ).encode()


# A report of the advertisement of C4:00:00:00:00:01, a request to read handle 3, and the beginning of its answer "blemu lamp".
advertisement = bytes.fromhex("3E 0F 02 01 00 01 01 00 00 00 00 C4 03 02 01 06 C8")
request = bytes.fromhex("40 00 07 00 03 00 04 00 0A 03 00")
answer = bytes.fromhex("40 20 0F 00 0B 00 04 00 0B") + b"blemu"
packets = [
    (0, 0x10, advertisement, len(advertisement)),
    (250_000, 0x21, request, len(request)),
    (30_000, 0x11, answer, len(answer) + 5),
]
last = 1_700_000_000_000_000
(here / "dumpsys.txt").write_bytes(summary(2, last, packets))
(here / "dumpsys-version-1.txt").write_bytes(summary(1, last, packets))
archive(
    "bug-report-text.zip",
    [
        ("bugreport-lamp-2024.txt", text[1] + summary(2, last, packets), zipfile.ZIP_DEFLATED),
        ("FS/data/misc/bluetooth/logs/btsnoop_hci.log", b"", zipfile.ZIP_STORED),
    ],
)
