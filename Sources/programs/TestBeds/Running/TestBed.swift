import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Faults
import Framing
import Loopback
import Peripheral
import Transcripts

/// Runs a device for a conversation: the device side, and the operations of a central.
@EventLoop
package protocol TestBed: AnyObject {
  var device: TestedDevice { get }
  var timing: TestBedTiming { get }
  /// The current advertisement; nil while the device is not advertising.
  var advertisement: Advertisement? { get }
  /// The longest value that one notification or write command carries on the link: MTU − 3.
  var maximumValue: Int { get }

  /// Starts a device in its initial state.
  ///
  /// - Parameters:
  ///   - settings: one value for each of the definition's settings.
  ///   - paces: what takes the time that it takes at a real device.
  func setUp(
    _ definition: PeripheralDefinition, settings: [Value], options: EngineOptions, paces: Transcript.Paces
  ) async throws
  /// Ends the connection and stops the device.
  func tearDown() async

  /// - Throws: ``TestBedError``, like the other operations of the central.
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
  /// - Throws: also ``ChannelRefusal``.
  func openChannel(_ channel: Int) async throws
  func closeChannel(_ channel: Int) async throws
  /// Sends bytes in a channel.
  func transmit(_ bytes: [UInt8], in channel: Int) async throws
  /// Waits for a subscription of the device that is still on its way.
  func awaitSubscription(to sought: Int) async throws
  /// The characteristics that the central discovers.
  func found() async throws -> [FoundCharacteristic]
  /// - Parameter value: as it is on the air.
  func write(_ value: [UInt8], to attribute: AttributeReference, _ kind: WriteKind) async throws -> Response
  func read(_ attribute: AttributeReference) async throws -> Response
  /// Sends a PDU on a raw connection.
  func send(pdu: [UInt8]) async throws

  /// Lets time pass until there is new output, or until `end`.
  ///
  /// - Parameters:
  ///   - count: the inbox's count when the caller last looked. Output may arrive before this call begins.
  ///   - includingEnd: whether timers due exactly at `end` fire.
  func wait(until end: Instant, past count: Int, includingEnd: Bool) async throws

  /// Makes current and future waits and requests fail.
  func interrupt()

  /// The next actions are those of the central with this name; nil: of the usual one.
  func take(part central: String?) throws
  /// Lets the central lose its keys without knowing it.
  func loseKeys() throws
  /// Whether the device answers the central, as far as that is known before it tries.
  func accepts(_ connection: Step.Connection) -> Bool
}

/// What an action of a central, of the wire side or of a person has led to.
enum StepEffect: Sendable {
  /// Accepted, if it is no request.
  case response(Response)
  /// nil: the central is connected.
  case connection(ConnectionFailure?)
  case pairing(PairingOutcome)
}

extension TestBed {
  package var inbox: Inbox { device.inbox }
  package var now: Instant { device.now }
  /// The current values for expressions about the device; nil: it has not started.
  var context: EvaluationContext? { device.peripheral?.context }

  package func accepts(_ connection: Step.Connection) -> Bool { true }

  package func act(_ action: Step.LinkAction) throws {
    throw TestBedError("only a central in memory changes its link")
  }

  package func take(part central: String?) throws {
    if central != nil { throw TestBedError("a second central is only in memory") }
  }

  package func loseKeys() throws { throw TestBedError("only a central in memory loses its keys") }

  /// Performs the action of a line.
  ///
  /// - Parameter isRefusalExpected: whether a central that cannot connect is an effect; otherwise it is an error.
  func perform(_ action: Step.Action, isRefusalExpected: Bool) async throws -> StepEffect {
    switch action {
    case .connect(let connection): return .connection(try await connect(connection, isRefusalExpected))
    case .pair(let request): return .pairing(try await pair(request))
    case .unpair: try await unpair()
    case .loseKeys: try loseKeys()
    case .disconnect(let reason): try await disconnect(reason)
    case .onLink(let action): try act(action)
    case .openChannel(let channel): return .response(try await open(channel))
    case .closeChannel(let channel): try await closeChannel(channel)
    case .serve(let value, let sought): try device.serve(value, for: sought)
    case .unserve(let sought): try device.serve(nil, for: sought)
    case .tell(let value, let sought):
      try await awaitSubscription(to: sought)
      try device.tell(value, from: sought)
    case .transmit(let bytes, let channel):
      try await transmit(device.coded(bytes, for: .channel(channel)), in: channel)
    case .sendPDU(let packet): try await send(pdu: packet)
    case .putIntoWire(let bytes): try device.putIntoWire(bytes)
    case .control(let event): device.control(event)
    case .addFault(let fault): try device.startedFaults().add(fault)
    case .removeFault(let fault): try device.startedFaults().remove(fault)
    case .removeFaults: try device.startedFaults().removeAll()
    case .subscribe(let characteristic): return .response(try await subscribe(to: characteristic))
    case .unsubscribe(let characteristic): return .response(try await unsubscribe(from: characteristic))
    case .write(let value, let attribute, let kind):
      guard case .characteristic(let index) = attribute else {
        return .response(try await write(value, to: attribute, kind))
      }
      let coded = try device.coded(value, for: .characteristic(index))
      return .response(try await write(coded, to: attribute, kind))
    case .read(let attribute): return .response(try await read(attribute))
    case .wait, .silence, .expect, .expectTrue, .expectRefusal, .expectNoConnection, .expectPairingFailure,
      .expectRead, .expectFound, .expectAdvertising, .expectNoAdvertising:
      preconditionFailure("expectations and waits are not performed")
    }
    return .response(.accepted)
  }

  /// On the air, the device may begin to advertise in a moment.
  private func connect(
    _ connection: Step.Connection, _ isRefusalExpected: Bool
  ) async throws -> ConnectionFailure? {
    if let failure = ConnectionFailure(to: advertisement, isAccepted: accepts(connection)) {
      if isRefusalExpected { return failure }
      if failure != .notAdvertising || timing.keepsOrder { throw TestBedError(failure.sentence) }
    }
    do { try await connect(connection) } catch  where isRefusalExpected && advertisement?.accepted != .all {
      return .notAccepted
    }
    return nil
  }

  private func open(_ channel: Int) async throws -> Response {
    let id = device.name(of: .channel(channel))
    if device.standIn != nil { throw TestBedError("the device has no channel \(id)") }
    do { try await openChannel(channel) } catch let refusal as ChannelRefusal {
      if case .refused(let result) = refusal, let error = result.attributeError { return .refused(error) }
      throw TestBedError("the device has not opened \(id): \(refusal.name)")
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
  package static let onRawConnection = Self("this is a raw connection; use '>>'")
  package static let notRaw = Self("there is no raw connection; use 'connect raw'")
}
