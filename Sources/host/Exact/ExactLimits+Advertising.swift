import Bluetooth
import DeviceModel

extension Advertisement {
  /// The keys of a definition that need extended advertising.
  package var extendedKeys: [String] {
    let keys = [
      ("channels", channels != .all), ("directed", target != nil), ("phy", phy != nil),
      ("sets", !furtherSets.isEmpty),
    ]
    return keys.filter(\.1).map(\.0)
  }
}

// What a controller cannot advertise (Core Specification, Vol 4 Part E 7.8.53 to 7.8.56).
extension ExactLimits {
  /// A part of an advertisement that cannot be sent.
  struct AdvertisingProblem: CustomStringConvertible {
    enum Kind {
      case overflow(ExactLayout.Overflow)
      /// A central would connect to the set's address, which is not the device's.
      case connectableAddress
      /// A scannable set of extended advertising has nothing else.
      case noScanResponse
    }

    var kind: Kind
    /// The name of the further set, and its index; nil: it is the main one.
    var set: (index: Int, name: String)?
  }

  /// The first problem of the main set, or else of the further ones.
  func advertisingProblem(with advertisement: Advertisement) -> AdvertisingProblem? {
    if let kind = problem(ofSet: advertisement) { return AdvertisingProblem(kind: kind) }
    for (index, set) in advertisement.furtherSets.enumerated() {
      if let kind = problem(ofSet: set) { return AdvertisingProblem(kind: kind, set: (index, set.name)) }
    }
    return nil
  }

  private func problem(ofSet set: Advertisement) -> AdvertisingProblem.Kind? {
    let layout = ExactLayout(set)
    if let overflow = layout.overflow { return .overflow(overflow) }
    if set.isConnectable, !set.name.isEmpty, set.addressScheme != nil { return .connectableAddress }
    let isScannable = set.phy != nil && !set.isConnectable && set.isScannable == true
    return isScannable && layout.packets.scanResponseFields.isEmpty ? .noScanResponse : nil
  }
}

extension ExactLimits.AdvertisingProblem {
  var description: String { (set.map { "set '\($0.name)': " } ?? "") + message }

  private var message: String {
    switch kind {
    case .overflow(let overflow): overflow.description
    case .connectableAddress: "a set with an address of its own cannot be connectable"
    case .noScanResponse: "a scannable advertisement on a 'phy' needs something in its scan response"
    }
  }

  fileprivate func finding(_ circumstance: String) -> Finding {
    Finding(.error, circumstance + description, at: place, hint: hint, notes: notes)
  }

  private var place: DefinitionPlace {
    let key =
      switch kind {
      case .overflow(let overflow) where overflow.largest.content == .bytes: "packets"
      case .overflow(let overflow): overflow.largest.content.rawValue
      case .connectableAddress: "address"
      case .noScanResponse: "type"
      }
    return set.map { .advertisingSet($0.index, key: key) } ?? .advertisement(key: key)
  }

  private var hint: String? {
    switch kind {
    case .overflow: nil
    case .connectableAddress: "leave out 'address': then the set has the device's"
    case .noScanResponse: "give it a 'local-name' or data, or choose 'type: broadcast'"
    }
  }

  private var notes: [String] {
    guard case .overflow(let overflow) = kind else { return [] }
    return PacketDrawing(overflow.fields, capacity: overflow.capacity).lines
  }
}

extension ExactLimits {
  /// With the initial settings, and then with other values of the settings that the advertisement depends on: the first
  /// case with a problem is enough.
  func advertisingFindings(_ definition: PeripheralDefinition) -> [Finding] {
    let cases = [ValueCase(context: definition.initialContext)] + definition.advertisingCases
    for advertised in cases {
      guard let advertisement = try? definition.advertised(in: advertised.context) else { return [] }
      if let problem = advertisingProblem(with: advertisement) {
        return [problem.finding(advertised.circumstance)]
      }
    }
    return []
  }
}
