import BlemuControl
import Definitions
import DeviceModel
import Wire

/// Reads a stand's file into its devices, and reports all mistakes in it.
struct StandReader {
  let file: StandFile
  private let library: DefinitionLibrary
  /// That of the file, which its paths begin in; ends with a slash, empty for the current one.
  private let folder: String

  init(path: String, library: DefinitionLibrary) throws(CommandError) {
    library.files?.add(path)
    do { file = try StandFile(path: path) } catch { throw .unreadable(error) }
    self.library = library
    folder = FilePath(path).folder
  }

  /// The devices that have no mistakes, in the order of the file.
  func devices() -> [DeviceSpecification] {
    let found = (file.stand?.devices ?? []).map { ($0, device($0)) }
    checkClaims(of: found)
    return found.compactMap(\.1)
  }

  private func device(_ entry: Stand.Device) -> DeviceSpecification? {
    if !ControlFolder.isName(entry.name.text) { report(.badDeviceName(entry.name.text), at: entry.name) }
    let place = entry.place?.text ?? DeviceSpecification.standardPlace
    let transport = read("on", at: entry.place ?? entry.name) { () throws(CommandError) in
      try TransportSpecification(place)
    }
    guard let transport, let choice = choice(of: entry, on: transport) else { return nil }
    var device = DeviceSpecification(
      name: entry.name.text, choice: choice, place: place, transport: transport,
      control: .named(entry.name.text))
    device.wireSide = wireSide(of: entry, choice.definition)
    device.seed = entry.seed ?? device.seed
    device.statePath = entry.state.map { path($0.text) }
    device.faults = file.faults(entry.faults, of: choice.definition)
    device.restart = entry.restart
    return device
  }

  /// A path of the file as this process finds it.
  private func path(_ text: String) -> String { text.hasPrefix("/") ? text : folder + text }
}

// MARK: Definitions

extension StandReader {
  private func choice(
    of entry: Stand.Device, on transport: TransportSpecification
  ) -> DefinitionChoice? {
    let loaded = read("definition", at: entry.definition) { () throws(CommandError) in
      let path = try find(entry.definition.text)
      return (path, try library.load(path: path, for: transport.limits))
    }
    guard let (path, result) = loaded else { return nil }
    guard let definition = result.definition else {
      file.report(
        StandMistake.badDefinition(entry.definition.text).sentences, at: entry.definition.range,
        notes: result.notes)
      return nil
    }
    let choice = DefinitionChoice(
      definition, path: path, face: result.face.flatMap(FileSystem.resolved), chosen: [:])
    return choice.with(settings(of: entry, choice))
  }

  /// In the stand's folder, or bundled.
  private func find(_ text: String) throws(CommandError) -> String {
    let isPath = text.contains("/") || text.hasSuffix(".yaml") || text.hasSuffix(".yml")
    if isPath || FileSystem.exists(path(text)) { return try library.find(path(text)) }
    guard let path = library.path(of: text) else {
      throw .unknownDefinition(text, bundled: library.names)
    }
    return path
  }

  private func settings(of entry: Stand.Device, _ choice: DefinitionChoice) -> [Int: Value] {
    var values: [Int: Value] = [:]
    for setting in entry.settings {
      let text = "\(setting.name.text)=\(setting.value.text)"
      do throws(CommandError) {
        values.merge(try DefinitionChoice.chosen(of: choice.definition, [text])) { $1 }
      } catch {
        if case .unknownSetting = error {
          report(error, at: setting.name)
        } else {
          report(error, at: setting.value)
        }
      }
    }
    return values
  }
}

extension LoadedDefinition {
  /// A line for each error.
  fileprivate var notes: [String] {
    diagnostics.filter { $0.severity == .error }.prefix(20).map { mistake in
      let place = mistake.range.start
      return "\(renderer.name(of: mistake)):\(place.line):\(place.column): \(mistake.message)"
    }
  }
}

// MARK: Wire sides

extension StandReader {
  private func wireSide(of entry: Stand.Device, _ definition: PeripheralDefinition) -> WireSide {
    guard let wire = entry.wire else { return .none }
    guard definition.hasWireSide else {
      file.report(StandMistake.noWireSide(definition.name).sentences, at: wire.range)
      return .none
    }
    return wireSide(wire) ?? .none
  }

  private func wireSide(_ wire: Stand.Wire) -> WireSide? {
    switch wire {
    case .terminal(let text):
      return read("pty", at: text) { () throws(CommandError) in
        .pseudoTerminal(path(try WireSide.path(text.text)))
      }
    case .serial(let text):
      return read("serial", at: text) { () throws(CommandError) in
        try WireSide.device(text.text.isEmpty ? "" : path(text.text))
      }
    case .port(let text):
      return read("tcp", at: text) { () throws(CommandError) in .tcp(try WireSide.place(text.text)) }
    case .program(let words, let restart):
      let policy = restart.flatMap { text in
        read("restart", at: text) { () throws(CommandError) in try WireSide.policy(text.text) }
      }
      return .program(words.map(\.text), policy ?? .onFailure)
    }
  }
}

// MARK: What only one device can have

extension StandReader {
  private typealias Claims = [(owner: String, claim: StandClaim)]

  private func checkClaims(of devices: [(Stand.Device, DeviceSpecification?)]) {
    var claims: Claims = []
    for case (let entry, let device?) in devices {
      let name = entry.name.text
      add(device.transport.claim, of: name, at: (entry.place ?? entry.name).range, to: &claims)
      add(device.statePath.map(StandClaim.file), of: name, at: entry.state?.range, to: &claims)
      add(device.wireSide.claim, of: name, at: entry.wire?.range, to: &claims)
    }
  }

  private func add(_ claim: StandClaim?, of owner: String, at range: SourceRange?, to claims: inout Claims) {
    guard let claim, let range else { return }
    if let other = claims.first(where: { $0.owner != owner && $0.claim.collides(with: claim) }) {
      file.report(StandMistake.taken(claim, by: other.owner).sentences, at: range)
    }
    claims.append((owner, claim))
  }
}

// MARK: Reporting

extension StandReader {
  /// Reads a value as that of an option, and reports its mistake under its key.
  private func read<T>(
    _ key: String, at text: Scalar, _ body: () throws(CommandError) -> T
  ) -> T? {
    do throws(CommandError) { return try body() } catch {
      report(error, at: text, key: key)
      return nil
    }
  }

  private func report(_ error: CommandError, at text: Scalar, key: String = "") {
    if let sentences = error.sentences(underKey: key) { file.report(sentences, at: text.range) }
  }
}

extension CommandError {
  /// What a mistake in the value of an option is in that of a key.
  fileprivate func sentences(underKey key: String) -> (message: String, hint: String?)? {
    switch self {
    case .badValue(_, let value, let expected):
      CommandError.badValue(option: key, value: value, expected: expected).sentences
    case .badSetting(_, let problem): (problem, nil)
    default: sentences
    }
  }
}
