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
    let delivery = pdu.passValues {
      arrivals.append(Arrival(time: scheduler.now, handle: $0, value: $1, delivery: $2))
    }
    switch delivery {
    case .notification: break
    case .indication: link?.send(AttributePDU.confirmation.encode())
    case nil: response = pdu
    }
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
  func write(_ value: [UInt8], to handle: AttributeHandle, _ kind: WriteKind) -> Exchange.Outcome<Never?> {
    switch kind {
    case .command:
      link?.send(AttributePDU.writeCommand(handle, value).encode())
      return .unknown
    case .request where value.count <= mtu - 3:
      return outcome(of: .asking(.writeRequest(handle, value)) { .ended($0.map { _ in }) }) { nil }
    case .request, .reliable, .prepared:
      return outcome(of: .writeLong(value, to: handle, mtu: { self.mtu })) { nil }
    }
  }

  /// Reads a value, and its rest as far as the recorded value reaches.
  func read(_ handle: AttributeHandle, upTo count: Int) -> Exchange.Outcome<[UInt8]> {
    outcome(of: .read(handle, upTo: count, mtu: { self.mtu }, endingAt: { _ in true })) { $0 }
  }

  /// Pairs, unless it has.
  func encrypt() {
    if isEncrypted { return }
    link?.pair(PairingRequest(bonds: true)) { [self] in if case .paired = $0 { isEncrypted = true } }
  }

  /// Why a request has no response of its own: the device has refused it, or has not answered.
  private enum Failure: Error { case refused(ATTError), unanswered }

  /// The outcome of a procedure, which is repeated if the device asks for an encrypted link and the central pairs.
  private func outcome<Value, Known>(
    of procedure: GATTProcedure<Value, Failure>, as known: (Value) -> Known
  ) -> Exchange.Outcome<Known> {
    switch perform(procedure) {
    case .success(let value): return .success(known(value))
    case .failure(.refused(let error)) where encryptsOnDemand && !isEncrypted && error.asksForEncryption:
      encrypt()
      return isEncrypted ? outcome(of: procedure, as: known) : .refused(error)
    case .failure(.refused(let error)): return .refused(error)
    case .failure(.unanswered): return .unknown
    }
  }

  private func perform<Value>(_ procedure: GATTProcedure<Value, Failure>) -> Result<Value, Failure> {
    var procedure = procedure
    while true {
      switch procedure {
      case .ended(let result): return result
      case .asking(let pdu, let then):
        procedure = then(request(pdu)?.answer.mapError(Failure.refused) ?? .failure(.unanswered))
      }
    }
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
