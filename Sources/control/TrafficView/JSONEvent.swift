/// The description of the JSON lines of an event, for the help. ``JSONFormat`` writes them.
package struct JSONEvent: Sendable {
  /// The values of `event`.
  package let names: [EventName]
  /// Its members, with their names in back quotes.
  package let explanation: String

  private init(_ names: EventName..., members explanation: String) {
    (self.names, self.explanation) = (names, explanation)
  }

  /// The names of the members, apart from those that every event has.
  package var members: [String] {
    explanation.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}

extension JSONEvent {
  package static let all = [
    JSONEvent(
      .onAir,
      members:
        "`definition`, `name`, `adapter`, `address`, `address-type` (random) and `address-kind` (static, resolvable or non-resolvable) unless it is the adapter's address, `identity` (the static address behind a resolvable one), `stack`, `services`, `advertising-data`, `scan-response`, `wire`"
    ),
    JSONEvent(
      .offAir,
      members:
        "`reason` unless the end was requested, `milliseconds`, `centrals`, `values-in`, `values-out`, `values-lost`"
    ),
    JSONEvent(
      .address,
      members:
        "an advertising set has this address from now on: `address`, `address-type` (random), `address-kind`, `identity`; `set` with the name of a further set"
    ),
    JSONEvent(
      .connected,
      members:
        "`central`; with --on exact also `address-type` (public or random), `interval-milliseconds`, `latency`, `timeout-milliseconds`"
    ),
    JSONEvent(
      .disconnected,
      members: "`central`; on the loopback and with --on exact also `reason` and its HCI `code`"),
    JSONEvent(
      .link,
      members:
        "`central`, and what the controller reports about the link: `interval-milliseconds`, `latency`, `timeout-milliseconds`; `tx-phy`, `rx-phy` (LE 1M, LE 2M or LE Coded); `tx-octets`, `rx-octets` (the longest packets of the link layer); `rssi` (dBm). Only with --on exact"
    ),
    JSONEvent(.paired, .bonded, members: "`central`"),
    JSONEvent(
      .pairingFailed, members: "`central`, `reason` in words. BlueZ does not report every failure"),
    JSONEvent(
      .encrypted,
      members:
        "`central`, `level` (encrypted, authenticated or secure), `key-size` in bytes. Only with --on exact"
    ),
    JSONEvent(
      .passkey, members: "`central`, `passkey`: the six digits to enter or to compare at the central"),
    JSONEvent(.subscribed, .unsubscribed, members: "`central`, `attribute`"),
    JSONEvent(
      .read,
      members:
        "`central`, `attribute`, `value`, `text`; `refused` with the ATT error if the read was refused"),
    JSONEvent(
      .write,
      members:
        "`central`, `attribute`, `value`, `text`, `kind` (request, command or reliable; missing where BlueZ does not report it), `refused`"
    ),
    JSONEvent(
      .notify, .indicate,
      members:
        "`attribute`, `value`, `text`; `message` where a rule sent a message by its name, or where blemu itself indicated Service Changed"
    ),
    JSONEvent(
      .opened, .closed,
      members:
        "`central`, `attribute` (the channel); `reason` in words unless the central has closed it. Only on the loopback and with --on exact"
    ),
    JSONEvent(
      .channelIn, .channelOut,
      members:
        "`attribute` (the channel), `value`, `text`; in: `central`; out: `message` where a rule sent a message by its name"
    ),
    JSONEvent(
      .discovered,
      members:
        "`central`, `found` and `missing`: the ids of what the device has looked for there, with spaces between them. Only on the loopback and with --on exact"
    ),
    JSONEvent(
      .clientIn, .clientOut,
      members:
        "`central`, `attribute` (a characteristic of the central), `value`, `text`: a value that the device got or wrote there; in: `kind` (read, or value that the central sent); out: `message` where a rule sent a message by its name"
    ),
    JSONEvent(
      .plain,
      members:
        "`attribute` (wire for the wire side), `value`, `text`, `direction` (in or out): the decoded form of encoded bytes, after those received and before those sent"
    ),
    JSONEvent(
      .wireIn, .wireOut,
      members: "`value`, `text`; `message` where a rule sent a message by its name"),
    JSONEvent(
      .wire,
      members:
        "`change`. With opened, closed and refused: `peer` where it has a name. With baud-rate: `baud`. With started: `program`, `process`. With ended: `program`, `status` or `signal`, and `restart-milliseconds` if it starts again. With said: `program`, `message`"
    ),
    JSONEvent(
      .frame,
      members:
        "`attribute` (wire for the wire side), `central`, `value`, `text`, `direction` (in or out); `message` where it is one of the definition. Only in the journal"
    ),
    JSONEvent(
      .fault,
      members:
        "a fault was applied; logged before its effect: `fault` (its text), `fault-number`, `ordinal` (1 for the first value, request or connection that it could apply to); for a value also `central`, `attribute`, `direction`, `value`, `text`, and `became` (the bytes that replace the value, with commas between pieces, empty if the value is lost); `refused` with the ATT error if it refused a request"
    ),
    JSONEvent(
      .control,
      members:
        "`command`: an act of a person or a program, as in set level=3, press button or reset; `message` where it sends a message by its name"
    ),
    JSONEvent(
      .intercepted,
      members: "`intercept` (its number), `message`: a program answered in place of the rules"),
    JSONEvent(.log, members: "`message`: the text of a rule, or a frame that a rule assembled"),
    JSONEvent(.warning, members: "`message`; `attribute`, `value`, `text` where it concerns bytes"),
    JSONEvent(.error, members: "`message`"),
  ]
}
