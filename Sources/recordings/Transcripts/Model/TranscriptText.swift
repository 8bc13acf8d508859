import Behavior
import Bluetooth
import DeviceModel
import Framing

/// Writes lines of transcripts, from which ``LineParser`` reads the same. Only this knows how they are spelt.
package struct TranscriptText: Sendable {
  /// How values are written.
  package enum Style: Sendable {
    /// As a transcript repeats them: text where the device uses text, otherwise hex.
    case exact
    /// Likewise, as messages of the definition where they explain the bytes.
    case messages
    /// For people: hex, followed by the message or by text.
    case explained
    /// The same, without the rest of a long value.
    case short
  }

  let definition: PeripheralDefinition
  private let style: Style
  private let messages: MessageWords?

  package init(_ definition: PeripheralDefinition, _ style: Style = .exact) {
    (self.definition, self.style) = (definition, style)
    messages = style == .messages ? MessageWords(definition) : nil
  }

  /// Whether it writes for a parser.
  private var isExact: Bool { style == .exact || style == .messages }
}

// MARK: Values

extension TranscriptText {
  /// - Parameter place: the name of an attribute or a channel, or `wire`.
  package func value(_ bytes: [UInt8], at place: String, like pattern: ValuePattern? = nil) -> String {
    isExact
      ? ValueText.exact(bytes, at: place, of: definition) : explained(bytes, like: pattern)
  }

  /// The value of a passage, as its message if that explains it.
  func value(of passage: Passage) -> String {
    messages?.text(of: passage.bytes, passage.direction) ?? value(passage.bytes, at: passage.place)
  }

  /// The bytes with their message.
  ///
  /// - Parameter pattern: the expected value, whose message comes first.
  package func explained(_ bytes: [UInt8], like pattern: ValuePattern? = nil) -> String {
    var messages = definition.recognizableMessages
    if case .message(let pattern) = pattern { messages = [pattern.message] + messages }
    for message in messages {
      guard let fields = message.parse(bytes) else { continue }
      let (shown, rest) = shown(bytes)
      let text = ValueText.write(message, fields)
      return "\(HexText.format(shown))\(rest)  \(style == .short ? Excerpt.line(text) : text)"
    }
    return plain(bytes)
  }

  /// The bytes without their message.
  func plain(_ bytes: [UInt8]) -> String {
    let (shown, rest) = shown(bytes)
    return ValueText.write(shown) + rest
  }

  private func shown(_ bytes: [UInt8]) -> (bytes: [UInt8], rest: String) {
    style == .short ? Excerpt.beginning(of: bytes) : (bytes, "")
  }

  /// The message that bytes are, as a comment.
  func comment(on bytes: [UInt8]) -> String {
    guard messages == nil else { return "" }
    for message in definition.recognizableMessages {
      if let fields = message.parse(bytes) { return "  # \(ValueText.write(message, fields))" }
    }
    return ""
  }
}

// MARK: Events

extension TranscriptText {
  /// `connect`, or `connect mtu=185`
  package static func connect(mtu: Int) -> String {
    mtu > AttributePDU.defaultMTU ? "connect mtu=\(mtu)" : "connect"
  }

  /// The line for an event, without its time; nil: transcripts have none.
  package func line(of event: TrafficEvent.Kind) -> String? {
    switch event {
    case .connected: "connect"
    case .disconnected: "disconnect"
    case .paired: "pair"
    case .bonded: "bond"
    case .subscribed(_, let id): "subscribe \(id)"
    case .unsubscribed(_, let id): "unsubscribe \(id)"
    case .read(_, let id, _, _): "read \(id)"
    case .opened(_, let id): "open \(id)"
    case .closed(_, let id, nil): "close \(id)"
    case .closed(_, let id, _): "closed \(id)"
    case .controlled(let operation): operation.words
    case .log(let text): "* \(ValueText.quote(Array(text.utf8)))"
    default: event.passage.map { line(of: $0) }
    }
  }

  /// `> FFE1  41 54`, `[ wire  41 54`
  ///
  /// - Parameter mark: the word before the place; nil: the usual one.
  func line(of passage: Passage, mark: String? = nil) -> String {
    "\(mark ?? passage.mark) \(passage.place)  \(value(of: passage))"
  }
}

// MARK: Output

extension TranscriptText {
  /// The line that expects output, without its time. For people, a message of a rule is as in the log, and a PDU has its name.
  package func line(of arrival: Arrival, like pattern: ValuePattern? = nil) -> String {
    let beginning = beginning(of: arrival.source)
    return switch arrival.source {
    case .disconnection, .channelEnd: beginning
    case .log: isExact ? beginning + ValueText.quote(arrival.bytes) : arrival.remark
    case .pdu: beginning + (isExact ? hex(arrival.bytes) : PDUText.write(arrival.bytes))
    case .place(let place): beginning + value(arrival.bytes, at: definition.name(of: place), like: pattern)
    case .sent(let place), .received(let place): beginning + value(arrival.bytes, at: place, like: pattern)
    case .other(let central, let source):
      "as \(central) " + line(of: Arrival(at: arrival.time, from: source, arrival.bytes), like: pattern)
    }
  }

  private func hex(_ bytes: [UInt8]) -> String { bytes.isEmpty ? ValueText.quote([]) : HexText.format(bytes) }

  /// The beginning of the line that expects output from here.
  package func beginning(of source: Arrival.Source) -> String {
    switch source {
    case .disconnection: "disconnected"
    case .log: "* "
    case .pdu: "<< "
    case .place(let place): "\(place == .wire ? "[" : "<") \(definition.name(of: place))  "
    case .sent(let place): "sent \(place)  "
    case .received(let place): "received \(place)  "
    case .channelEnd(let index): "closed \(definition.channels[index].id)"
    case .other(let central, let source): "as \(central) " + beginning(of: source)
    }
  }

  /// What the bytes of output are, as a comment.
  func comment(on arrival: Arrival) -> String {
    switch arrival.source {
    case .disconnection, .channelEnd, .log: ""
    case .pdu: "  # \(PDUText.name(of: arrival.bytes))"
    case .place, .sent, .received: comment(on: arrival.bytes)
    case .other(_, let source): comment(on: Arrival(at: arrival.time, from: source, arrival.bytes))
    }
  }
}
