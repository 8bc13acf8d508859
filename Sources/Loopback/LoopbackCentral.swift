import Behavior
import Bluetooth
import EventLoop
import Peripheral

/// A central with one link to a ``LoopbackTransport``.
///
/// A request returns when the device has responded. A busy device finishes its current work first.
@EventLoop
package final class LoopbackCentral {
  package let address: DeviceAddress
  /// The link's ATT_MTU, bytes.
  package let mtu: Int
  private(set) var subscriptions: [Int: Delivery] = [:]
  /// The values that have arrived since they were last taken, in order.
  private var received: [(characteristic: Int, value: [UInt8])] = []
  /// Receives each value as it arrives; if nil, ``takeValues(from:)`` returns them later.
  package var onValue: ((_ characteristic: Int, _ value: [UInt8]) -> Void)?
  /// Called when the device has ended the connection.
  package var onDisconnect: (() -> Void)?
  private weak var transport: LoopbackTransport?

  init(_ address: DeviceAddress, mtu: Int, transport: LoopbackTransport) {
    self.address = address
    self.mtu = mtu
    self.transport = transport
  }

  /// Ends the connection. All later requests are refused.
  package func disconnect() {
    transport?.remove(self)
    transport = nil
  }
}

// MARK: Subscriptions

extension LoopbackCentral {
  /// Writes the CCCD of a characteristic.
  ///
  /// - Parameter delivery: nil for notifications if the characteristic supports them, otherwise indications.
  package func subscribe(to characteristic: Int, by delivery: Delivery? = nil) throws(ATTError) {
    guard let transport else { throw .writeNotPermitted }
    guard let definition = transport.definition(with: .characteristic(characteristic)) else {
      throw .attributeNotFound
    }
    let properties = definition.characteristics[characteristic].properties
    guard let delivery = delivery ?? properties.delivery,
      properties.contains(delivery == .notification ? .notify : .indicate)
    else { throw .writeNotPermitted }
    let isNew = subscriptions.updateValue(delivery, forKey: characteristic) == nil
    if isNew { transport.host?.receive(.subscribed(address, characteristic: characteristic, delivery)) }
  }

  package func unsubscribe(from characteristic: Int) {
    guard subscriptions.removeValue(forKey: characteristic) != nil else { return }
    transport?.host?.receive(.unsubscribed(address, characteristic: characteristic))
  }

  func endSubscriptions() -> [Int] {
    defer { subscriptions = [:] }
    return subscriptions.keys.sorted()
  }
}

// MARK: Requests

extension LoopbackCentral {
  /// Writes a value, and returns when the device has responded.
  package func write(
    _ value: [UInt8], to characteristic: Int, _ kind: WriteKind = .request
  ) async throws(ATTError) {
    try await write(value, to: .characteristic(characteristic), kind)
  }

  package func write(
    _ value: [UInt8], to attribute: AttributeReference, _ kind: WriteKind = .request
  ) async throws(ATTError) {
    let response = await response(to: { write(value, to: attribute, kind, respond: $0) })
    if case .refused(let error) = response { throw error }
  }

  /// Writes a value, and calls `respond` with the response.
  package func write(
    _ value: [UInt8], to attribute: AttributeReference, _ kind: WriteKind = .request,
    respond: @escaping Responder
  ) {
    guard let transport, let host = transport.host else { return respond(.refused(.writeNotPermitted)) }
    guard let definition = transport.definition(with: attribute) else {
      return respond(.refused(.attributeNotFound))
    }
    guard definition.canWrite(attribute, kind) else { return respond(.refused(.writeNotPermitted)) }
    host.receive(.writeRequested(address, attribute, value: value, offset: 0, kind), respond: respond)
  }

  /// Reads a value, and returns when the device has responded.
  package func read(_ characteristic: Int) async throws(ATTError) -> [UInt8] {
    try await read(.characteristic(characteristic))
  }

  package func read(_ attribute: AttributeReference) async throws(ATTError) -> [UInt8] {
    switch await response(to: { read(attribute, respond: $0) }) {
    case .value(let value): return value
    case .refused(let error): throw error
    case .accepted: throw .unlikelyError
    }
  }

  /// Reads a value, and calls `respond` with the response.
  package func read(_ attribute: AttributeReference, respond: @escaping Responder) {
    guard let transport, let host = transport.host else { return respond(.refused(.readNotPermitted)) }
    guard let definition = transport.definition(with: attribute) else {
      return respond(.refused(.attributeNotFound))
    }
    guard definition.canRead(attribute) else { return respond(.refused(.readNotPermitted)) }
    host.receive(.readRequested(address, attribute, offset: 0), respond: respond)
  }

  private func response(to request: (@escaping Responder) -> Void) async -> Response {
    await withCheckedContinuation { continuation in
      request { continuation.resume(returning: $0) }
    }
  }
}

// MARK: Values

extension LoopbackCentral {
  /// The values that have arrived from a characteristic since the last call, in order.
  package func takeValues(from characteristic: Int) -> [[UInt8]] {
    defer { received.removeAll { $0.characteristic == characteristic } }
    return received.filter { $0.characteristic == characteristic }.map(\.value)
  }

  /// Receives a value, and confirms an indication at once.
  func take(_ value: [UInt8], from characteristic: Int, as delivery: Delivery) {
    if let onValue { onValue(characteristic, value) } else { received.append((characteristic, value)) }
    guard delivery == .indication else { return }
    transport?.host?.receive(.confirmed(address, characteristic: characteristic))
  }
}
