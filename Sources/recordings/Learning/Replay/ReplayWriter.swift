import Bluetooth
import DefinitionWriter
import Framing

/// Writes recorded answers in the definition language.
struct ReplayWriter {
  var definition: LearntDefinition
  let table: ObservedTable
  let history: RecordedHistory
  var names: ModelNames
  /// The names of the messages that the device sends, by their bytes.
  var answers: [[UInt8]: String] = [:]
  /// How many bytes of values may still go to tables: all data files have at most 8 MiB, in two digits a byte.
  var bytesLeft = 3 << 20
  var rowsLeft = 60_000
  /// Whether the recording is too long for the tables of a definition.
  var isCut = false

  init(_ definition: LearntDefinition, _ table: ObservedTable, _ history: RecordedHistory) {
    (self.definition, self.table, self.history) = (definition, table, history)
    let used = [
      definition.settings, definition.variables, definition.generators, definition.data, definition.messages,
    ]
    names = ModelNames(taken: Set(used.joined().map(\.key)))
  }

  mutating func add(_ scripts: RecordedScripts) {
    for trigger in scripts.triggers {
      guard let occurrences = scripts.occurrences[trigger] else { continue }
      switch trigger {
      case .connect:
        definition.rules += rules(on: .text("connect"), name: "connection", occurrences, origin: nil)
      case .subscribe(let handle):
        guard let id = table.id(of: handle) else { continue }
        let event = YAMLValue.object([.init("subscribe", .text(id))], .flow)
        definition.rules += rules(on: event, name: "stream-\(id)", occurrences, origin: handle)
      case .write: break
      }
    }
    let written = scripts.triggers.compactMap { trigger in
      if case .write(_, let handle) = trigger { handle } else { nil }
    }
    var seen: Set<AttributeHandle> = []
    let groups = written.filter { seen.insert($0).inserted }.compactMap { group(for: $0, scripts) }
    addHistory()
    for group in groups {
      let rules = group.rules + fallbacks(group)
      definition.rules.append(
        .map([.init("from", .text(group.id)), .init("rules", .list(rules, .block))], .block))
    }
  }

  /// The rules for what the central writes to a characteristic.
  private mutating func group(for handle: AttributeHandle, _ scripts: RecordedScripts) -> Group? {
    guard let id = writtenID(of: handle) else { return nil }
    var requests: [[UInt8]] = []
    for case .write(let bytes, handle) in scripts.triggers {
      let occurrences = scripts.occurrences[.write(bytes, handle)] ?? []
      if occurrences.joined().contains(where: { $0.refusal == nil }) { requests.append(bytes) }
    }
    let naming = RequestNames(requests)
    var rules: [YAMLValue] = []
    for request in requests {
      let occurrences = scripts.occurrences[.write(request, handle)] ?? []
      let name = names.unique("request-\(naming.name(of: request))")
      definition.messages.append(.init(name, .text(request.isEmpty ? "" : HexText.format(request))))
      let event = YAMLValue.object([.init("receive", .text(name))], .flow)
      let granted = occurrences.map { $0.filter { $0.refusal == nil } }
      rules += self.rules(
        on: event, name: name.dropping("request-"), granted, origin: handle, alwaysWritten: true)
    }
    return Group(id: id, requests: requests.filter { !$0.isEmpty }, opcode: naming.opcode, rules: rules)
  }

  private struct Group {
    var id: String
    var requests: [[UInt8]]
    /// Its index in the requests.
    var opcode: Int
    var rules: [YAMLValue]
  }

  /// Rules for requests that were never recorded.
  private func fallbacks(_ group: Group) -> [YAMLValue] {
    var seen: Set<[Int]> = []
    var rules: [YAMLValue] = []
    for request in group.requests where request.count > group.opcode + 1 {
      let prefix = Array(request.prefix(group.opcode + 1))
      guard seen.insert([request.count] + prefix.map(Int.init)).inserted else { continue }
      let template = "\(HexText.format(prefix)) {data: bytes(\(request.count - prefix.count))}"
      rules.append(
        .object(
          [
            .init(
              "on", .object([.init("receive", .object([.init("bytes", .quoted(template))], .flow))], .flow)),
            .init(
              "do",
              .list(
                [
                  Self.log(
                    "{hex(frame, ' ')} was not recorded: answered like \(HexText.format(Array(request.prefix(20))))"
                  )
                ] + follow(request, to: group.id) + [
                  .object([.init("receive", .text("bytes('\(HexText.format(request))')"))], .flow)
                ], .block)),
          ], .block))
    }
    rules.append(
      .object(
        [
          .init("on", .object([.init("receive", .word("any"))], .flow)),
          .init("do", Self.log("{hex(frame, ' ')} was not recorded: no answer")),
        ], .block))
    return rules
  }

  static func log(_ text: String) -> YAMLValue { .object([.init("log", .quoted(text))], .flow) }
}

extension String {
  fileprivate func dropping(_ prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
  }
}
