import Definitions
import DeviceModel

/// The definitions that several devices have, by file and transport: each is read once, and is in memory once.
final class KeptDefinitions {
  private struct Key: Hashable {
    let path: String
    /// The type of the transport's limits.
    let limits: ObjectIdentifier

    init(_ path: String, _ limits: any TransportLimits) {
      (self.path, self.limits) = (path, ObjectIdentifier(type(of: limits)))
    }
  }

  private var definitions: [Key: LoadedDefinition] = [:]

  func definition(in path: String, for limits: any TransportLimits) -> LoadedDefinition? {
    definitions[Key(path, limits)]
  }

  func keep(_ definition: LoadedDefinition, of path: String, for limits: any TransportLimits) {
    definitions[Key(path, limits)] = definition
  }
}

extension DefinitionLibrary {
  /// The same library, which reads each definition once.
  var keepingDefinitions: DefinitionLibrary {
    var library = self
    library.kept = KeptDefinitions()
    return library
  }
}
