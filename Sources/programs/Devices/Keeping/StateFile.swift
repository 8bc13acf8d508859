import Bluetooth
import DefinitionWriter
import Definitions
import DeviceModel
import EventLoop

/// The file of `--state`. It is locked, because two runs with one file would overwrite each other's settings. Only
/// its user may read it, because it has the keys of bonds.
struct StateFile {
  let definition: PeripheralDefinition
  /// One value for each of the definition's settings.
  private(set) var settings: [Value]
  /// With all centrals, and all addresses that the device has had.
  private(set) var bonds: [KeptBond]
  /// The contents of the file.
  private(set) var text: String
  private let path: String
  private var file: LockedFile

  /// Opens the file, and creates it if necessary.
  init(_ path: String, for choice: DefinitionChoice) throws(StateFileError) {
    definition = choice.definition
    self.path = path
    file = try Self.lock(path)
    do { text = try TextFile.read(path) } catch { throw .unreadable(path: path, reason: error.message) }
    let contents = try Self.parse(SourceText(name: path, text: text), for: definition)
    settings = choice.settings(over: contents.values)
    bonds = contents.bonds
  }

  /// Writes the file if the settings have changed.
  mutating func keep(_ settings: [Value]) throws(StateFileError) {
    self.settings = settings
    try write()
  }

  /// Writes the file if the bonds of a device with this address have changed. Those of other addresses stay.
  mutating func keep(_ bonds: [Bond], of device: DeviceAddress) throws(StateFileError) {
    self.bonds.removeAll { $0.device == device }
    self.bonds += bonds.map { KeptBond($0, of: device) }
    try write()
  }

  mutating func forgetBonds() throws(StateFileError) {
    bonds = []
    try write()
  }

  private mutating func write() throws(StateFileError) {
    let new = KeptSettings.text(of: settings, bonds: bonds, for: definition)
    guard !new.utf8.elementsEqual(text.utf8) else { return }
    guard new.utf8.count <= YAMLParser.maximumSize else {
      throw .unwritable(
        UnwritableFile(path: path, reason: "the limit is \(YAMLParser.maximumSize) bytes"))
    }
    do { try file.write(new) } catch { throw .unwritable(error) }
    text = new
  }

  private static func parse(
    _ source: SourceText, for definition: PeripheralDefinition
  ) throws(StateFileError) -> KeptSettings.Contents {
    switch KeptSettings.parse(source, for: definition) {
    case .success(let contents): return contents
    case .failure(let mistakes):
      throw .mistakes(path: source.name, device: definition.name, report: mistakes.report)
    }
  }

  private static func lock(_ path: String) throws(StateFileError) -> LockedFile {
    if FileSystem.exists(path), !FileSystem.isFile(path) {
      throw .notAFile(path: path)
    }
    do { return try LockedFile(path, isPrivate: true) } catch {
      switch error {
      case .inUse: throw .inUse(path: path)
      case .unwritable(let file): throw .unwritable(file)
      }
    }
  }
}
