extension Stand {
  init(_ node: Node<Language.Stand>) {
    name = node.name?.text ?? ""
    devices = node.devices.compactMap { Device($0.key, $0.value) }
  }
}

extension Stand.Device {
  /// nil: it has no definition, which has been reported.
  fileprivate init?(_ name: Scalar, _ node: Node<Language.StandDevice>) {
    guard let definition = node.definition else { return nil }
    (self.name, self.definition, place) = (name, definition, node.transport)
    settings = node.settings.map { Stand.Setting(name: $0.key, value: $0.value) }
    seed = node.seed.map { UInt64($0.value) }
    (state, faults) = (node.state, node.faults)
    wire = node.wire.flatMap { Stand.Wire($0) }
    restart = node.restart.flatMap { Stand.Restart(rawValue: $0.text) } ?? .never
  }
}

extension Stand.Wire {
  fileprivate init?(_ node: Node<Language.StandWire>) {
    if let path = node.terminal {
      self = .terminal(path)
    } else if let place = node.port {
      self = .port(place)
    } else if let device = node.serial {
      self = .serial(device)
    } else if !node.program.isEmpty {
      self = .program(node.program, restart: node.restart)
    } else {
      return nil
    }
  }

  /// The place of its first value.
  package var range: SourceRange {
    switch self {
    case .terminal(let text), .port(let text), .serial(let text): text.range
    case .program(let words, _): words[0].range
    }
  }
}
