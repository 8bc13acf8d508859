/// The events of the log as JSON. `JSONFormat` writes them.
enum JSONEvents {
  /// Describes each kind of event in a row: its names, and its members in back quotes. Names are stable.
  ///
  /// The page's `event-words.js` and the tables of the guide are compared with it.
  static let page = """
    # JSON log

    With `--log json`, blemu writes one JSON object per line. `time` (RFC 3339, UTC) and `event` are always present, and \
    `device` where several devices run. `value` contains bytes in hex, `text` the same bytes as text. `central` is missing \
    where BlueZ does not identify the central. Where the bytes are a message of the definition, `message` is its name, `fields` has \
    its fields, and `byte-fields` the names of those that are bytes, which are in hex.

    | event | members |
    |---|---|
    | on-air | `definition`, `name`, `adapter`, `address`, `address-type` (random) and `address-kind` (static, resolvable or non-resolvable) unless it is the adapter's address, `identity` (the static address behind a resolvable one), `stack`, `services`, `advertising-data`, `scan-response`, `wire` |
    | off-air | `reason` unless the end was requested, `milliseconds`, `centrals`, `values-in`, `values-out`, `values-lost` |
    | address | an advertising set has this address from now on: `address`, `address-type` (random), `address-kind`, `identity`; `set` with the name of a further set |
    | connected | `central`; with --on exact also `address-type` (public or random), `private-address` (from which a bonded central has connected, if it uses one), `interval-milliseconds`, `latency`, `timeout-milliseconds` |
    | disconnected | `central`; on the loopback and with --on exact also `reason` and its HCI `code` |
    | link | `central`, and what the controller reports about the link: `interval-milliseconds`, `latency`, `timeout-milliseconds`; `tx-phy`, `rx-phy` (LE 1M, LE 2M or LE Coded); `tx-octets`, `rx-octets` (the longest packets of the link layer); `rssi` (dBm). Only with --on exact |
    | identified | `central`, `identity`, `address-type` (public or random): the identity address of a central that has another address on this link. It comes before paired or, on BlueZ with a central that is bonded, before connected |
    | paired, bonded | `central` |
    | pairing-failed | `central`, `reason` in words. BlueZ does not report every failure |
    | encrypted | `central`, `level` (encrypted, authenticated or secure), `key-size` in bytes. Only with --on exact |
    | passkey | `central`, `passkey`: the six digits to enter or to compare at the central |
    | subscribed, unsubscribed | `central`, `attribute` |
    | read | `central`, `attribute`, `value`, `text`; `refused` with the ATT error if the read was refused |
    | write | `central`, `attribute`, `value`, `text`, `kind` (request, command or reliable; missing where BlueZ does not report it), `refused`, `message` |
    | notify, indicate | `attribute`, `value`, `text`, `message`; it is Service Changed where blemu itself indicated that |
    | opened, closed | `central`, `attribute` (the channel); `reason` in words unless the central has closed it. Only on the loopback and with --on exact |
    | channel-in, channel-out | `attribute` (the channel), `value`, `text`, `message`; in: `central` |
    | discovered | `central`, `found` and `missing`: the ids of what the device has looked for there, with spaces between them. Only on the loopback and with --on exact |
    | client-in, client-out | `central`, `attribute` (a characteristic of the central), `value`, `text`: a value that the device got or wrote there; `message`; in: `kind` (read, or value that the central sent) |
    | plain | `attribute` (wire for the wire side), `value`, `text`, `direction` (in or out), `message`: the decoded form of encoded bytes, or what passes through a layer: after the bytes received, and before those sent |
    | wire-in, wire-out | `value`, `text`, `message` |
    | wire | `change`. With opened, closed and refused: `peer` where it has a name. With baud-rate: `baud`. With started: `program`, `process`. With ended: `program`, `status` or `signal`, and `restart-milliseconds` if it starts again. With said: `program`, `message` |
    | frame | `attribute` (wire for the wire side), `central`, `value`, `text`, `direction` (in or out), `message`. Only in the journal |
    | sent | what the device sent, where a fault strikes it: `attribute` (wire for the wire side), `value`, `text`, `message`. What the central gets for it, and when, is a notify, indicate, channel-out or wire-out of its own |
    | received | what the device got for a value that a fault strikes: `attribute` (wire for the wire side), `central`, `value`, `text`, `kind`, `refused`, `message`. What the central wrote is a write, channel-in or wire-in of its own |
    | fault | a fault was applied; logged before its effect: `fault` (its text), `fault-number`, `ordinal` (1 for the first value, request or connection that it could apply to); for a value also `central`, `attribute`, `direction`, `value`, `text`, and `became` (the bytes that replace the value, with commas between pieces, empty if the value is lost); `refused` with the ATT error if it refused a request |
    | control | `command`: an act of a person or a program, as in set level=3, press button or reset; `message` where it sends a message by its name |
    | intercepted | `intercept` (its number), `message`: a program answered in place of the rules |
    | log | `message`: the text of a rule, or a frame that a rule assembled |
    | warning | `message`; `attribute`, `value`, `text` where it concerns bytes |
    | error | `message` |

    """
}
