import Behavior
import Bluetooth
import EventLoop
import Framing
import Learning
import Loopback

/// The central of a rehearsal: sends requests by handle, and keeps what the device sends.
@EventLoop
final class RehearsalLink {
  /// A value that the device has sent.
  struct Arrival {
    var time: Instant
    /// In the device.
    var handle: AttributeHandle
    var value: [UInt8]
    var delivery: Delivery
  }

  private let scheduler: ManualScheduler
  private var link: LoopbackLink?
  private var response: AttributePDU?
  private(set) var arrivals: [Arrival] = []
  /// When the device ended the link.
  private(set) var lost: Instant?
  /// The ATT_MTU, bytes.
  private var mtu = AttributePDU.defaultMTU

  private let encryptsOnDemand: Bool
  private var isEncrypted = false

  /// - Parameter encryptsOnDemand: whether the central pairs if the device asks for it.
  init(_ transport: LoopbackTransport, _ scheduler: ManualScheduler, encryptsOnDemand: Bool) {
    (self.scheduler, self.encryptsOnDemand) = (scheduler, encryptsOnDemand)
    link = transport.connectRaw { [weak self] in
      self?.receive($0)
    } onDisconnect: { [weak self] in
      self?.lose()
    }
  }

  /// Lets time pass up to an instant, with what is due then.
  func wait(until instant: Instant) {
    while scheduler.performNext(until: instant) {}
  }

  func disconnect() {
    link?.disconnect()
    link = nil
  }

  private func lose() {
    link = nil
    lost = scheduler.now
  }

  private func receive(_ packet: [UInt8]) {
    guard let pdu = try? AttributePDU(packet) else { return }
    switch pdu {
    case .notification(let handle, let value): take(value, handle, .notification)
    case .multipleNotification(let values):
      for each in values { take(each.value, each.handle, .notification) }
    case .indication(let handle, let value):
      take(value, handle, .indication)
      link?.send(AttributePDU.confirmation.encode())
    default: response = pdu
    }
  }

  private func take(_ value: [UInt8], _ handle: AttributeHandle, _ delivery: Delivery) {
    arrivals.append(Arrival(time: scheduler.now, handle: handle, value: value, delivery: delivery))
  }
}

// MARK: Requests

extension RehearsalLink {
  /// How long a central waits for a response (Core Specification, Vol 3 Part F 3.3.3).
  private static let requestLimit = Duration.seconds(30)

  func exchange(mtu wanted: Int) {
    guard case .exchangeMTUResponse(let theirs) = request(.exchangeMTURequest(UInt16(clamping: wanted)))
    else {
      return
    }
    mtu = max(AttributePDU.defaultMTU, min(wanted, Int(theirs)))
  }

  /// Writes a value. A request that is too long for one PDU is written in parts.
  func write(_ value: [UInt8], to handle: AttributeHandle, _ kind: WriteKind) -> Exchange.Outcome<[UInt8]> {
    switch kind {
    case .command:
      link?.send(AttributePDU.writeCommand(handle, value).encode())
      return .unknown
    case .request where value.count <= mtu - 3:
      return outcome { request(.writeRequest(handle, value)) }
    case .request, .reliable: return outcome { writeInParts(value, to: handle) }
    }
  }

  /// Reads a value, and its rest as far as the recorded value reaches.
  func read(_ handle: AttributeHandle, upTo count: Int) -> Exchange.Outcome<[UInt8]> {
    var value: [UInt8] = []
    let first = outcome { request(.readRequest(handle)) }
    guard case .success(var part) = first else { return first }
    value = part
    while part.count == mtu - 1, value.count < count {
      let offset = UInt16(clamping: value.count)
      guard case .success(let next) = outcome(of: { request(.readBlobRequest(handle, offset: offset)) })
      else { break }
      part = next
      value += part
    }
    return .success(value)
  }

  /// Pairs, unless it has.
  func encrypt() {
    if isEncrypted { return }
    if case .paired = link?.pair(PairingRequest(bonds: true)) { isEncrypted = true }
  }

  /// The outcome of a request, which is repeated if the device asks for an encrypted link and the central pairs.
  private func outcome(of request: () -> AttributePDU?) -> Exchange.Outcome<[UInt8]> {
    let outcome = Exchange.Outcome(request())
    guard encryptsOnDemand, !isEncrypted, case .refused(let error) = outcome, error.asksForEncryption else {
      return outcome
    }
    encrypt()
    return isEncrypted ? Exchange.Outcome(request()) : outcome
  }

  /// Queues the parts of a value, and executes them (Vol 3 Part G 4.9.4).
  private func writeInParts(_ value: [UInt8], to handle: AttributeHandle) -> AttributePDU? {
    let size = mtu - 5
    for start in stride(from: 0, to: value.count, by: size) {
      let part = Array(value[start...].prefix(size))
      let answer = request(.prepareWriteRequest(handle, offset: UInt16(clamping: start), part: part))
      guard case .prepareWriteResponse = answer else {
        _ = request(.executeWriteRequest(commits: false))
        return answer
      }
    }
    return request(.executeWriteRequest(commits: true))
  }

  /// Sends a request, and lets time pass until the device has responded.
  private func request(_ pdu: AttributePDU) -> AttributePDU? {
    response = nil
    link?.send(pdu.encode())
    let end = scheduler.now.advanced(by: Self.requestLimit)
    while response == nil, link != nil, scheduler.performNext(until: end) {}
    return response
  }
}

extension Exchange.Outcome<[UInt8]> {
  fileprivate init(_ response: AttributePDU?) {
    switch response {
    case .readResponse(let value), .readBlobResponse(let value): self = .success(value)
    case .errorResponse(_, _, let error): self = .refused(error)
    case nil: self = .unknown
    default: self = .success([])
    }
  }
}
