import Bluetooth
import DeviceModel

/// Reads the text of a fault, with the names of a definition: `corrupt 2 bits out on serial every 3rd`.
///
/// Definitions, the command line and transcripts share this syntax. The kind comes first, and the
/// other parts follow in any order, each once.
package struct FaultReader {
  let definition: PeripheralDefinition

  package init(_ definition: PeripheralDefinition) { self.definition = definition }

  /// The words that can follow those of the beginning of a text, as far as they are the same for every device.
  package static func words(after words: [String]) -> [String] {
    switch words.last {
    case nil: examples.map(\.0)
    case "on": RequestPlace.ofEveryDevice.compactMap(\.name) + ["wire"]
    default: FaultClause.words
    }
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - line: the line of the text, for diagnostics.
  ///   - column: the column of its first scalar, from 1.
  package func read(_ text: String, line: Int = 1, column: Int = 1) throws(Diagnostic) -> Fault {
    do { return try read(text) } catch {
      let range = SourceRange(
        line: line, column: column + error.range.lowerBound, length: max(1, error.range.count))
      throw Diagnostic(.error, error.message, at: range, hint: error.hint)
    }
  }

  /// The warning about a text that has been read, in a line of its own; nil: there is none.
  package func warning(about fault: Fault, _ text: String) -> Diagnostic? {
    question(about: fault, text).map { mistake in
      let range = SourceRange(line: 1, column: 1, length: text.unicodeScalars.count)
      return Diagnostic(.warning, mistake.message, at: range, hint: mistake.hint)
    }
  }

  /// Reads a fault that has struck, or the first word of its kind, such as `corrupt`.
  ///
  /// - Returns: the beginning of the fault's own text.
  package func beginning(_ text: String, line: Int, column: Int) throws(Diagnostic) -> String {
    if Self.examples.contains(where: { $0.0 == text }) { return text }
    return try read(text, line: line, column: column).description
  }

  func read(_ text: String) throws(TextError) -> Fault {
    var words = try FaultWords(text)
    var fault = Fault(try kind(&words))
    var given: Set<FaultClause> = []
    while let word = words.next() {
      let clause = try clause(word, words)
      guard given.insert(clause).inserted else { throw TextError(.secondClause(clause), word.range) }
      guard clause.fits(fault.kind) else {
        throw TextError(.needlessClause(clause, fault.kind), word.range)
      }
      try read(clause, word, &words, into: &fault)
    }
    try checkPeriod(of: fault, text)
    try checkConfirmation(of: fault, text)
    try checkPerson(of: fault, text)
    if fault.kind.subject == .linkRequests, let amount = fault.after {
      guard case .time = amount else {
        throw TextError(.notTime(fault.kind), 0..<text.unicodeScalars.count)
      }
    }
    return fault
  }

  /// Asks which direction is meant, where a fault counts the values of both without saying so.
  ///
  /// - Parameter text: the text of the fault.
  func question(about fault: Fault, _ text: String) -> Mistake? {
    guard fault.countsValues, fault.direction == nil, fault.message == nil,
      !text.split(separator: " ").contains("both")
    else { return nil }
    let goesBothWays =
      switch fault.place {
      case .characteristic(let index, _): definition.characteristics[index...index].goBothWays
      case nil: definition.characteristics[...].goBothWays
      case .layer(let index, _): definition.rules.goBothWays(at: index)
      case .channel, .wire, .request: false
      }
    guard goesBothWays else { return nil }
    var (into, out) = (fault, fault)
    (into.direction, out.direction) = (.into, .out)
    return .countsBothWays(into: into.description, out: out.description)
  }

  /// Only indications are confirmed.
  private func checkConfirmation(of fault: Fault, _ text: String) throws(TextError) {
    guard fault.kind.subject == .confirmations else { return }
    var (candidates, id) = (definition.characteristics[...], String?.none)
    if case .characteristic(let index, let name) = fault.place {
      (candidates, id) = (definition.characteristics[index...index], name)
    }
    if candidates.contains(where: { $0.properties.contains(.indicate) && !$0.properties.contains(.notify) }) {
      return
    }
    throw TextError(.neverConfirmed(id: id), 0..<text.unicodeScalars.count)
  }

  /// A pairing asks somebody at the device only if the device can take an answer.
  private func checkPerson(of fault: Fault, _ text: String) throws(TextError) {
    guard case .person(let person) = fault.kind else { return }
    var types = false
    if case .types = person { types = true }
    let isAsked = definition.possiblePairings.contains {
      $0.capability.hasKeyboard || !types && $0.capability == .displayYesNo
    }
    if !isAsked { throw TextError(.nobodyIsAsked(toType: types), 0..<text.unicodeScalars.count) }
  }

  /// A periodic fault must end before it begins again.
  private func checkPeriod(of fault: Fault, _ text: String) throws(TextError) {
    guard case .period(let period) = fault.rate, fault.kind.subject == .presence else { return }
    if let duration = fault.duration, duration < period { return }
    throw TextError(.neverEnds(fault.duration != nil), 0..<text.unicodeScalars.count)
  }

  private func clause(_ word: FaultWord, _ words: FaultWords) throws(TextError) -> FaultClause {
    if let clause = FaultClause(word.text, before: words.peek), !word.isQuoted { return clause }
    throw TextError(.unexpectedWord(word.text, before: words.peek?.text), word.range)
  }

  private func read(
    _ clause: FaultClause, _ word: FaultWord, _ words: inout FaultWords, into fault: inout Fault
  ) throws(TextError) {
    switch clause {
    case .direction: fault.direction = try direction(word, &words)
    case .place: fault.place = try place(&words, of: fault.kind)
    case .message: fault.message = try message(&words)
    case .chance: fault.rate = try chance(word)
    case .every: fault.rate = try every(&words, of: fault.kind)
    case .after: fault.after = try amount(&words)
    case .duration: fault.duration = try duration(&words)
    case .state: fault.state = try state(&words)
    case .count: fault.count = try count(word, &words)
    }
  }
}

// MARK: Names

extension FaultReader {
  /// nil: `both ways`.
  private func direction(_ word: FaultWord, _ words: inout FaultWords) throws(TextError) -> Fault.Direction? {
    if let direction = Fault.Direction(rawValue: word.text) { return direction }
    try words.expect("ways")
    return nil
  }

  private func place(_ words: inout FaultWords, of kind: Fault.Kind) throws(TextError) -> Fault.Place {
    let word = try words.next(.place)
    if word.text == "wire", kind.subject == .values || kind.subject == .moments {
      guard definition.hasWireSide else { throw TextError(.noWireSide, word.range) }
      return .wire
    }
    if kind.subject == .values, let index = definition.channels.firstIndex(where: { $0.id == word.text }) {
      return .channel(index, id: word.text)
    }
    let ids = definition.characteristics.map(\.id)
    if let index = ids.firstIndex(of: word.text) { return .characteristic(index, id: word.text) }
    if let index = definition.layers.firstIndex(where: { $0.name == word.text }) {
      guard kind.subject == .values || kind.subject == .moments else {
        throw TextError(.faultInLayer(word.text, kind), word.range)
      }
      return .layer(index, id: word.text)
    }
    guard let request = request(named: word.text) else {
      let others =
        switch kind.subject {
        case .requests: Self.requests(in: definition).filter { !ids.contains($0) }
        case .confirmations: [String]()
        default: definition.layers.map(\.name)
        }
      throw TextError(.unknownCharacteristic(id: word.text, known: ids + others), word.range)
    }
    guard kind.subject == .requests else { throw TextError(.placeOfRequests(word.text, kind), word.range) }
    return .request(request, name: definition.name(of: request) ?? word.text)
  }

  /// The names of the places of requests: `mtu`, `discovery`, `serial/2902`.
  private static func requests(in definition: PeripheralDefinition) -> [String] {
    definition.requestPlaces.compactMap(definition.name)
  }

  /// - Parameter name: that of a descriptor may have the UUID in any form.
  private func request(named name: String) -> RequestPlace? {
    var name = name
    if let slash = name.lastIndex(of: "/"), let uuid = BluetoothUUID(String(name[slash...].dropFirst())) {
      name = name[...slash] + uuid.description
    }
    return definition.requestPlaces.first { definition.name(of: $0) == name }
  }

  private func message(_ words: inout FaultWords) throws(TextError) -> Fault.Message {
    let word = try words.next(.message)
    guard let index = definition.messages.firstIndex(where: { $0.name == word.text }), !word.text.isEmpty
    else {
      let known = definition.namedMessages.map(\.name)
      throw TextError(.noMessageOfFault(word.text, known: known), word.range)
    }
    return Fault.Message(index: index, name: word.text)
  }

  private func state(_ words: inout FaultWords) throws(TextError) -> String {
    let word = try words.next(.state)
    if definition.states.contains(word.text) { return word.text }
    throw TextError(.noStateOfFault(word.text, known: definition.states), word.range)
  }
}

extension ArraySlice<CharacteristicDefinition> {
  fileprivate var goBothWays: Bool { contains(where: \.canBeWritten) && contains(where: \.canNotify) }
}

extension [Rule] {
  /// Whether a layer takes messages and sends some.
  fileprivate func goBothWays(at layer: Int) -> Bool {
    let triggers = flatMap(\.triggers)
    return triggers.contains { if case .received(_, .layer(layer)) = $0 { true } else { false } }
      && triggers.contains { if case .sent(_, layer) = $0 { true } else { false } }
  }
}

extension Fault {
  /// Whether it depends on a number of values.
  fileprivate var countsValues: Bool {
    switch (kind.subject, after, rate) {
    case (.values, .bytes, _), (.values, .values, _), (.values, .frames, _), (.values, _, .every): true
    case (.moments, .bytes, _), (.moments, .values, _), (.moments, .frames, _), (.moments, _, .every): true
    case (.values, _, _): count != nil
    case (.moments, _, _): count != nil && place != nil
    default: false
    }
  }
}
