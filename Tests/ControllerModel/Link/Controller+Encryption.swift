import Bluetooth

// The Encryption Start procedure (Vol 6 Part B 5.1.3.1)
extension Controller {
  /// The peripheral asks its host for the key: LE Long Term Key Request (Vol 4 Part E 7.7.65.5).
  mutating func receiveEncryptionRequest(_ random: [UInt8], _ diversifier: UInt16, on handle: UInt16) {
    guard traits.features.contains(.encryption) else {
      state.links[handle]?.queue.append(.reject(.unsupportedRemoteFeature))
      return
    }
    state.links[handle]?.queue.append(.encryptionResponse)
    state.links[handle]?.start = .awaitsKey
    guard wants(0x05) else { return answerKeyRequest(nil, on: handle) }
    emitLowEnergy(0x05, handle.littleEndianBytes + random + diversifier.littleEndianBytes)
  }

  /// The host has the key, or has none. A link that was encrypted ends without a key (5.1.3.2).
  mutating func answerKeyRequest(_ key: [UInt8]?, on handle: UInt16) {
    guard let end = state.links[handle] else { return }
    if let key {
      state.links[handle]?.start = .awaitsResponse(key: key)
      state.links[handle]?.queue.append(.startRequest)
    } else {
      state.links[handle]?.start = .none
      state.links[handle]?.queue.append(end.key == nil ? .reject(.keyMissing) : .terminate(.keyMissing))
    }
  }

  /// The central answers with its first encrypted packet.
  mutating func receiveStartRequest(on handle: UInt16) {
    guard case .encryption(_, _, let key) = state.links[handle]?.procedure else { return }
    state.links[handle]?.queue.append(.startResponse(key: key))
  }

  /// A peripheral that cannot decrypt the packet leaves without a word (Vol 6 Part E 1); the central notices by its supervision
  /// timeout.
  mutating func receiveStartResponse(_ key: [UInt8], on handle: UInt16) {
    guard let end = state.links[handle] else { return }
    switch end.role {
    case .central:
      state.links[handle]?.holdsData = false
      useKey(key, on: handle)
      finish(handle)
    case .peripheral:
      guard case .awaitsResponse(key) = end.start else { return close(handle, .micFailure) }
      state.links[handle]?.start = .none
      state.links[handle]?.queue.append(.startResponse(key: key))
      useKey(key, on: handle)
    }
  }

  /// Encryption Change, or Encryption Key Refresh Complete (Vol 4 Part E 7.7.8, 7.7.39).
  private mutating func useKey(_ key: [UInt8], on handle: UInt16) {
    let isRefresh = state.links[handle]?.key != nil
    state.links[handle]?.key = key
    let head = [0x00] + handle.littleEndianBytes
    if isRefresh { emit(0x30, head) } else { emit(0x08, head + [1]) }
  }
}
