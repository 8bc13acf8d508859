import Definitions
import DeviceModel
import EventLoop
import Glibc

/// The file behind `--state`, locked: of two runs with one file, each would undo what the other keeps.
struct StateFile {
  let definition: PeripheralDefinition
  /// What the device begins with: one value for each of the definition's settings.
  let settings: [Value]
  /// What the file says.
  private(set) var text: String
  private let path: String
  /// Of the file that has the name now.
  private var lock: FileDescriptor

  /// Opens the file, which is made where there is none.
  init(_ path: String, for choice: DefinitionChoice) throws(CommandError) {
    definition = choice.definition
    lock = try Self.lock(path)
    do { text = try TextFile.read(path) } catch { throw .badState(path: path, problem: error.message) }
    settings = choice.settings(over: try Self.parse(SourceText(name: path, text: text), for: definition))
    self.path = FileSystem.resolved(path)
  }

  /// Writes the file anew unless that is what it says.
  mutating func keep(_ settings: [Value]) throws(CommandError) {
    let new = KeptSettings.text(of: settings, for: definition)
    guard !new.utf8.elementsEqual(text.utf8) else { return }
    guard new.utf8.count <= YAMLParser.maximumSize else {
      throw .unwritable(path: path, reason: "more than \(YAMLParser.maximumSize) bytes are not read again")
    }
    lock = try AtomicFile.write(new, to: path, isLocked: true)
    text = new
  }

  private static func parse(
    _ source: SourceText, for definition: PeripheralDefinition
  ) throws(CommandError) -> [Int: Value] {
    switch KeptSettings.parse(source, for: definition) {
    case .success(let values): return values
    case .failure(let mistakes):
      Terminal.printError(mistakes.report)
      throw .badState(path: source.name, problem: "these are no settings for \(definition.name)")
    }
  }

  private static func lock(_ path: String) throws(CommandError) -> FileDescriptor {
    while true {
      let file = try open(path)
      guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else { throw .stateInUse(path: path) }
      // Meanwhile another run may have put a new file in its place, and ended.
      if FileSystem.isSame(file, path) { return file }
    }
  }

  private static func open(_ path: String) throws(CommandError) -> FileDescriptor {
    if FileSystem.exists(path), !FileSystem.isFile(path) {
      throw .badState(path: path, problem: "'\(path)' is not a file")
    }
    let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o666)
    guard file >= 0 else { throw .unwritable(path: path, reason: String(cString: strerror(errno))) }
    return FileDescriptor(owning: file)
  }
}
