import Bluetooth
import DefinitionWriter
import Framing

/// Writes recorded answers in the definition language.
struct ReplayWriter {
  var definition: LearntDefinition
  let table: ObservedTable
  var names: ModelNames
  /// The names of the messages that the device sends, by their bytes.
  var answers: [[UInt8]: String] = [:]
  /// How many bytes of values may still go to tables: all data files have at most 8 MiB, in two digits a byte.
  var bytesLeft = 3 << 20
  var rowsLeft = 60_000
  /// Whether the recording is too long for the tables of a definition.
  var isCut = false

  init(_ definition: LearntDefinition, _ table: ObservedTable) {
    (self.definition, self.table) = (definition, table)
    let used = [
      definition.settings, definition.variables, definition.generators, definition.data, definition.messages,
    ]
    names = ModelNames(taken: Set(used.joined().map(\.key)))
  }

  mutating func add(_ scripts: RecordedScripts) {
    addRefusedDescriptors()
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
    for handle in written where seen.insert(handle).inserted { addGroup(for: handle, scripts) }
  }

  /// Refuses the writes to descriptors that the device has always refused.
  private mutating func addRefusedDescriptors() {
    for characteristic in table.characteristics {
      for descriptor in characteristic.descriptors where !descriptor.value.isWritten {
        guard let refusal = descriptor.value.refusedWrites.first,
          !Self.impliedErrors.contains(refusal.error)
        else { continue }
        definition.rules.append(
          Self.rule(
            .object(
              [.init("write", .text("\(table.id(of: characteristic))/\(descriptor.uuid)"))], .flow),
            [.object([.init("refuse", .text(refusal.error.name))], .flow)]))
      }
    }
  }

  /// What the properties and the permissions refuse by themselves.
  private static let impliedErrors: Set<ATTError> = [
    .writeNotPermitted, .insufficientAuthentication, .insufficientEncryption, .encryptionKeySizeTooShort,
  ]

  /// The rules for what the central writes to a characteristic.
  private mutating func addGroup(for handle: AttributeHandle, _ scripts: RecordedScripts) {
    guard let id = table.id(of: handle), table.characteristic(of: handle)?.canBeWritten == true else {
      return
    }
    var requests: [[UInt8]] = []
    for case .write(let bytes, handle) in scripts.triggers { requests.append(bytes) }
    let naming = RequestNames(requests)
    var rules: [YAMLValue] = []
    for request in requests {
      let occurrences = scripts.occurrences[.write(request, handle)] ?? []
      if let refusal = occurrences.commonRefusal {
        definition.rules += refusals(of: request, to: id, refusal)
        continue
      }
      let name = names.unique("request-\(naming.name(of: request))")
      definition.messages.append(.init(name, .text(request.isEmpty ? "" : HexText.format(request))))
      let event = YAMLValue.object([.init("receive", .text(name))], .flow)
      let granted = occurrences.map { $0.filter { $0.refusal == nil } }
      rules += self.rules(
        on: event, name: name.dropping("request-"), granted, origin: handle, alwaysWritten: true)
    }
    rules += fallbacks(requests.filter { !$0.isEmpty }, naming)
    definition.rules.append(
      .map([.init("from", .text(id)), .init("rules", .list(rules, .block))], .block))
  }

  private func refusals(of request: [UInt8], to id: String, _ error: ATTError) -> [YAMLValue] {
    Self.impliedErrors.contains(error)
      ? []
      : [
        .object(
          [
            .init("on", .object([.init("write", .text(id))], .flow)),
            .init("if", .text("value == bytes('\(HexText.format(request))')")),
            .init("do", .object([.init("refuse", .text(error.name))], .flow)),
          ], .compact)
      ]
  }

  /// Rules for requests that were never recorded.
  private func fallbacks(_ requests: [[UInt8]], _ naming: RequestNames) -> [YAMLValue] {
    var seen: Set<[Int]> = []
    var rules: [YAMLValue] = []
    for request in requests where request.count > naming.opcode + 1 {
      let prefix = Array(request.prefix(naming.opcode + 1))
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
                  ),
                  .object([.init("receive", .text("bytes('\(HexText.format(request))')"))], .flow),
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

  private static func log(_ text: String) -> YAMLValue { .object([.init("log", .quoted(text))], .flow) }
}

extension ObservedTable.Characteristic {
  /// Whether its properties permit writes, and the device did not refuse all of them.
  fileprivate var canBeWritten: Bool {
    guard let properties else { return false }
    return !properties.isDisjoint(with: [.write, .writeWithoutResponse]) && !permissions.contains(.noWrite)
  }
}

extension String {
  fileprivate func dropping(_ prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
  }
}

extension [[RecordedScript]] {
  /// The error with which the device refused each time; nil: it granted some.
  fileprivate var commonRefusal: ATTError? {
    let errors = Set(joined().map(\.refusal))
    return errors.count == 1 ? errors.first ?? nil : nil
  }
}
