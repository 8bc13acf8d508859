import Definitions
import DeviceModel
import Devices

/// Reads a stand's file into its devices, and reports all mistakes in it.
struct StandReader {
  let file: StandFile
  private let library: DefinitionLibrary
  /// Where devices run that do not say it, as after `--on`.
  let standardPlace: String
  /// That of the file, which its paths begin in; ends with a slash, empty for the current one.
  private let folder: String

  init(
    path: String, library: DefinitionLibrary, place: String = DeviceSpecification.standardPlace
  ) throws(CommandError) {
    standardPlace = place
    library.files?.add(path)
    do { file = try StandFile(path: path) } catch { throw .unreadable(error) }
    self.library = library.keepingDefinitions
    folder = FilePath(path).folder
  }

  /// The names of all devices; empty if the file cannot be read.
  var names: [String] { (file.stand?.devices ?? []).map(\.name.text) }

  /// The devices that can run, in the order of the file; nil: none may, because of mistakes in the file itself.
  ///
  /// The definitions of other devices than those named are not read.
  ///
  /// - Parameter names: those to run; none: all.
  func devices(_ names: some Collection<String> = []) -> [DeviceSpecification]? {
    let places = (file.stand?.devices ?? []).map(place(of:))
    checkClaims(of: places)
    var (devices, broken): ([DeviceSpecification], [(Scalar, BrokenDefinition)]) = ([], [])
    for place in places where names.isEmpty || names.contains(place.entry.name.text) {
      do throws(BrokenDefinition) {
        if let device = try device(place) { devices.append(device) }
      } catch {
        broken.append((place.entry.definition, error))
      }
    }
    let isGood = !file.hasErrors
    for (name, error) in broken { file.report(error.mistake, at: name.range, notes: error.notes) }
    return isGood ? devices : nil
  }

  private func device(_ place: StandPlace) throws(BrokenDefinition) -> DeviceSpecification? {
    let entry = place.entry
    guard let transport = place.transport else { return nil }
    let choice = try choice(of: entry, on: transport)
    var device = DeviceSpecification(
      name: entry.name.text, choice: choice, place: place.text, transport: transport,
      control: .named(entry.name.text))
    device.wireSide = place.wireSide
    if let wire = entry.wire, !choice.definition.hasWireSide {
      file.report(.noWireSide(choice.definition.name), at: wire.range)
    }
    device.seed = entry.seed ?? device.seed
    device.statePath = place.statePath
    device.faults = file.faults(entry.faults, of: choice.definition)
    device.restart = entry.restart
    return device
  }

  /// A path of the file as this process finds it.
  func path(_ text: String) -> String { text.hasPrefix("/") ? text : folder + text }
}

// MARK: Definitions

extension StandReader {
  private func choice(
    of entry: Stand.Device, on transport: TransportSpecification
  ) throws(BrokenDefinition) -> DefinitionChoice {
    let (path, result) = try load(entry.definition.text, for: transport)
    guard let definition = result.definition else {
      throw BrokenDefinition(mistake: .badDefinition(entry.definition.text), notes: result.notes)
    }
    let choice = DefinitionChoice(
      definition, path: path, face: result.face, chosen: [:])
    return choice.with(settings(of: entry, choice))
  }

  private func load(
    _ text: String, for transport: TransportSpecification
  ) throws(BrokenDefinition) -> (path: String, LoadedDefinition) {
    do throws(CommandError) {
      let path = try find(text)
      return (path, try library.load(path: path, for: transport.limits))
    } catch {
      throw BrokenDefinition(mistake: Mistake(error.message ?? text, error.hint))
    }
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
    let settings = choice.definition.settings
    var values: [Int: Value] = [:]
    for setting in entry.settings {
      guard let index = settings.firstIndex(where: { $0.name == setting.name.text }) else {
        report(.unknownSetting(setting.name.text, known: settings.map(\.name)), at: setting.name)
        continue
      }
      do { values[index] = try settings[index].kind.parse(setting.value.text) } catch {
        file.report(Mistake(error.message), at: setting.value.range)
      }
    }
    return values
  }
}

/// Why the definition of a device cannot be used, so that only this device does not run.
private struct BrokenDefinition: Error {
  var mistake: Mistake
  var notes: [String] = []
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

// MARK: Reporting

extension StandReader {
  /// Reads a value as that of an option, and reports its mistake.
  func read<T>(_ text: Scalar, _ body: () throws(CommandError) -> T) -> T? {
    do throws(CommandError) { return try body() } catch {
      report(error, at: text)
      return nil
    }
  }

  func report(_ error: CommandError, at text: Scalar) {
    if let message = error.message { file.report(Mistake(message, error.hint), at: text.range) }
  }
}
