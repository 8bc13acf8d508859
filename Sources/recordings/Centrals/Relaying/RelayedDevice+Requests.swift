import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import GATTClient

extension RelayedDevice {
  private typealias Failure = GATTClientError

  /// Lets the device answer, and pairs with it once on each link if it refuses for want of security.
  func answer(_ event: Event) async -> Response {
    do throws(Failure) {
      return try await ask(event)
    } catch {
      guard error.isForWantOfSecurity, await pairs() else { return refusal(error) }
    }
    do throws(Failure) { return try await ask(event) } catch { return refusal(error) }
  }

  /// - Returns: whether it is worth asking again.
  private func pairs() async -> Bool {
    guard pairing != .never, !hasPaired, let conversation else { return false }
    hasPaired = true
    passHeld()
    let failure = await pairing.pair(conversation, askPasskey: nil)
    if let failure { host?.warn("the device did not pair: \(failure)") }
    return conversation.link.security.isEncrypted
  }

  private func refusal(_ error: Failure) -> Response {
    switch error {
    case .refused(let error, _, _): return .refused(error)
    case .disconnected: break  // which is said once
    default: host?.warn("the device: \(error)")
    }
    return .refused(.unlikelyError)
  }

  private func ask(_ event: Event) async throws(Failure) -> Response {
    guard let client = conversation?.client, let map else { return .refused(.unlikelyError) }
    switch event {
    case .readRequested(let central, let attribute, let offset):
      guard let handle = map.handles[attribute] else { return .refused(.attributeNotFound) }
      if offset > 0, let read = reads[central], read.attribute == attribute, offset <= read.value.count {
        return .value(Array(read.value[offset...]))
      }
      let value = try await read(handle, from: offset, client)
      if offset == 0 { reads[central] = (attribute, value) }
      return .value(value)
    case .writeRequested(let central, let attribute, let value, let offset, let kind):
      guard let handle = map.handles[attribute] else { return .refused(.attributeNotFound) }
      reads[central] = nil
      try await write(value, to: handle, at: offset, kind, client)
      return .accepted
    case .configuring(let central, let characteristic, _, _, let new, _):
      return try await configure(characteristic, new, by: central, client)
    case .subscribed(let central, let characteristic, let delivery):
      return try await configure(characteristic, delivery, by: central, client)
    case .unsubscribed(let central, let characteristic):
      reads[central] = nil
      return try await configure(characteristic, nil, by: central, client)
    default: return .accepted
    }
  }

  /// Reads a value from an offset to its end, or to the part that the device refuses.
  private func read(
    _ handle: AttributeHandle, from offset: Int, _ client: GATTClient
  ) async throws(Failure) -> [UInt8] {
    try await client.perform(
      .read(
        handle, from: offset, upTo: CharacteristicDefinition.maximumValueSize, mtu: { client.mtu },
        endingAt: { $0.refusal != nil }))
  }

  /// Writes as the central has. What does not fit into a PDU of the device's link goes as a long write.
  private func write(
    _ value: [UInt8], to handle: AttributeHandle, at offset: Int, _ kind: WriteKind?, _ client: GATTClient
  ) async throws(Failure) {
    let fits = offset == 0 && value.count <= client.longestWrite
    switch kind {
    case .command where fits: try await client.writeCommand(value, to: handle)
    case .request where fits, nil where fits:
      try await client.write(value, to: handle)
    default: try await client.writeLong(value, to: handle, at: offset)
    }
  }

  /// Subscribes for the first central, as that has, and unsubscribes after the last one.
  private func configure(
    _ characteristic: Int, _ delivery: Delivery?, by central: Central?, _ client: GATTClient
  ) async throws(Failure) -> Response {
    let present = subscribers[characteristic] ?? []
    let new = delivery == nil ? present.subtracting([central]) : present.union([central])
    if present.isEmpty != new.isEmpty {
      guard let handle = map?.characteristics[characteristic]?.configuration else {
        return .refused(.attributeNotFound)
      }
      try await client.write(ClientConfiguration(delivery).bytes, to: handle)
    }
    subscribers[characteristic] = new
    return .accepted
  }
}
