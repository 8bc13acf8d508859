import Bluetooth

// The filter accept list (Vol 4 Part E 7.8.14 to 7.8.17) and the resolving list (7.8.38 to 7.8.45, 7.8.77)
extension Command {
  static let lists: [UInt16: Self] = [
    // LE Read Filter Accept List Size
    0x200F: Self(26, 6) { controller, _ in [UInt8(controller.traits.acceptListSize)] },
    // LE Clear Filter Accept List
    0x2010: Self(26, 7) { controller, _ throws(HCIError) in
      try controller.changeAcceptList { list throws(HCIError) in list = [] }
    },
    // LE Add Device To Filter Accept List
    0x2011: Self(27, 0, length: 7) { controller, parameters throws(HCIError) in
      let (device, size) = (try parameters.linkAddress(), controller.traits.acceptListSize)
      return try controller.changeAcceptList { list throws(HCIError) in
        guard list.contains(device) || list.count < size else { throw .memoryCapacityExceeded }
        list.insert(device)
      }
    },
    // LE Remove Device From Filter Accept List
    0x2012: Self(27, 1, length: 7) { controller, parameters throws(HCIError) in
      let device = try parameters.linkAddress()
      return try controller.changeAcceptList { list throws(HCIError) in
        guard list.remove(device) != nil else { throw .invalidParameters }
      }
    },
    // LE Add Device To Resolving List
    0x2027: privacy(34, 3, length: 39) { controller, parameters throws(HCIError) in
      let (entry, size) = (try ResolvingEntry(&parameters), controller.traits.resolvingListSize)
      return try controller.changeResolvingList { list throws(HCIError) in
        guard list.count < size else { throw .memoryCapacityExceeded }
        guard !list.contains(where: { $0.peer == entry.peer }) else { throw .invalidParameters }
        list.append(entry)
      }
    },
    // LE Remove Device From Resolving List
    0x2028: privacy(34, 4, length: 7) { controller, parameters throws(HCIError) in
      let peer = try parameters.linkAddress()
      return try controller.changeResolvingList { list throws(HCIError) in
        guard let index = list.firstIndex(where: { $0.peer == peer }) else {
          throw .unknownConnectionIdentifier
        }
        list.remove(at: index)
      }
    },
    // LE Clear Resolving List
    0x2029: privacy(34, 5, length: 0) { controller, _ throws(HCIError) in
      try controller.changeResolvingList { list throws(HCIError) in list = [] }
    },
    // LE Read Resolving List Size
    0x202A: privacy(34, 6, length: 0) { controller, _ in [UInt8(controller.traits.resolvingListSize)] },
    // LE Set Address Resolution Enable
    0x202D: privacy(35, 1, length: 1) { controller, parameters throws(HCIError) in
      let isEnabled = try parameters.flag()
      guard !controller.isOnAir else { throw .commandDisallowed }
      controller.state.resolvesAddresses = isEnabled
      return []
    },
    // LE Set Resolvable Private Address Timeout, in seconds
    0x202E: privacy(35, 2, length: 2) { _, parameters throws(HCIError) in
      _ = try parameters.number(1...0x0E10)
      return []
    },
    // LE Set Privacy Mode
    0x204E: privacy(39, 2, length: 8) { controller, parameters throws(HCIError) in
      let peer = try parameters.linkAddress()
      _ = try parameters.flag()
      guard controller.state.resolvingList.contains(where: { $0.peer == peer }) else {
        throw .unknownConnectionIdentifier
      }
      return []
    },
  ]

  private static func privacy(_ octet: Int, _ bit: Int, length: Int, _ action: @escaping Action) -> Self {
    Self(octet, bit, length: length, needs: .privacy, action)
  }
}

/// A bond of which the controller knows the keys, the least significant byte first.
struct ResolvingEntry: Sendable {
  var peer: LinkAddress
  var peerKey: [UInt8]
  var localKey: [UInt8]

  init(_ parameters: inout Parameters) throws(HCIError) {
    peer = try parameters.linkAddress()
    (peerKey, localKey) = (try parameters.bytes(16), try parameters.bytes(16))
  }
}

extension Controller {
  fileprivate typealias Change<List> = (inout List) throws(HCIError) -> Void

  /// The accept list may not change while something uses it (7.8.15).
  fileprivate mutating func changeAcceptList(_ change: Change<Set<LinkAddress>>) throws(HCIError) -> [UInt8] {
    let advertises = state.advertisers.values.contains { $0.activity != nil && $0.filterPolicy != 0 }
    let scans = state.scanner.activity != nil && state.scanner.filterPolicy & 1 == 1
    var initiates = false
    if case .acceptList = state.initiator?.target { initiates = true }
    guard !advertises, !scans, !initiates else { throw .commandDisallowed }
    try change(&state.acceptList)
    return []
  }

  /// The resolving list may not change while it is in use and the controller advertises, scans or initiates (7.8.38).
  fileprivate mutating func changeResolvingList(_ change: Change<[ResolvingEntry]>) throws(HCIError)
    -> [UInt8]
  {
    guard !state.resolvesAddresses || !isOnAir else { throw .commandDisallowed }
    try change(&state.resolvingList)
    return []
  }

  fileprivate var isOnAir: Bool {
    state.advertisers.values.contains { $0.activity != nil } || state.scanner.activity != nil
      || state.initiator != nil
  }
}
