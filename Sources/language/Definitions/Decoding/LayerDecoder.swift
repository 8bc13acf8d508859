import DeviceModel

/// Reads the layers of a device.
struct LayerDecoder {
  /// The device with its characteristics, its channels and what it looks for.
  let device: PeripheralDefinition
  let log: DiagnosticLog

  func layers(_ names: [Scalar]) -> [LayerDefinition] {
    let places = Set(
      device.characteristics.map(\.id) + device.channels.map(\.id) + device.sought.map(\.id) + Self.words)
    var known: Set<String> = []
    for name in names {
      if !Identifier.isValid(name.text) {
        log.error(.notName(name.text), at: name.range)
      } else if places.contains(name.text) {
        log.error(.layerOfOther(name.text, isWord: Self.words.contains(name.text)), at: name.range)
      } else if !known.insert(name.text).inserted {
        log.error(.second(name.text), at: name.range)
      }
    }
    return names.map { LayerDefinition(name: $0.text) }
  }

  /// The places that every device has.
  private static let words = ["wire", "origin", "central"]
}

/// The layers into which rules send and hand bytes, with the place of each in the file.
struct LayerUses {
  private(set) var sent: [(layer: Int, rule: [Rule.Trigger], range: SourceRange)] = []
  private(set) var received: [(layer: Int, range: SourceRange)] = []

  /// A rule with these triggers sends to a destination.
  mutating func send(to destination: Rule.Destination, _ triggers: [Rule.Trigger], at range: SourceRange) {
    let places = destination == .origin ? triggers.compactMap(\.endpoint) : destination.endpoints
    for case .layer(let layer) in places { sent.append((layer, triggers, range)) }
  }

  /// A rule with these triggers hands bytes to a place; nil: to that of its event.
  mutating func receive(at place: Rule.Endpoint?, _ triggers: [Rule.Trigger], at range: SourceRange) {
    for case .layer(let layer) in place.map({ [$0] }) ?? triggers.compactMap(\.endpoint) {
      received.append((layer, range))
    }
  }
}

extension Rule.Destination {
  fileprivate var endpoints: [Rule.Endpoint] {
    if case .endpoint(let endpoint) = self { [endpoint] } else { [] }
  }
}

/// Checks that what goes into a layer comes out of it.
struct LayerChecker {
  let layers: [LayerDefinition]
  let rules: [Rule]
  let uses: LayerUses
  let log: DiagnosticLog

  /// - Parameter names: the layers in the file.
  func check(_ names: [Scalar]) {
    let triggers = rules.flatMap(\.triggers)
    let senders = Set(triggers.compactMap { if case .sent(_, let layer) = $0 { layer } else { nil } })
    let receivers = Set(
      triggers.compactMap { if case .received(_, .layer(let layer)) = $0 { layer } else { nil } })
    for use in uses.sent where !senders.contains(use.layer) {
      log.error(.unsentLayer(layers[use.layer].name), at: use.range)
    }
    for use in uses.received where !receivers.contains(use.layer) {
      log.error(.unheardLayer(layers[use.layer].name), at: use.range)
    }
    checkLoops()
    guard !log.hasErrors else { return }
    let (filled, used) = (Set(uses.received.map(\.layer)), Set(uses.sent.map(\.layer)))
    for (index, name) in names.enumerated() {
      let (hears, sends) = (receivers.contains(index), senders.contains(index))
      if hears, !filled.contains(index) {
        log.warn(.unfilledLayer(name.text), at: name.range)
      } else if sends, !used.contains(index) {
        log.warn(.unusedLayerRule(name.text), at: name.range)
      } else if !hears, !sends {
        log.warn(.unusedLayer(name.text), at: name.range)
      }
    }
  }

  /// What goes out of a layer never comes into it again.
  private func checkLoops() {
    var ways: [Int: Set<Int>] = [:]
    for use in uses.sent {
      for case .sent(_, let from) in use.rule {
        guard let path = path(from: use.layer, to: from, ways) else {
          ways[from, default: []].insert(use.layer)
          continue
        }
        log.error(.layerLoop(([from] + path).map { layers[$0].name }), at: use.range)
      }
    }
  }

  /// The layers through which something goes on from one to another; nil: there is no such way.
  private func path(from start: Int, to end: Int, _ ways: [Int: Set<Int>]) -> [Int]? {
    if start == end { return [end] }
    for next in (ways[start] ?? []).sorted() {
      if let rest = path(from: next, to: end, ways) { return [start] + rest }
    }
    return nil
  }
}
