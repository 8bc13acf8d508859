"""Makes the report of a soak: report.py FOLDER STATUS. The folder has soak.json; STATUS is that of soak.py."""
import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

#: How much the memory at rest may grow after the first third of a soak, in which the journals fill. That takes half an hour.
MEMORY, LONG = 1.1, 5400
#: How many more of each there may be than at first. Up to two timers are set at times, also while nothing happens.
MORE = {"descriptors": 0, "threads": 0, "timers": 2}
PLOTS = {"memory": "memory, MiB (RssAnon)", "descriptors": "descriptors", "threads": "threads", "timers": "timers at rest", "bytes": "MB both ways"}
SCALES = {"memory": 1 / 1024, "bytes": 1e-6}


def flatness(samples):
    """Returns the checks of what must not grow."""
    rests = [each for each in samples if each["kind"] == "rest"]
    checks = {}
    for what, more in MORE.items():
        before, after = rests[0][what], rests[-1][what]
        checks[f"{what} at rest: {before} at first, {after} at last"] = after <= before + more
    if rests[-1]["at"] > LONG:
        before, after = rests[len(rests) // 3]["memory"], rests[-1]["memory"]
        checks[f"memory at rest: {before} KiB after a third, {after} KiB at last"] = after <= MEMORY * before
    return checks


def plot(soak, path):
    figure, axes = plt.subplots(len(PLOTS), sharex=True, figsize=(12, 2.4 * len(PLOTS)), layout="constrained")
    for axis, (what, label) in zip(axes, PLOTS.items()):
        points = [(each["at"] / 60, each[what] * SCALES.get(what, 1)) for each in soak["samples"] if each.get(what) is not None]
        axis.plot(*zip(*points), "." if what == "timers" else "-", linewidth=1)
        axis.set_ylabel(label, fontsize=8)
        axis.set_ylim(bottom=0)
        for each in soak["disturbances"]:
            axis.axvspan(each["at"] / 60, each["until"] / 60, color="C1", alpha=0.15, linewidth=0)
    axes[-1].set_xlabel("minutes; shaded: a disturbance, until every device is on the air again")
    figure.savefig(path)


def table(header, rows):
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [header, ["---"] * len(header), *rows])


def recoveries(disturbances):
    """Returns a row for each kind of disturbance: how often it happened, and how long it took until all devices were on the air."""
    names = sorted({each["name"] for each in disturbances})
    times = {name: sorted(each["until"] - each["at"] for each in disturbances if each["name"] == name) for name in names}
    return [(name, len(them), f"{them[len(them) // 2]:.0f}", f"{them[-1]:.0f}") for name, them in times.items()]


def report(soak, checks):
    def accounts(way):
        return table(["device", *soak["devices"][0][way]], [(f'{each["name"]} ({each["on"]})', *each[way].values()) for each in soak["devices"]])

    marks = {True: "yes", False: "**no**"}
    return "\n\n".join([
        f"# Soak of {soak['seconds'] / 3600:.1f} hours",
        f"{len(soak['disturbances'])} disturbances, {sum(each['visits'] for each in soak['devices'])} visits of centrals, "
        f"{soak['lost links']} links lost, {len(soak['crashes of bluetoothd'])} crashes of bluetoothd.",
        table(["check", "holds"], [(line, marks[holds]) for line, holds in checks.items()]),
        "![What blemu held](soak.svg)", "## Bytes from the centrals to the wire sides", accounts("from centrals"),
        "## Bytes from the wire sides to the centrals", accounts("to centrals"),
        "## Disturbances", table(["each lasts 15 s or more", "times", "until all devices were on the air: median, s", "longest, s"], recoveries(soak["disturbances"])),
        "## Warnings of blemu", table(["text, N for numbers", "times"], sorted(soak["warnings"].items())),
    ]) + "\n"


def main(folder, status):
    soak = json.loads((folder / "soak.json").read_text())
    checks = {f"problem {problem}": False for problem in soak["problems"]}
    checks["the soak came to its end"] = status == 0
    for device in soak["devices"]:
        checks |= {f"{device['name']}: {line}": holds for line, holds in device["checks"].items()}
    checks |= flatness(soak["samples"])
    plot(soak, folder / "soak.svg")
    (folder / "report.md").write_text(report(soak, checks))
    for line, holds in checks.items():
        if not holds:
            print(f"soak: failed: {line}")
    print(f"the report is {folder}/report.md")
    print(f"{sum(checks.values())} passed, {len(checks) - sum(checks.values())} failed")
    sys.exit(not all(checks.values()))


main(pathlib.Path(sys.argv[1]), int(sys.argv[2]))
