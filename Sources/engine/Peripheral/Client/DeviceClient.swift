import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

/// A device as the GATT client of one central. It asks for one thing after the other (Core Specification, Vol 3 Part F 3.3.2), and
/// is called back when a PDU of the central comes, so that in memory everything happens at once.
@EventLoop
final class DeviceClient {
  typealias Answer = Result<AttributePDU, ATTError>

  /// A request that waits for its response.
  private struct Pending {
    let opcode: AttributeOpcode
    /// Ends a central that does not answer.
    let timer: AnyObject
    let take: @EventLoop (Answer) -> Void
  }

  /// How long a central may take to answer (Vol 3 Part F 3.3.3).
  private static let limit = Duration.seconds(30)
  /// The most requests of rules that may wait.
  private static let mostWaiting = 1000

  let central: Central
  let sought: [SoughtCharacteristic]
  /// By the index of what the device seeks.
  var found: [Int: DiscoveredCharacteristic] = [:]
  weak var owner: (any DeviceClientOwner)?
  private let scheduler: any Scheduler
  private var waiting: ArraySlice<ClientRequest> = []
  private var isBusy = false
  private var pending: Pending?

  init(_ central: Central, _ sought: [SoughtCharacteristic], _ scheduler: any Scheduler) {
    (self.central, self.sought, self.scheduler) = (central, sought, scheduler)
  }
}

/// The device that asks.
@EventLoop
protocol DeviceClientOwner: AnyObject {
  /// The ATT_MTU of the link to a central, bytes.
  func mtu(of central: Central) -> Int
  /// Sends a PDU of a client.
  ///
  /// - Returns: whether the transport can.
  func send(_ pdu: AttributePDU, to central: Central) -> Bool
  /// Takes what has come of a request, or a value of the central.
  func clientReceived(_ event: Event)
  /// Notes a value that goes to the central.
  ///
  /// - Parameter place: the id of what it is for; that of a CCCD ends with `/2902`.
  func clientWrites(_ value: [UInt8], to place: String, message: Int?, at central: Central)
  /// The central has not answered within 30 s, after which neither side may use ATT on this link.
  func clientFailed(at central: Central)
}

// MARK: Requests

extension DeviceClient {
  /// Does what a rule asks, after what earlier rules have asked.
  func perform(_ request: ClientRequest) {
    guard waiting.count < Self.mostWaiting else { return refuse(request, .insufficientResources) }
    waiting.append(request)
    guard !isBusy else { return }
    isBusy = true
    performNext()
  }

  private func performNext() {
    guard let request = waiting.popFirst() else {
      (waiting, isBusy) = ([], false)
      return
    }
    switch request {
    case .discover: discover()
    case .subscribe(let index): subscribe(to: index)
    case .read(let index): read(index)
    case .write(let index, let value, let message): write(value, to: index, message)
    }
  }

  /// A request has succeeded.
  func finish(_ event: Event?) {
    if let event { owner?.clientReceived(event) }
    performNext()
  }

  /// A request has failed.
  func fail(_ request: ClientRequest, _ error: ATTError) {
    refuse(request, error)
    performNext()
  }

  private func refuse(_ request: ClientRequest, _ error: ATTError) {
    let event: Event =
      switch request {
      case .discover: .discovered(central, found: [])
      case .subscribe(let index), .read(let index), .write(let index, _, _):
        .soughtRefused(central, sought: index, error, request)
      }
    owner?.clientReceived(event)
  }

  /// Asks the central, and takes its answer.
  func ask(_ pdu: AttributePDU, then take: @escaping @EventLoop (Answer) -> Void) {
    let timer = scheduler.schedule(at: scheduler.now.advanced(by: Self.limit)) { [weak self] in
      guard let self else { return }
      owner?.clientFailed(at: central)
    }
    pending = Pending(opcode: pdu.opcode, timer: timer, take: take)
    if owner?.send(pdu, to: central) != true { answer(.failure(.requestNotSupported)) }
  }

  /// Asks everything that a procedure asks, and takes its result.
  func perform<Value>(
    _ procedure: GATTProcedure<Value, ATTError>,
    then end: @escaping @EventLoop (Result<Value, ATTError>) -> Void
  ) {
    switch procedure {
    case .ended(let result): end(result)
    case .asking(let pdu, let then): ask(pdu) { [weak self] in self?.perform(then($0), then: end) }
    }
  }

  private func answer(_ answer: Answer) {
    let pending = pending
    self.pending = nil
    pending?.take(answer)
  }
}

// MARK: What comes from the central

extension DeviceClient {
  /// Takes a response, a notification or an indication. One that it cannot read ends the request that waits.
  func receive(_ packet: [UInt8]) {
    guard let pdu = try? AttributePDU(packet) else {
      if packet.first.map(AttributeOpcode.init)?.kind == .response { answer(.failure(.unlikelyError)) }
      return
    }
    if let delivery = pdu.passValues(to: { handle, value, _ in take(value, from: handle) }) {
      if delivery == .indication { _ = owner?.send(.confirmation, to: central) }
      return
    }
    switch pdu {
    case .errorResponse(let opcode, _, let error):
      if opcode == pending?.opcode { answer(.failure(error)) }
    default:
      guard let opcode = pending?.opcode, pdu.opcode.kind == .response else { return }
      answer(pdu.opcode == opcode.response ? .success(pdu) : .failure(.unlikelyError))
    }
  }

  private func take(_ value: [UInt8], from handle: AttributeHandle) {
    guard let index = found.first(where: { $0.value.handle == handle })?.key else { return }
    owner?.clientReceived(.soughtReceived(central, sought: index, value))
  }
}
