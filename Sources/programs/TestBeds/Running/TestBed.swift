import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Faults
import Framing
import Loopback
import Peripheral
import Transcripts

/// Runs a device for a conversation, with a central and a wire side.
@EventLoop
package protocol TestBed: AnyObject {
  /// The device's output that no line has taken yet.
  var inbox: Inbox { get }
  var timing: TestBedTiming { get }
  var now: Instant { get }
  /// The current advertisement; nil while the device is not advertising.
  var advertisement: Advertisement? { get }
  /// The current values for expressions about the device; nil: it has not started.
  var context: EvaluationContext? { get }
  /// The deliberate faults of the device; nil: it has not started.
  var faults: FaultStage? { get }
  /// The longest value that one notification or write command carries on the link: MTU − 3.
  var maximumValue: Int { get }

  /// The bytes of values that do not form a whole frame yet.
  var unfinished: [(source: Arrival.Source, bytes: [UInt8])] { get }

  /// Starts a device in its initial state.
  ///
  /// - Parameters:
  ///   - settings: one value for each of the definition's settings.
  ///   - isPaced: whether the wire side runs at the speed of the device's UART.
  func setUp(_ definition: PeripheralDefinition, settings: [Value], seed: UInt64, isPaced: Bool) async throws
  /// Ends the connection and stops the device.
  func tearDown() async

  /// - Throws: ``TestBedError``, like the other actions of the central.
  func connect(_ connection: Step.Connection) async throws
  /// - Parameter reason: what the device gets; nil: an ordinary disconnection.
  func disconnect(_ reason: HCIError?) async throws
  /// Pairs, or encrypts the link with the keys of an earlier pairing. If that fails, the central disconnects.
  func pair(_ request: PairingRequest) async throws -> PairingOutcome
  /// Lets the central do something below ATT.
  func act(_ action: Step.LinkAction) throws
  /// Lets the central forget the device: it disconnects, if it is connected, and loses its keys.
  func unpair() async throws
  func subscribe(to characteristic: Int) async throws -> Response
  func unsubscribe(from characteristic: Int) async throws -> Response
  /// Opens a channel.
  func openChannel(_ channel: Int) async throws -> Response
  /// Closes a channel.
  func closeChannel(_ channel: Int) async throws
  /// From the next link on, the central has something that the device seeks; on the present one, only its value changes.
  func serve(_ value: CentralAttributes.Value, for sought: Int) throws
  /// Sends a value of something that the device seeks, to which the device has subscribed.
  func tell(_ value: [UInt8], from sought: Int) async throws
  /// Sends bytes in a channel.
  func transmit(_ bytes: [UInt8], in channel: Int) async throws
  /// The characteristics that the central has discovered.
  func found() throws -> [FoundCharacteristic]
  func write(_ value: [UInt8], to attribute: AttributeReference, _ kind: WriteKind) async throws -> Response
  func read(_ attribute: AttributeReference) async throws -> Response
  /// Sends a PDU on a raw connection.
  func send(pdu: [UInt8]) async throws
  func putIntoWire(_ bytes: [UInt8]) throws
  /// Operates the device as a person does.
  func control(_ event: ControlEvent)

  /// Lets time pass until there is new output, or until `end`.
  ///
  /// - Parameters:
  ///   - count: the inbox's count when the caller last looked. Output may arrive before this call begins.
  ///   - includingEnd: whether timers due exactly at `end` fire.
  func wait(until end: Instant, past count: Int, includingEnd: Bool) async throws

  /// Makes current and future waits and requests fail.
  func interrupt()
}

extension TestBed {
  package func act(_ action: Step.LinkAction) throws {
    throw TestBedError("only a central in memory changes its link")
  }

  private func startedFaults() throws(TestBedError) -> FaultStage {
    if let faults { return faults }
    throw TestBedError("the device is not on the air")
  }

  /// Why no central can connect now; nil if one can.
  var connectionFailure: ConnectionFailure? { ConnectionFailure(to: advertisement) }

  /// Performs an action of the central, the wire side or a person at the device.
  ///
  /// - Returns: the response; `accepted` if the action is not a request.
  func perform(_ action: Step.Action) async throws -> Response {
    switch action {
    case .connect(let connection):
      // On the air, the device may begin to advertise in a moment.
      if let failure = connectionFailure, failure == .notConnectable || timing.keepsOrder {
        throw TestBedError(failure.sentence)
      }
      try await connect(connection)
    case .unpair: try await unpair()
    case .disconnect(let reason): try await disconnect(reason)
    case .onLink(let action): try act(action)
    case .openChannel(let channel): return try await openChannel(channel)
    case .closeChannel(let channel): try await closeChannel(channel)
    case .serve(let value, let sought): try serve(value, for: sought)
    case .tell(let value, let sought): try await tell(value, from: sought)
    case .transmit(let bytes, let channel): try await transmit(bytes, in: channel)
    case .sendPDU(let packet): try await send(pdu: packet)
    case .putIntoWire(let bytes): try putIntoWire(bytes)
    case .control(let event): control(event)
    case .addFault(let fault): try startedFaults().add(fault)
    case .removeFault(let fault): try startedFaults().remove(fault)
    case .removeFaults: try startedFaults().removeAll()
    case .subscribe(let characteristic): return try await subscribe(to: characteristic)
    case .unsubscribe(let characteristic): return try await unsubscribe(from: characteristic)
    case .write(let value, let attribute, let kind): return try await write(value, to: attribute, kind)
    case .read(let attribute): return try await read(attribute)
    default: preconditionFailure("expectations and waits are not performed")
    }
    return .accepted
  }
}

/// The precision of a test bed's time.
package struct TestBedTiming: Sendable {
  /// Whether output from different sources arrives in the order in which the device sent it.
  package var keepsOrder: Bool
  /// How long to wait for unexpected output after the last line.
  package var settling: Duration
  /// How late output may arrive.
  package var lateness: Duration
  /// How long a change of the advertisement may take. bluetoothd makes it in many steps.
  package var advertising: Duration
  /// How much later than ``lateness`` the end of a connection may arrive.
  package var disconnectionDelay: Duration
  /// How early output may arrive: a part of the expected duration, plus a constant.
  package var earliness: (part: Double, constant: Duration)
  /// The longest time that an answer has taken so far; zero if none was measured.
  package var answer = Duration.zero

  /// Virtual time, which is exact.
  package static let virtual = TestBedTiming(
    keepsOrder: true, settling: .zero, lateness: .zero, advertising: .zero, disconnectionDelay: .zero,
    earliness: (0, .zero))

  /// The time of a real adapter. bluetoothd waits 2 s before it ends a connection.
  ///
  /// - Parameter answer: the longest time that an answer to a plain request has taken in this conversation. It shows how
  ///   slow the machine is. Longer paths may take up to ten times as long.
  package static func real(answer: Duration = .zero) -> TestBedTiming {
    TestBedTiming(
      keepsOrder: false, settling: .milliseconds(100), lateness: .seconds(2) + answer * 10,
      advertising: .seconds(30),
      disconnectionDelay: .seconds(3),
      earliness: (0.3, .milliseconds(250) + answer * 2), answer: answer)
  }

  /// The time window for output that is expected after one of these durations.
  ///
  /// In memory a central sends several requests at one instant. On the air it sends each after the answer to the one
  /// before, so the effect of the first may arrive before the last is sent.
  package func window(
    of durations: ClosedRange<Duration>, from source: Arrival.Source
  ) -> ClosedRange<Duration> {
    let early = durations.lowerBound * earliness.part + earliness.constant
    return max(answer * -2, durations.lowerBound - early)...(durations.upperBound + lateness(of: source))
  }

  package func lateness(of source: Arrival.Source) -> Duration {
    source == .disconnection ? lateness + disconnectionDelay : lateness
  }
}

/// The reason why a conversation cannot continue.
package struct TestBedError: Error, Hashable, Sendable {
  package var message: String

  package init(_ message: String) {
    self.message = message
  }

  package static let disconnected = Self("the device has ended the connection")
  package static let notEncrypted = Self("the link is not encrypted with the keys")
  package static let channelNotOpen = Self("the channel is not open")

  /// The response to the request for a channel.
  ///
  /// - Throws: ``TestBedError`` for a refusal that is no ATT error.
  static func response(to refusal: ChannelRefusal, of id: String) throws(TestBedError) -> Response {
    if case .refused(let result) = refusal, let error = result.attributeError { return .refused(error) }
    throw TestBedError("the device has not opened \(id): \(refusal.name)")
  }

  /// - Parameter isInTime: whether the device can find what the central serves; nil: there is nobody that looks.
  static func check(_ isInTime: Bool?, _ id: String?, _ standIn: StandIn?) throws(TestBedError) {
    if standIn != nil { throw TestBedError("another device looks for nothing at its central") }
    guard isInTime == false else { return }
    throw TestBedError(
      "the device does not look for \(id ?? "it") again on this link; serve it before 'connect'")
  }

  static func notSubscribed(to id: String) -> Self { Self("the device has not subscribed to \(id)") }

  package static let onRawConnection = Self("this is a raw connection; use '>>'")
  package static let notRaw = Self("there is no raw connection; use 'connect raw'")
}
