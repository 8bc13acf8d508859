import Definitions
import DeviceModel
import EventLoop

/// The file of `--state`. It is locked, because two runs with one file would overwrite each other's settings.
struct StateFile {
  let definition: PeripheralDefinition
  /// The initial settings: one value for each of the definition's settings.
  let settings: [Value]
  /// The contents of the file.
  private(set) var text: String
  private let path: String
  private var file: LockedFile

  /// Opens the file, and creates it if necessary.
  init(_ path: String, for choice: DefinitionChoice) throws(CommandError) {
    definition = choice.definition
    self.path = path
    file = try Self.lock(path)
    do { text = try TextFile.read(path) } catch { throw .badState(path: path, problem: error.message) }
    settings = choice.settings(over: try Self.parse(SourceText(name: path, text: text), for: definition))
  }

  /// Writes the file if the settings have changed.
  mutating func keep(_ settings: [Value]) throws(CommandError) {
    let new = KeptSettings.text(of: settings, for: definition)
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
  ) throws(CommandError) -> [Int: Value] {
    switch KeptSettings.parse(source, for: definition) {
    case .success(let values): return values
    case .failure(let mistakes):
      Terminal.printError(mistakes.report)
      throw .badState(
        path: source.name, problem: "'\(source.name)' does not hold settings of \(definition.name)")
    }
  }

  private static func lock(_ path: String) throws(CommandError) -> LockedFile {
    if FileSystem.exists(path), !FileSystem.isFile(path) {
      throw .badState(path: path, problem: "'\(path)' is not a file")
    }
    do { return try LockedFile(path) } catch {
      switch error {
      case .inUse: throw .stateInUse(path: path)
      case .unwritable(let file): throw .unwritable(file)
      }
    }
  }
}
