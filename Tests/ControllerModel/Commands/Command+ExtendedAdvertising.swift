import Bluetooth

// Vol 4 Part E 7.8.52 to 7.8.60
extension Command {
  static let extendedAdvertising: [UInt16: Self] = [
    // LE Set Advertising Set Random Address
    0x2035: extended(36, 1, length: 7) { controller, parameters throws(HCIError) in
      let handle = try controller.knownSet(&parameters)
      let address = try parameters.address()
      if let set = controller.state.advertisers[handle], set.activity != nil,
        set.properties.contains(.connectable)
      {
        throw .commandDisallowed
      }
      controller.state.advertisers[handle]?.randomAddress = address
      return []
    },
    // LE Set Extended Advertising Parameters
    0x2036: extended(36, 2, length: 25) { controller, parameters throws(HCIError) in
      try controller.setExtendedParameters(&parameters)
    },
    // LE Set Extended Advertising Data
    0x2037: extended(36, 3, length: nil) { controller, parameters throws(HCIError) in
      try controller.setExtendedData(\.data, &parameters)
      return []
    },
    // LE Set Extended Scan Response Data
    0x2038: extended(36, 4, length: nil) { controller, parameters throws(HCIError) in
      try controller.setExtendedData(\.scanResponse, &parameters)
      return []
    },
    // LE Set Extended Advertising Enable
    0x2039: extended(36, 5, length: nil) { controller, parameters throws(HCIError) in
      try controller.enableExtendedAdvertising(&parameters)
      return []
    },
    // LE Remove Advertising Set
    0x203C: extended(37, 0, length: 1) { controller, parameters throws(HCIError) in
      let handle = try controller.knownSet(&parameters)
      guard controller.state.advertisers[handle]?.activity == nil else { throw .commandDisallowed }
      controller.state.advertisers[handle] = nil
      return []
    },
    // LE Clear Advertising Sets
    0x203D: extended(37, 1, length: 0) { controller, _ throws(HCIError) in
      guard controller.state.advertisers.values.allSatisfy({ $0.activity == nil }) else {
        throw .commandDisallowed
      }
      controller.state.advertisers = [:]
      return []
    },
  ]

  private static func extended(_ octet: Int, _ bit: Int, length: Int?, _ action: @escaping Action) -> Self {
    Self(octet, bit, length: length, family: .extended, needs: .extendedAdvertising, action)
  }
}

extension Controller {
  /// The handle of a set that exists.
  func knownSet(_ parameters: inout Parameters) throws(HCIError) -> Int {
    let handle = Int(try parameters.byte(0...0xEF))
    guard state.advertisers[handle] != nil else { throw .unknownAdvertisingIdentifier }
    return handle
  }
}
