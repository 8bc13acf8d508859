import AttributeServer
import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Peripheral

/// A central with one link to a ``LoopbackTransport``. It knows the device's attributes without discovery.
///
/// A request returns when the device has responded. A busy device finishes its current work first.
@EventLoop
package final class LoopbackCentral {
  package let link: LoopbackLink
  /// The link's ATT_MTU, bytes.
  package private(set) var mtu = AttributePDU.defaultMTU
  /// The longest PDU that it takes.
  private var longestPDU = AttributePDU.defaultMTU
  /// The values that have arrived since they were last taken, in order.
  private var received: [Arrival] = []
  /// Receives each value as it arrives, and first those that have arrived; if nil, ``takeValues(from:)`` returns them later.
  package var onValue: ((_ characteristic: Int, _ value: [UInt8]) -> Void)? {
    didSet {
      guard let onValue else { return }
      let earlier = received
      received = []
      for each in earlier { if let index = each.characteristic { onValue(index, each.value) } }
    }
  }
  /// Receives each value with its handle as it arrives, also those of the server itself (Service Changed), in place of ``onValue``;
  /// first those that have arrived.
  package var onArrival: ((AttributeHandle, [UInt8], Delivery) -> Void)? {
    didSet {
      let earlier = received
      received = []
      for each in earlier { onArrival?(each.handle, each.value, each.delivery) }
    }
  }

  private struct Arrival {
    var handle: AttributeHandle
    /// nil: the server's own has sent it.
    var characteristic: Int?
    var value: [UInt8]
    var delivery: Delivery
  }

  /// What the device may find at the central; nil: nothing.
  private var attributes: CentralAttributes?
  /// Whether the ATT_MTU is not known yet.
  package private(set) var isExchanging = false
  private var onReady: (() -> Void)?
  private let definition: PeripheralDefinition?
  private var database: AttributeDatabase
  /// What to do with the responses to come, in order.
  private var responders: [(AttributePDU) -> Void] = []

  init(_ link: LoopbackLink, _ definition: PeripheralDefinition?, _ database: AttributeDatabase) {
    (self.link, self.definition, self.database) = (link, definition, database)
    link.onEnd = { [weak self] in self?.refuseUnanswered() }
    link.onAttributes = { [weak self] in self?.database = $0 }
  }

  /// Who it is.
  package var address: DeviceAddress { link.identity }

  package var isConnected: Bool { link.isOpen }

  /// Called when the device has ended the connection.
  package var onDisconnect: (() -> Void)? {
    get { link.onDisconnect }
    set { link.onDisconnect = newValue }
  }

  /// Gives the central attributes for this link.
  func serve(_ attributes: CentralAttributes?) {
    self.attributes = attributes
    attributes?.begin()
    attributes?.send = { [weak link] packet in link?.send(packet) }
  }

  /// Exchanges the ATT_MTU.
  func exchange(mtu wanted: Int) {
    isExchanging = true
    longestPDU = wanted
    request(.exchangeMTURequest(UInt16(wanted))) { [self] in
      if case .exchangeMTUResponse(let theirs) = $0 { mtu = min(wanted, Int(theirs)) }
      isExchanging = false
      onReady?()
      onReady = nil
    }
  }

  /// Calls this once the ATT_MTU is known: at once, unless the link takes time or the device does not answer.
  package func whenReady(_ body: @escaping () -> Void) {
    if isExchanging { onReady = body } else { body() }
  }

  /// Ends the connection for a reason. All later requests are refused.
  package func disconnect(_ reason: HCIError = .remoteUserTerminated) { link.disconnect(reason) }

  private func refuseUnanswered() {
    attributes?.end()
    let unanswered = responders
    responders = []
    for respond in unanswered { respond(Self.noLink) }
  }

  private static let noLink = AttributePDU.errorResponse(
    request: .errorResponse, handle: 0, error: .unlikelyError)
}

// MARK: PDUs

extension LoopbackCentral {
  func request(_ pdu: AttributePDU, respond: @escaping (AttributePDU) -> Void) {
    guard link.isOpen else { return respond(Self.noLink) }
    responders.append(respond)
    link.send(pdu.encode())
  }

  /// Asks everything that a procedure asks, and takes its result.
  func perform<Value>(
    _ procedure: GATTProcedure<Value, ATTError>, then end: @escaping (Result<Value, ATTError>) -> Void
  ) {
    switch procedure {
    case .ended(let result): end(result)
    case .asking(let pdu, let then): request(pdu) { [self] in perform(then($0.answer), then: end) }
    }
  }

  func receive(_ packet: [UInt8]) {
    if packet.first == AttributeOpcode.exchangeMTURequest.rawValue { return answerExchange(packet) }
    if let attributes, packet.first.map(AttributeOpcode.init)?.isOfServer == false {
      return attributes.receive(packet, mtu: mtu)
    }
    guard let pdu = try? AttributePDU(packet) else { return }
    switch pdu.passValues(to: take) {
    case .notification: break
    case .indication: link.send(AttributePDU.confirmation.encode())
    case nil where pdu.opcode.kind == .request:  // of a client, and it has no attributes
      link.send(
        AttributePDU.errorResponse(request: pdu.opcode, handle: 0, error: .requestNotSupported).encode())
    case nil: if !responders.isEmpty { responders.removeFirst()(pdu) }
    }
  }

  /// Answers the device, which asks for the ATT_MTU.
  private func answerExchange(_ packet: [UInt8]) {
    guard case .exchangeMTURequest(let theirs)? = try? AttributePDU(packet) else { return }
    mtu = max(AttributePDU.defaultMTU, min(longestPDU, Int(theirs)))
    link.send(AttributePDU.exchangeMTUResponse(UInt16(longestPDU)).encode())
  }

  private func take(_ handle: AttributeHandle, _ value: [UInt8], _ delivery: Delivery) {
    if let onArrival { return onArrival(handle, value, delivery) }
    let index = database.characteristic(sendingFrom: handle)
    guard let onValue else {
      return received.append(
        Arrival(handle: handle, characteristic: index, value: value, delivery: delivery))
    }
    if let index { onValue(index, value) }
  }

  /// The values that have arrived from a characteristic since the last call, in order.
  package func takeValues(from characteristic: Int) -> [[UInt8]] {
    defer { received.removeAll { $0.characteristic == characteristic } }
    return received.filter { $0.characteristic == characteristic }.map(\.value)
  }
}

// MARK: Subscriptions

extension LoopbackCentral {
  /// Writes the CCCD of a characteristic, and calls `respond` with the response.
  ///
  /// - Parameter delivery: nil for notifications if the characteristic supports them, otherwise indications.
  package func subscribe(
    to characteristic: Int, by delivery: Delivery? = nil, respond: @escaping Responder
  ) {
    guard link.isOpen else { return respond(.refused(.writeNotPermitted)) }
    guard database.handle(of: characteristic) != nil else { return respond(.refused(.attributeNotFound)) }
    if isSubscribedAnyway(to: characteristic) { return respond(.accepted) }
    guard let (handle, possible) = configuration(of: characteristic) else {
      return respond(.refused(.writeNotPermitted))
    }
    configure(handle, delivery ?? possible.delivery ?? .indication, respond)
  }

  /// Likewise, with a device that answers at once.
  package func subscribe(to characteristic: Int, by delivery: Delivery? = nil) throws(ATTError) {
    var response = Response.accepted
    subscribe(to: characteristic, by: delivery) { response = $0 }
    if let error = response.error { throw error }
  }

  package func unsubscribe(from characteristic: Int) { unsubscribe(from: characteristic) { _ in } }

  package func unsubscribe(from characteristic: Int, respond: @escaping Responder) {
    guard let (handle, _) = configuration(of: characteristic) else { return respond(.accepted) }
    configure(handle, nil, respond)
  }

  /// Whether values come and there is no CCCD to write: a client still lets its user subscribe.
  private func isSubscribedAnyway(to characteristic: Int) -> Bool {
    database.unconditional[characteristic] != nil && configuration(of: characteristic) == nil
  }

  private func configure(_ handle: AttributeHandle, _ new: Delivery?, _ respond: @escaping Responder) {
    request(.writeRequest(handle, ClientConfiguration(new).bytes)) { respond(Response($0.answer)) }
  }

  /// The handle of a CCCD, and what it may contain.
  private func configuration(of characteristic: Int) -> (AttributeHandle, ClientConfiguration)? {
    for attribute in database.attributes {
      if case .configuration(.characteristic(characteristic), let possible) = attribute.content {
        return (attribute.handle, possible)
      }
    }
    return nil
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
    if let error = response.error { throw error }
  }

  /// Writes a value, and calls `respond` with the response. A request that is too long for one PDU is written in parts.
  package func write(
    _ value: [UInt8], to attribute: AttributeReference, _ kind: WriteKind = .request,
    respond: @escaping Responder
  ) {
    guard link.isOpen else { return respond(.refused(.writeNotPermitted)) }
    guard let handle = handle(of: attribute) else { return respond(.refused(.attributeNotFound)) }
    write(value, to: handle, kind, respond: respond)
  }

  package func write(
    _ value: [UInt8], to handle: AttributeHandle, _ kind: WriteKind, respond: @escaping Responder
  ) {
    switch kind {
    case .command:
      link.send(AttributePDU.writeCommand(handle, value).encode())
      respond(.accepted)
    case .request where value.count <= mtu - 3:
      request(.writeRequest(handle, value)) { respond(Response($0.answer)) }
    case .request, .reliable, .prepared:
      perform(.writeLong(value, to: handle, mtu: { [self] in mtu })) { respond(Response($0)) }
    }
  }

  /// Reads a value, and returns when the device has responded.
  package func read(_ characteristic: Int) async throws(ATTError) -> [UInt8] {
    try await read(.characteristic(characteristic))
  }

  package func read(_ attribute: AttributeReference) async throws(ATTError) -> [UInt8] {
    switch await response(to: { read(attribute, respond: $0) }) {
    case .value(let value): return value
    case .refused(let error, _): throw error
    case .accepted: throw .unlikelyError
    }
  }

  /// Reads a value, and calls `respond` with the response.
  package func read(_ attribute: AttributeReference, respond: @escaping Responder) {
    guard link.isOpen else { return respond(.refused(.readNotPermitted)) }
    guard let handle = handle(of: attribute) else { return respond(.refused(.attributeNotFound)) }
    read(handle, respond: respond)
  }

  package func read(_ handle: AttributeHandle, respond: @escaping Responder) {
    let value = GATTProcedure<[UInt8], ATTError>.read(handle, mtu: { [self] in mtu }) {
      $0 == .invalidOffset || $0 == .attributeNotLong
    }
    perform(value) {
      switch $0 {
      case .success(let value): respond(.value(value))
      case .failure(let error): respond(.refused(error))
      }
    }
  }

  private func handle(of attribute: AttributeReference) -> AttributeHandle? {
    if case .characteristic(let index) = attribute { return database.handle(of: index) }
    if let found = database.attributes.first(where: { $0.content == .value(attribute) }) {
      return found.handle
    }
    // A CCCD that the definition places is the server's.
    guard case .descriptor(let number, of: let index) = attribute,
      definition?.characteristics[index].descriptors[number].uuid == 0x2902
    else { return nil }
    return configuration(of: index)?.0
  }

  private func response(to request: (@escaping Responder) -> Void) async -> Response {
    await withCheckedContinuation { continuation in
      request { continuation.resume(returning: $0) }
    }
  }
}

extension Response {
  /// The response to a request other than a read.
  fileprivate init(_ answer: Result<some Any, ATTError>) {
    switch answer {
    case .success: self = .accepted
    case .failure(let error): self = .refused(error)
    }
  }
}
