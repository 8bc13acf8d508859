extension Command {
  /// Whether this command line may need the capabilities to manage adapters. It is known before any definition is read.
  func needsPrivileges(_ arguments: Arguments) -> Bool {
    switch self {
    case .run:
      let places = arguments.positional.map { (try? PlacedDefinition($0))?.place }
      return ([arguments["--on"]] + places).contains { (try? TransportSpecification($0))?.isExact == true }
    // The stand says so, see UpCommand.
    case .up: return true
    // The central is another adapter of this machine, and pairs as the transcript says.
    case .test: return (try? TransportSpecification(arguments["--on"], default: .loopback)) != .loopback
    default: return false
    }
  }
}

extension TransportSpecification {
  /// Whether it needs the capabilities to manage adapters.
  var isExact: Bool { if case .exact = self { true } else { false } }
}
