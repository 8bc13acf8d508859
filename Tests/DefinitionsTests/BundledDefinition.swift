import Glibc

@testable import Definitions

/// A definition that comes with the program.
struct BundledDefinition: CustomStringConvertible {
  let folder: String
  let file: String

  var path: String { "\(Self.library)/\(folder)/\(file)" }
  var description: String { "\(folder)/\(file)" }

  /// The folder that this file's `Tests` are in, up to its last slash.
  static let repository = String(#filePath.dropLast("Tests/DefinitionsTests/BundledDefinition.swift".count))

  static let library = repository + "Peripherals"

  /// Every YAML file of every folder of the library.
  static let all: [BundledDefinition] = entries(of: library).flatMap { folder in
    entries(of: "\(library)/\(folder)").filter { $0.hasSuffix(".yaml") }.map {
      BundledDefinition(folder: folder, file: $0)
    }
  }

  func load() throws -> LoadedDefinition {
    try DefinitionLoader.load(path: path, bundled: DiskLibrary(folder: Self.library))
  }
}

/// The definition of this name, which is known to be good.
func bundled(_ name: String) throws -> PeripheralDefinition {
  try BundledDefinition(folder: name, file: "\(name).yaml").load().definition!
}

/// The names in a folder, in order; none where there is no folder.
private func entries(of path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names.sorted()
}
