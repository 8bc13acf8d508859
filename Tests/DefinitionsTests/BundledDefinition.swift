import BlueZLimits
import TestSupport

@testable import Definitions
@testable import DeviceModel

/// A definition that comes with the program.
struct BundledDefinition: CustomStringConvertible {
  let folder: String
  let file: String

  var path: String { "\(Self.library)/\(folder)/\(file)" }
  var description: String { "\(folder)/\(file)" }

  static let library = Repository.peripherals

  /// Every YAML file of every folder of the library.
  static let all: [BundledDefinition] = Repository.names(in: library).flatMap { folder in
    Repository.names(in: "\(library)/\(folder)").filter { $0.hasSuffix(".yaml") }.map {
      BundledDefinition(folder: folder, file: $0)
    }
  }

  func load() throws -> LoadedDefinition {
    try DefinitionLoader.load(path: path, bundled: DiskLibrary(folder: Self.library), for: [BlueZLimits()])
  }
}
