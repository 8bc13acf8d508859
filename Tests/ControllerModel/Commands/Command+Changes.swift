import Bluetooth

// Parameters, lengths and PHYs of links (Vol 4 Part E 7.8.18, 7.8.31 to 7.8.35, 7.8.47 to 7.8.49)
extension Command {
  static let changes: [UInt16: Self] = [
    // LE Connection Update
    0x2013: Self(27, 2, length: 14, .status) { controller, parameters throws(HCIError) in
      let handle = try controller.link(&parameters)
      try controller.update(handle, try parameters.preferredParameters())
      return []
    },
    // LE Remote Connection Parameter Request Reply
    0x2020: Self(33, 4, length: 14, .completeWithHandle, needs: .connectionParametersRequest) {
      controller, parameters throws(HCIError) in
      let handle = try controller.link(&parameters)
      let wanted = try parameters.preferredParameters()
      let isCentral = controller.state.links[handle]?.role == .central
      return try controller.answerParameterRequest(
        handle, isCentral ? .parameterUpdate(wanted.chosen) : .parameterResponse(wanted.chosen))
    },
    // LE Remote Connection Parameter Request Negative Reply
    0x2021: Self(33, 5, length: 3, .completeWithHandle, needs: .connectionParametersRequest) {
      controller, parameters throws(HCIError) in
      let handle = try controller.link(&parameters)
      let reason = HCIError(rawValue: try parameters.byte(1...0xFF))
      return try controller.answerParameterRequest(handle, .reject(reason))
    },
    // LE Set Data Length
    0x2022: Self(33, 6, length: 6, .completeWithHandle, needs: .dataLengthExtension) {
      controller, parameters throws(HCIError) in
      let handle = try controller.link(&parameters)
      let (octets, time) = try parameters.dataLength()
      let possible = controller.possibleOctets(octets, time)
      controller.state.links[handle]?.wantedOctets = possible
      controller.begin(.dataLength, on: handle)
      return handle.littleEndianBytes
    },
    // LE Write Suggested Default Data Length
    0x2024: Self(34, 0, length: 4, needs: .dataLengthExtension) { controller, parameters throws(HCIError) in
      let (octets, time) = try parameters.dataLength()
      controller.state.suggestedOctets = octets
      controller.state.suggestedTime = time
      return []
    },
    // LE Read PHY
    0x2030: Self(35, 4, length: 2, .completeWithHandle, needs: .phy2M) {
      controller, parameters throws(HCIError) in
      let handle = try controller.link(&parameters)
      let phys = controller.state.links[handle]?.phys ?? Directions(sent: 1, received: 1)
      return handle.littleEndianBytes + [phys.sent, phys.received]
    },
    // LE Set Default PHY
    0x2031: Self(35, 5, length: 3, needs: .phy2M) { controller, parameters throws(HCIError) in
      controller.state.defaultPHYs = try controller.phys(&parameters)
      return []
    },
    // LE Set PHY
    0x2032: Self(35, 6, length: 7, .status, needs: .phy2M) { controller, parameters throws(HCIError) in
      let handle = try controller.link(&parameters)
      let phys = try controller.phys(&parameters)
      _ = try parameters.number(0...2)
      controller.begin(.phys(phys), on: handle)
      return []
    },
  ]
}

extension Controller {
  /// The central decides, or asks first; the peripheral asks it.
  fileprivate mutating func update(
    _ handle: UInt16, _ wanted: PreferredConnectionParameters
  ) throws(HCIError) {
    guard state.links[handle]?.role == .peripheral || traits.asksPeripherals else {
      return begin(.update(wanted.chosen), on: handle)
    }
    guard traits.features.contains(.connectionParametersRequest) else { throw .unsupportedFeature }
    begin(.parameters(wanted), on: handle)
  }

  fileprivate mutating func answerParameterRequest(
    _ handle: UInt16, _ answer: LinkPDU
  ) throws(HCIError) -> [UInt8] {
    guard state.links[handle]?.awaitsParameters == true else { throw .commandDisallowed }
    state.links[handle]?.awaitsParameters = false
    state.links[handle]?.queue.append(answer)
    return handle.littleEndianBytes
  }

  /// Bytes that the air takes in so many microseconds, at most as many as the controller can send.
  func possibleOctets(_ octets: UInt16, _ time: UInt16) -> UInt16 {
    max(27, min(octets, traits.packetOctets, time / 8 - 14))
  }

  /// Which directions have no preference, and the PHYs of each.
  fileprivate func phys(_ parameters: inout Parameters) throws(HCIError) -> Directions<UInt8> {
    let free = try parameters.byte(0...3)
    let directions = [try parameters.byte(), try parameters.byte()]
    var chosen: [UInt8] = []
    for (index, bits) in directions.enumerated() {
      let isFree = free >> UInt8(index) & 1 == 1
      guard isFree || bits != 0 else { throw .invalidParameters }
      guard isFree || bits & ~traits.features.phys == 0 else { throw .unsupportedFeature }
      chosen.append(isFree ? traits.features.phys : bits)
    }
    return Directions(sent: chosen[0], received: chosen[1])
  }
}

extension Parameters {
  /// Bytes and microseconds of a packet.
  fileprivate mutating func dataLength() throws(HCIError) -> (octets: UInt16, time: UInt16) {
    (try number(0x001B...0x00FB), try number(0x0148...0x4290))
  }
}
