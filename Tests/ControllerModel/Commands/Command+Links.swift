import Bluetooth

// Vol 4 Part E 7.1, 7.5 and 7.8
extension Command {
  static let links: [UInt16: Self] = [
    // Disconnect
    0x0406: Self(0, 5, length: 3, .status) { controller, parameters throws(HCIError) in
      let (handle, reason) = (try controller.link(&parameters), HCIError(rawValue: try parameters.byte()))
      guard [0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B].contains(reason.rawValue) else {
        throw .invalidParameters
      }
      guard controller.state.links[handle]?.isEnding == false else { throw .commandDisallowed }
      controller.state.links[handle]?.isEnding = true
      controller.state.links[handle]?.queue.append(.terminate(reason))
      return []
    },
    // Read Remote Version Information
    0x041D: Self(2, 7, length: 2, .status) { controller, parameters throws(HCIError) in
      let handle = try controller.link(&parameters)
      if let version = controller.state.links[handle]?.version {
        controller.emit(0x0C, [0x00] + handle.littleEndianBytes + version)
      } else {
        controller.begin(.version, on: handle)
      }
      return []
    },
    // Read RSSI
    0x1405: Self(15, 5, length: 2, .completeWithHandle) { controller, parameters throws(HCIError) in
      let handle = try controller.link(&parameters)
      return handle.littleEndianBytes + [UInt8(bitPattern: controller.state.links[handle]?.rssi ?? 127)]
    },
    // LE Set Host Channel Classification
    0x2014: Self(27, 3, length: 5) { _, parameters throws(HCIError) in
      let channels = try parameters.wide(5)
      guard channels.nonzeroBitCount >= 1, channels >> 37 == 0 else { throw .invalidParameters }
      return []
    },
    // LE Read Channel Map: all 37
    0x2015: Self(27, 4, length: 2, .completeWithHandle) { controller, parameters throws(HCIError) in
      try controller.link(&parameters).littleEndianBytes + [0xFF, 0xFF, 0xFF, 0xFF, 0x1F]
    },
    // LE Read Remote Features
    0x2016: Self(27, 5, length: 2, .status) { controller, parameters throws(HCIError) in
      let handle = try controller.link(&parameters)
      let isPeripheral = controller.state.links[handle]?.role == .peripheral
      guard !isPeripheral || controller.traits.features.contains(.peripheralInitiatedFeatures) else {
        throw .commandDisallowed
      }
      controller.begin(.features, on: handle)
      return []
    },
  ]
}

extension Controller {
  /// The handle of a link.
  func link(_ parameters: inout Parameters) throws(HCIError) -> UInt16 {
    let handle = try parameters.number(0...0x0EFF)
    guard state.links[handle] != nil else { throw .unknownConnectionIdentifier }
    return handle
  }
}
