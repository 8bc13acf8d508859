import Bluetooth

extension Controller {
  /// Takes a packet of the peer.
  mutating func receive(_ pdu: LinkPDU, on handle: UInt16) {
    switch pdu {
    case .data(let bytes, let isStart, _): deliver(bytes, isStart: isStart, on: handle)
    case .version(let version): receiveVersion(version, on: handle)
    case .featureRequest(let features): receiveFeatureRequest(features, on: handle)
    case .featureResponse(let features):
      state.links[handle]?.features = features
      emitLowEnergy(0x04, [0x00] + handle.littleEndianBytes + features.bytes)
      finish(handle)
    case .lengthRequest(let limits): receiveLengthRequest(limits, on: handle)
    case .lengthResponse(let limits):
      use(limits, on: handle)
      finish(handle)
    case .parameterRequest(let wanted): receiveParameterRequest(wanted, on: handle)
    case .parameterResponse(let parameters):
      guard case .parameters = state.links[handle]?.procedure else { return }
      state.links[handle]?.procedure = .update(parameters)
      state.links[handle]?.deadline = nil
      send(.parameterUpdate(parameters), on: handle)
    case .phyRequest(let phys): receivePHYs(phys, isRequest: true, on: handle)
    case .phyResponse(let phys): receivePHYs(phys, isRequest: false, on: handle)
    // Both take effect at their instant.
    case .parameterUpdate, .phyUpdate: state.links[handle]?.deadline = nil
    case .encryptionRequest(let random, let diversifier):
      receiveEncryptionRequest(random, diversifier, on: handle)
    case .encryptionResponse: break
    case .startRequest: receiveStartRequest(on: handle)
    case .startResponse(let key): receiveStartResponse(key, on: handle)
    case .reject(let reason): fail(reason, on: handle)
    case .terminate(let reason): close(handle, reason)
    }
  }

  /// Notes that a packet of this side has arrived.
  mutating func sent(_ pdu: LinkPDU, on handle: UInt16) {
    switch pdu {
    case .data(_, _, isLast: true):
      state.links[handle]?.heldPacketCount -= 1
      state.links[handle]?.completedPacketCount += 1
    case .terminate(let reason): close(handle, reason == .keyMissing ? reason : .localHost)
    default: break
    }
  }

  mutating func send(_ pdu: LinkPDU, on handle: UInt16) { state.links[handle]?.queue.append(pdu) }

  private mutating func receiveVersion(_ version: [UInt8], on handle: UInt16) {
    state.links[handle]?.version = version
    let own = ownVersion
    state.links[handle]?.sendVersion(own)
    guard case .version = state.links[handle]?.procedure else { return }
    emit(0x0C, [0x00] + handle.littleEndianBytes + version)
    finish(handle)
  }

  /// A central without the feature does not know a request of the peripheral.
  private mutating func receiveFeatureRequest(_ features: ControllerTraits.Features, on handle: UInt16) {
    let isCentral = state.links[handle]?.role == .central
    guard !isCentral || traits.features.contains(.peripheralInitiatedFeatures) else {
      return send(.reject(.unsupportedRemoteFeature), on: handle)
    }
    state.links[handle]?.features = features
    send(.featureResponse(traits.features), on: handle)
  }

  private mutating func receiveLengthRequest(_ limits: LengthLimits, on handle: UInt16) {
    guard traits.features.contains(.dataLengthExtension), let end = state.links[handle] else {
      return send(.reject(.unsupportedRemoteFeature), on: handle)
    }
    send(.lengthResponse(lengthLimits(of: end)), on: handle)
    use(limits, on: handle)
  }

  /// LE Data Length Change (Vol 4 Part E 7.7.65.7), if it is one.
  private mutating func use(_ limits: LengthLimits, on handle: UInt16) {
    guard let end = state.links[handle] else { return }
    let own = lengthLimits(of: end)
    let octets = LengthLimits(sent: min(own.sent, limits.received), received: min(own.received, limits.sent))
    guard octets != end.octets else { return }
    state.links[handle]?.octets = octets
    emitLowEnergy(
      0x07,
      handle.littleEndianBytes
        + [octets.sent, octets.received].flatMap {
          $0.littleEndianBytes + LinkEnd.time($0).littleEndianBytes
        })
  }
}
