import Definitions
import DeviceModel
import TestSupport

/// A device for inputs: a bundled one, or one that uses the whole language.
struct Subject: Sendable {
  let name: String
  let text: String
  let folder: MemoryFolder
  private let loaded: LoadedDefinition

  /// nil if the definition has mistakes.
  var definition: PeripheralDefinition? { loaded.definition }
  /// The report of the mistakes.
  var report: String { loaded.report }

  static let all: [Subject] =
    library.names.map { name in
      let folder = MemoryFolder(files: files(beside: library.path(of: name)!))
      return Subject(name, folder.files[name + ".yaml"] ?? "", folder)
    } + [everything, layers, protobuf]

  static let everything = Subject(inCorpus: "everything", dataFile: "history.csv")

  /// One in which each of several layers frames or encodes, and messages wait.
  static let layers = Subject(inCorpus: "layers")

  /// One with live values, varints and messages of Protocol Buffers.
  static let protobuf = Subject(inCorpus: "live-and-protobuf")

  /// The device of a file in `Corpus/definition`.
  private init(inCorpus name: String, dataFile: String? = nil) {
    let parts = (Repository.bytes(ofFile: Repository.path + "Tests/Fuzz/Corpus/definition/" + name) ?? [])
      .split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    let files = dataFile.map { [$0: parts[1]] } ?? [:]
    self.init(name, parts[0], MemoryFolder(files: files))
  }

  private static let library = DiskLibrary(folder: Repository.peripherals)

  private init(_ name: String, _ text: String, _ folder: MemoryFolder) {
    self.name = name
    self.text = text
    self.folder = folder
    loaded = DefinitionLoader.load(
      DefinitionFile(name: name + ".yaml", text: text, folder: folder), bundled: Self.library)
  }
}

extension FuzzInput {
  /// Reads the device of an input from its first line: the name of a device, or bytes that select one.
  ///
  /// With a name, an input keeps its meaning when devices are added.
  mutating func subject() -> Subject {
    let line = bytes(upTo: UInt8(ascii: "\n"))
    if let subject = Subject.all.first(where: { $0.name.utf8.elementsEqual(line) }) { return subject }
    let number = line.reduce(UInt(0)) { $0 &* 31 &+ UInt($1) }
    return Subject.all[Int(number % UInt(Subject.all.count))]
  }
}

// MARK: Files

/// The bundled definitions, in memory.
struct MemoryLibrary: BundledDefinitions {
  var names: [String] { Subject.all.map(\.name) }

  func file(named name: String) -> DefinitionFile? {
    Subject.all.first { $0.name == name }.map {
      DefinitionFile(name: $0.name + ".yaml", text: $0.text, folder: $0.folder)
    }
  }
}

private func files(beside path: String) -> [String: String] {
  let folder = String(path[...path.lastIndex(of: "/")!])
  let names = Repository.names(in: folder).filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".csv") }
  let texts = names.map { String(decoding: Repository.bytes(ofFile: folder + $0) ?? [], as: UTF8.self) }
  return Dictionary(uniqueKeysWithValues: zip(names, texts))
}
