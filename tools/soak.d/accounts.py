"""Where each byte is, and whether that adds up. A check is a line and whether it holds."""
import stream


def of(side, ledger, on, state):
    """Returns the account of one device, whose file of --state is `state`: plain values, and its checks."""
    wire = side.wire
    inward = {"sent": side.written, "doubtful": stream.length(side.doubtful), "received": ledger.from_air.count, "to the wire": ledger.to_wire,
              "arrived": wire.arrived.count, "held by the killed": wire.held}
    outward = {"sent": wire.written, "dropped": ledger.dropped, "received": ledger.from_wire, "notified": ledger.to_air.count,
               "lost with links": ledger.to_air.count - side.arrived.count, "arrived": side.arrived.count}
    arrivals = (ledger.from_air, ledger.to_air, wire.arrived, side.arrived)
    checks = {
        "blemu received what the centrals sent, but for requests without an answer":
            are_within(_missing(ledger.from_air, side.written), side.doubtful),
        "it passed to the wire side what it received": inward["received"] == inward["to the wire"],
        "that arrived there, but for what the killed had read": inward["to the wire"] == inward["arrived"] + inward["held by the killed"],
        "blemu received what the wire side sent, but for what it reported as dropped": outward["sent"] == outward["received"] + outward["dropped"],
        "it notified what it received": outward["received"] == outward["notified"],
        "that arrived, but for gaps where a link was lost": all(begins_at(gap, side.ends) for gap in side.arrived.gaps)
            and stream.length(side.arrived.gaps) == outward["lost with links"] + outward["dropped"],
        "its state file has the number that a central wrote last": f"visits: {side.kept}\n" in state.read_text().replace('"', ""),
        "every byte arrived unchanged and in order": all(each.is_certain for each in arrivals),
    }
    return {"name": side.name, "on": on, "visits": side.visits, "from centrals": inward, "to centrals": outward, "checks": checks}


def _missing(arrival, sent):
    """The gaps, and the end of the stream that has not arrived."""
    return arrival.gaps + ([stream.Gap(arrival.position, sent)] if arrival.position < sent else [])


def begins_at(gap, places):
    """Whether the gap begins at one of these places. It may seem to begin later, because all records begin alike."""
    return any(place <= gap.start < place + stream.RECORD for place in places)


def are_within(gaps, others):
    """Whether these gaps are parts of the others, which are in order. They may seem to be later, for the same reason."""
    joined = []
    for other in others:
        if joined and joined[-1].end == other.start:
            joined[-1] = stream.Gap(joined[-1].start, other.end)
        else:
            joined.append(other)
    return all(any(other.start <= gap.start and gap.end < other.end + stream.RECORD for other in joined) for gap in gaps)
