import Bluetooth

// Vol 4 Part E 7.3 and 7.8.1
extension Command {
  static let move: UInt16 = 0xFCB1

  static let basics: [UInt16: Self] = [
    // Set Event Mask
    0x0C01: Self(5, 6, length: 8) { controller, parameters throws(HCIError) in
      controller.state.eventMask = try parameters.wide(8)
      return []
    },
    // Reset
    0x0C03: Self(5, 7) { controller, _ in
      controller.reset()
      return []
    },
    // Set Event Mask Page 2: no event of it exists here
    0x0C63: Self(22, 2, length: 8) { _, _ in [] },
    // Write LE Host Support
    0x0C6D: Self(24, 6, length: 2) { _, parameters throws(HCIError) in
      _ = try parameters.flag()
      return []
    },
    // LE Set Event Mask
    0x2001: Self(25, 0, length: 8) { controller, parameters throws(HCIError) in
      controller.state.lowEnergyEventMask = try parameters.wide(8)
      return []
    },
    // LE Encrypt: key and block, the least significant byte first (7.8.22)
    0x2017: Self(27, 6, length: 32) { _, parameters throws(HCIError) in
      let (key, block) = (try parameters.bytes(16), try parameters.bytes(16))
      return Controller.encrypt(block, key: key)
    },
    // Move, of the virtual radio: RSSI, loss, whether it is out of range
    move: Self(ofMakerWith: 3) { controller, parameters throws(HCIError) in
      var path = RadioPath()
      let (rssi, loss) = (Int(Int8(bitPattern: try parameters.byte())), try parameters.byte())
      if rssi != 127 { path.rssi = rssi }
      guard loss < 100 else { throw .invalidParameters }
      path.isInRange = try !parameters.flag()
      controller.state.path = path
      return []
    },
    // LE Rand
    0x2018: Self(27, 7) { controller, _ in controller.random.next() },
  ]
}
