import BlueZLimits
import TestSupport

@testable import Definitions
@testable import DeviceModel

/// A definition that comes with the program.
struct BundledDefinition: CustomStringConvertible {
  let group: String
  /// The name of its folder in that of the group.
  let name: String
  let file: String

  var folder: String { "\(Self.library)/\(group)/\(name)" }
  var path: String { "\(folder)/\(file)" }
  var description: String { "\(name)/\(file)" }

  static let library = Repository.peripherals

  /// Every YAML file of every folder of every group.
  static let all: [BundledDefinition] = folders.flatMap { group, name in
    Repository.names(in: "\(library)/\(group)/\(name)").filter { $0.hasSuffix(".yaml") }.map {
      BundledDefinition(group: group, name: name, file: $0)
    }
  }

  private static let folders: [(group: String, name: String)] = Repository.names(in: library).flatMap {
    group in
    Repository.names(in: "\(library)/\(group)").map { (group, $0) }
  }

  func load() throws -> LoadedDefinition {
    try DefinitionLoader.load(path: path, bundled: DiskLibrary(folder: Self.library), for: [BlueZLimits()])
  }
}
