import Bluetooth
import Definitions
import DeviceModel
import EventLoop
import Framing
import Learning

/// A bundled device that answers a recorded central as the recorded device did.
package struct Likeness: Hashable, Sendable {
  /// Of the bundled definition.
  package let name: String
  /// What the central wrote to characteristics that both devices have.
  package private(set) var requests = 0
  /// Those that both answered with the same message, or both took without an answer.
  package private(set) var requestsAlike = 0
  /// What the recorded device sent from such characteristics.
  package private(set) var values = 0
  /// Those that are in messages of the bundled device.
  package private(set) var valuesRead = 0
  /// The fixed bits of all messages that were found, each once.
  private var evidence = 0

  /// A few fixed bytes are in any recording.
  private static let leastEvidence = 32

  private var isConvincing: Bool {
    guard evidence >= Self.leastEvidence else { return false }
    return requestsAlike > 0 && requestsAlike * 2 >= requests || values > 0 && valuesRead * 2 >= values
  }
}

// MARK: The search

extension Likeness {
  /// More of a recording would not tell more.
  private static let mostExchanges = 1000

  /// The bundled device that is most like the recorded one; nil: none is.
  ///
  /// - Throws: ``TransportError`` if a device cannot start.
  @EventLoop
  package static func find(
    in bundled: any BundledDefinitions, for conversations: [Conversation], _ table: ObservedTable
  ) async throws -> Self? {
    let sample = conversations.beginning(of: mostExchanges)
    var best: Self?
    for (name, definition) in candidates(in: bundled, for: table) {
      let reader = MessageReader(definition, table)
      let recorded = sample.flatMap(reader.answers)
      guard reader.evidence(in: recorded) >= leastEvidence else { continue }
      let played = try await Rehearsal.play(sample, table: table, with: definition)
      let likeness = Self(name, recorded, played.flatMap(reader.answers), reader)
      guard likeness.isConvincing else { continue }
      if best.map({ likeness.isBetter(than: $0) }) != false { best = likeness }
    }
    return best
  }

  private func isBetter(than other: Self) -> Bool {
    (requestsAlike, valuesRead, evidence) > (other.requestsAlike, other.valuesRead, other.evidence)
  }

  /// The bundled definitions with a service of the recorded device and a characteristic there. Others are not checked: that takes
  /// longer than to read their text.
  private static func candidates(
    in bundled: any BundledDefinitions, for table: ObservedTable
  ) -> [(String, PeripheralDefinition)] {
    let services = table.services.filter { !$0.uuid.uuid.isAssigned }
    guard !services.isEmpty else { return [] }
    let words = services.map { service in
      (service.uuid.uuid.text, service.characteristics.map(\.uuid.uuid.text))
    }
    var names: Set<String> = []
    let files = bundled.names.compactMap { name in (try? bundled.file(named: name)).map { (name, $0) } }
    for (name, file) in files {
      let text = file.text.lowercased()
      if words.contains(where: { text.hasPart($0) && $1.contains(where: text.hasPart) }) {
        names.insert(name)
      }
    }
    var children = files.compactMap { name, file in file.parent.map { (name, $0) } }
    while let index = children.firstIndex(where: { names.contains($0.1) }) {
      names.insert(children.remove(at: index).0)
    }
    return files.filter { names.contains($0.0) }.compactMap { name, file in
      DefinitionLoader.load(file, bundled: bundled).definition.map { (name, $0) }
    }
  }
}

extension DefinitionFile {
  /// The name after `extends`.
  fileprivate var parent: String? {
    let key = "extends: ".utf8
    return text.utf8.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: key) }
      .map { String(Substring($0.dropFirst(key.count))) }
  }
}

// MARK: The comparison

extension Likeness {
  private init(
    _ name: String, _ recorded: [MessageReader.Answer], _ played: [MessageReader.Answer],
    _ reader: MessageReader
  ) {
    self.name = name
    evidence = reader.evidence(in: recorded)
    for (own, other) in zip(recorded, played) {
      values += own.values.count
      valuesRead += own.readCount
      guard let request = own.request else { continue }
      requests += 1
      let isAlike =
        own.values.isEmpty
        ? !request.isEmpty && other.values.isEmpty
        : own.values.first == other.values.first || !own.messages.isDisjoint(with: other.messages)
      if isAlike, own.isRefused == other.isRefused { requestsAlike += 1 }
    }
  }
}

/// Reads what was written and sent as messages of a definition.
private struct MessageReader {
  /// What the device sent after a request, up to the next one.
  struct Answer {
    /// The messages that the request may be; nil: it came before any request.
    var request: Set<Int>?
    var isRefused = false
    var values: [[UInt8]] = []
    /// How many of the values are in messages.
    var readCount = 0
    var messages: Set<Int> = []
  }

  private let messages: [MessageTemplate]
  private let longest: Int
  /// Those with which messages begin that may be cut into values.
  private let firstBytes: Set<UInt8>
  private let sizes: [ClosedRange<Int>]
  private let characteristics: [AttributeHandle: CharacteristicDefinition]
  private let table: ObservedTable

  /// The most values that one message is cut into.
  private static let mostPieces = 40

  init(_ definition: PeripheralDefinition, _ table: ObservedTable) {
    self.table = table
    firstBytes = Set(
      definition.messages.compactMap { $0.leadingBytes.first.flatMap { $0.mask == 0xFF ? $0.value : nil } })
    longest = definition.messages.map(\.maximumSize).max() ?? 0
    sizes = definition.messages.map { $0.minimumSize...$0.maximumSize }
    messages = definition.messages.map { $0.loosened ?? $0 }
    characteristics = table.characteristics.reduce(into: [:]) { known, characteristic in
      guard let handle = characteristic.valueHandle else { return }
      known[handle] = definition.characteristics.first { $0.uuid.literal == characteristic.uuid.uuid }
    }
  }

  /// The fixed bits of all messages that were found, each once.
  func evidence(in answers: [Answer]) -> Int {
    Set(answers.flatMap { $0.messages.union($0.request ?? []) }).reduce(0) { $0 + fixedBits(of: $1) }
  }

  private func fixedBits(of message: Int) -> Int {
    messages[message].leadingBytes.reduce(0) { $0 + $1.mask.nonzeroBitCount }
  }

  func answers(in conversation: Conversation) -> [Answer] {
    var answers = [Answer()]
    var pieces: [AttributeHandle: [[UInt8]]] = [:]
    for exchange in conversation.exchanges {
      let characteristic = characteristics[exchange.handle]
      switch exchange.kind {
      case .write(let value, _, let outcome):
        guard table.characteristic(of: exchange.handle)?.valueHandle == exchange.handle else { continue }
        let plain = characteristic.map { frames(of: value, $0.canBeWritten ? $0.framing : nil) } ?? []
        var answer = Answer(request: Set(plain.flatMap(kinds)))
        if case .refused = outcome { answer.isRefused = true }
        answers.append(answer)
        pieces = [:]
      case .value(let value, _):
        answers[answers.count - 1].values.append(value)
        let found = read(value, after: &pieces[exchange.handle, default: []])
        answers[answers.count - 1].messages.formUnion(found.messages)
        answers[answers.count - 1].readCount += found.count
      case .read: continue
      }
    }
    return answers
  }

  private func frames(of value: [UInt8], _ rule: FramingRule?) -> [[UInt8]] {
    guard let rule else { return [value] }
    var framer = Framer(rule)
    return (framer.append(value, at: Instant()) + framer.finish()).compactMap {
      if case .frame(let frame) = $0 { frame } else { nil }
    }
  }

  /// The messages that end in a value, and how many values they consist of.
  private func read(_ value: [UInt8], after pieces: inout [[UInt8]]) -> (messages: Set<Int>, count: Int) {
    pieces.append(value)
    var bytes: [UInt8] = []
    for (index, piece) in pieces.enumerated().reversed() {
      bytes = piece + bytes
      if bytes.count - value.count > longest { break }
      guard index == pieces.count - 1 || piece.first.map(firstBytes.contains) == true else { continue }
      for size in sizes(upTo: bytes.count, endingIn: value.count) {
        let found = kinds(of: Array(bytes.prefix(size)))
        guard !found.isEmpty else { continue }
        let count = pieces.count - index
        pieces = size < bytes.count ? [Array(bytes[size...])] : []
        return (found, count)
      }
    }
    if pieces.count >= Self.mostPieces { pieces.removeFirst() }
    return ([], 0)
  }

  /// All of the bytes, or the sizes of messages that end in the last value.
  private func sizes(upTo size: Int, endingIn last: Int) -> [Int] {
    [size] + Set(sizes.map(\.lowerBound)).filter { $0 < size && $0 > size - last }.sorted()
  }

  private func kinds(of frame: [UInt8]) -> Set<Int> {
    Set(
      messages.indices.filter {
        sizes[$0] ~= frame.count && fixedBits(of: $0) >= 8 && messages[$0].parse(frame) != nil
      })
  }
}

extension MessageTemplate {
  /// The message with any bytes between its first fixed bytes and its checksum: versions of a device differ there.
  fileprivate var loosened: MessageTemplate? {
    let head = leadingBytes.prefix { $0.mask == 0xFF }.map(\.value)
    guard size != nil, head.count >= 2, source.hasSuffix("}"), let hole = source.split(separator: "{").last,
      Checksum.named(String(hole.prefix { $0 != "}" && $0 != "(" })) != nil
    else { return nil }
    return try? MessageTemplate(name: name, template: "\(HexText.format(head)) {rest: bytes} {\(hole)")
  }
}

extension BluetoothUUID {
  fileprivate var text: String { description.lowercased() }

  /// Whether it is one of the Bluetooth SIG's services, which devices of many kinds have.
  fileprivate var isAssigned: Bool { short.map { 0x1800...0x18FF ~= $0 } == true }
}

extension [Conversation] {
  /// The conversations up to some number of exchanges.
  fileprivate func beginning(of most: Int) -> Self {
    var rest = most
    return prefix { _ in rest > 0 }.map { conversation in
      var part = conversation
      part.exchanges = [Exchange](conversation.exchanges.prefix(rest))
      if part.exchanges.count < conversation.exchanges.count { part.end = nil }
      rest -= part.exchanges.count
      return part
    }
  }
}
