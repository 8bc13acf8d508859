import Behavior
import Bluetooth
import DeviceModel
import Framing
import Learning
import Transcripts

/// Writes a recorded conversation in the words of transcripts, for a device that has its attributes.
///
/// What a transcript cannot say becomes a comment: values from attributes that cannot send, values without a subscription, and
/// requests to attributes that the device does not have.
package struct ConversationText {
  private let table: ObservedTable
  private let definition: PeripheralDefinition
  private let parser: LineParser
  /// The bytes that are the device's address, and how a transcript writes them.
  private let addressTexts: [(bytes: [UInt8], text: String)]
  private var journal: JournalTranscript
  /// The characteristics whose values the central gets, by id.
  private var subscriptions: Set<String>
  package private(set) var lines: [String] = []
  /// Bytes of the lines.
  private(set) var size = 0
  /// The number of exchanges at the end that have no lines.
  private(set) var omitted = 0

  /// - Parameters:
  ///   - table: the attributes to which the conversation refers.
  ///   - address: that of the device, which becomes `{address}`; nil: it stays as it is.
  package init(
    of table: ObservedTable, for definition: PeripheralDefinition, address: DeviceAddress? = nil
  ) {
    (self.table, self.definition) = (table, definition)
    addressTexts = (address?.bytes).map { [($0, "{address}"), ($0.reversed(), "{address:le}")] } ?? []
    parser = LineParser(definition)
    journal = JournalTranscript(definition, .messages)
    subscriptions = Set(definition.characteristics.filter { $0.unconditionalDelivery != nil }.map(\.id))
  }

  /// Every transcript has one central.
  private static let central = DeviceAddress([0, 0, 0, 0, 0, 2])!

  /// Writes a conversation, from the connection to its end.
  ///
  /// - Parameters:
  ///   - mtu: the ATT_MTU that the central asks for, bytes.
  ///   - limit: no further exchange is written once the lines have so many bytes.
  package mutating func write(_ conversation: Conversation, mtu: Int, upTo limit: Int) {
    let start = conversation.start ?? conversation.exchanges.first?.time ?? Instant()
    journal.pass(TrafficEvent(time: start, kind: .connected(Self.central)))
    append(TranscriptText.connect(mtu: mtu))
    for earlier in conversation.earlierSubscriptions(in: table) {
      guard let id = sender(earlier.handle) else { continue }
      subscriptions.insert(id)
      append("subscribe \(id)  # not in the recording")
    }
    var isEncrypted = false
    for (index, exchange) in conversation.exchanges.enumerated() where omitted == 0 {
      guard size < limit else {
        omitted = conversation.exchanges.count - index
        break
      }
      if !isEncrypted, conversation.isEncrypted(at: exchange) {
        isEncrypted = true
        write(.paired(Self.central), at: conversation.encrypted ?? exchange.time)
      } else if !isEncrypted, conversation.encryptsOnDemand, needsEncryption(exchange.handle) {
        isEncrypted = true
        append("pair  # not in the recording")
      }
      write(exchange)
    }
    end(conversation)
  }

  private mutating func end(_ conversation: Conversation) {
    if omitted > 0 { append("# The recording goes on: \(omitted) more reads, writes and values.") }
    if let end = conversation.end, end.by == .peripheral, omitted == 0 {
      return write(.disconnected(Self.central, .localHost), at: end.time)
    }
    // A device that goes on sending would otherwise send more than the recording has.
    guard omitted == 0, let last = conversation.exchanges.last, let end = conversation.end else {
      return append("disconnect")
    }
    append("disconnect  # after \(last.time.duration(to: end.time).written) in the recording")
  }

  private mutating func append(_ line: String) {
    let line = addressTexts.reduce(line) { $0.replacing(part: HexText.format($1.bytes), by: $1.text) }
    lines.append(line)
    size += line.utf8.count + 1
  }
}

// MARK: Exchanges

extension ConversationText {
  private mutating func write(_ exchange: Exchange) {
    let name = table.name(of: exchange.handle)
    switch exchange.kind {
    case .value(let value, let delivery):
      let event = delivery == .notification ? TrafficEvent.Kind.notify(name, value) : .indicate(name, value)
      write(event, at: exchange.time, isComment: !subscriptions.contains(name))
    case .read(let outcome):
      // A read is whole, however short its value is after a longer one.
      journal.lastRead = nil
      switch outcome {
      case .success(let value): write(.read(nil, name, value, refused: nil), at: exchange.time)
      case .refused(let error): write(.read(nil, name, [], refused: error), at: exchange.time)
      case .unknown: write(.read(nil, name, [], refused: nil), at: exchange.time, isAnswered: false)
      }
    case .write(let value, let kind, let outcome):
      let error: ATTError? = if case .refused(let error) = outcome { error } else { nil }
      if error == nil, configures(exchange.handle), let id = sender(exchange.handle) {
        return configure(id, value, at: exchange.time)
      }
      write(.write(nil, name, value, kind, refused: error), at: exchange.time)
    }
  }

  /// Writes a Client Characteristic Configuration.
  private mutating func configure(_ id: String, _ value: [UInt8], at time: Instant) {
    if value.contains(where: { $0 != 0 }) {
      subscriptions.insert(id)
      write(.subscribed(nil, id), at: time)
    } else {
      subscriptions.remove(id)
      write(.unsubscribed(nil, id), at: time)
    }
  }

  /// Writes the lines for an event, as a comment if the device has no such attribute.
  ///
  /// - Parameter isAnswered: whether the recording has the response.
  private mutating func write(
    _ kind: TrafficEvent.Kind, at time: Instant, isComment: Bool = false, isAnswered: Bool = true
  ) {
    var next = journal
    var new = next.lines(of: TrafficEvent(time: time, kind: kind), following: EmptyCollection())
    if !isAnswered, !new.isEmpty { new[new.count - 1] = "# The recording has no response." }
    if !isComment, new.allSatisfy({ (try? parser.parse($0)) != nil }) {
      journal = next
      for line in new { append(line) }
    } else {
      for line in new where !line.hasPrefix("+") { append(line.hasPrefix("#") ? line : "# \(line)") }
    }
  }
}

// MARK: Attributes

extension ConversationText {
  private func configures(_ handle: AttributeHandle) -> Bool {
    table.descriptor(at: handle)?.uuid == 0x2902
  }

  /// Whether the device refuses some request for the characteristic until the link is encrypted.
  private func needsEncryption(_ handle: AttributeHandle) -> Bool {
    guard let id = table.id(of: handle),
      let characteristic = definition.characteristics.first(where: { $0.id == id })
    else { return false }
    return ([characteristic.permissions] + characteristic.descriptors.map(\.permissions))
      .contains { !$0.isDisjoint(with: .needingEncryption) }
  }

  /// The id of a characteristic of the device that sends values, by the handle of its value or of its configuration.
  private func sender(_ handle: AttributeHandle) -> String? {
    guard let characteristic = table.characteristic(of: handle),
      characteristic.valueHandle == handle || configures(handle)
    else { return nil }
    let id = table.id(of: characteristic)
    return definition.characteristics.contains { $0.id == id && $0.canNotify } ? id : nil
  }
}
