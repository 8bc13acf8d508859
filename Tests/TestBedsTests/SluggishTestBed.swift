import Behavior
import Bluetooth
import BlueZLimits
import DeviceModel
import EventLoop
import Framing
import Loopback
import Peripheral
import Transcripts

@testable import TestBeds

/// A device in memory with a slow central, as on the air of a busy machine.
@EventLoop
final class SluggishTestBed: TestBed {
  private let testBed = LoopbackTestBed(limits: BlueZLimits())
  /// The delays before a connection and a request, and before their response.
  private static let (connecting, asking, answering) = (
    Duration.seconds(5), Duration.milliseconds(1300), Duration.milliseconds(700)
  )
  /// The delay before a disconnection, which has no response.
  private static let leaving = Duration.milliseconds(400)

  /// How much longer it waits than it is told.
  var oversleep = Duration.zero

  var device: TestedDevice { testBed.device }
  var timing: TestBedTiming { .real(answer: Self.asking + Self.answering) }
  var advertisement: Advertisement? { testBed.advertisement }
  var maximumValue: Int { testBed.maximumValue }

  func setUp(
    _ definition: PeripheralDefinition, settings: [Value], options: EngineOptions, paces: Transcript.Paces
  ) async throws {
    try await testBed.setUp(definition, settings: settings, options: options, paces: paces)
  }

  func interrupt() { testBed.interrupt() }

  func tearDown() async { await testBed.tearDown() }

  private var hasSentCommand = false

  private func delay(_ duration: Duration = asking) throws {
    hasSentCommand = false
    let end = now.advanced(by: duration)
    while now < end { try testBed.wait(until: end, past: inbox.count, includingEnd: true) }
  }

  private func answer(_ response: Response) throws -> Response {
    try delay(Self.answering)
    return response
  }

  func connect(_ connection: Step.Connection) async throws {
    try delay(Self.connecting)
    try testBed.connect(connection)
  }

  func send(pdu: [UInt8]) async throws {
    try delay()
    try testBed.send(pdu: pdu)
  }

  func awaitSubscription(to sought: Int) async throws {
    try delay()
    try testBed.awaitSubscription(to: sought)
  }

  func openChannel(_ channel: Int) async throws {
    try delay()
    let result = Result { try testBed.openChannel(channel) }
    try delay(Self.answering)
    try result.get()
  }

  func closeChannel(_ channel: Int) async throws {
    try delay()
    try testBed.closeChannel(channel)
  }

  func transmit(_ bytes: [UInt8], in channel: Int) async throws {
    try delay()
    try testBed.transmit(bytes, in: channel)
  }

  func disconnect(_ reason: HCIError?) async throws {
    try delay(Self.leaving)
    try testBed.disconnect(reason)
  }

  func pair(_ request: PairingRequest) async throws -> PairingOutcome {
    try delay()
    let outcome = try testBed.pair(request)
    try delay(Self.answering)
    return outcome
  }

  func unpair() async throws { testBed.unpair() }

  func subscribe(to characteristic: Int) async throws -> Response {
    try delay()
    return try answer(testBed.subscribe(to: characteristic))
  }

  func unsubscribe(from characteristic: Int) async throws -> Response {
    try delay()
    return try answer(testBed.unsubscribe(from: characteristic))
  }

  func found() throws -> [FoundCharacteristic] { try testBed.found() }

  func write(_ value: [UInt8], to attribute: AttributeReference, _ kind: WriteKind) async throws -> Response {
    guard kind == .command else {
      try delay()
      return try await answer(testBed.write(value, to: attribute, kind))
    }
    // The central sends consecutive write commands without waiting.
    if !hasSentCommand { try delay() }
    hasSentCommand = true
    return try await testBed.write(value, to: attribute, kind)
  }

  func read(_ attribute: AttributeReference) async throws -> Response {
    try delay()
    return try await answer(testBed.read(attribute))
  }

  func wait(until end: Instant, past count: Int, includingEnd: Bool) async throws {
    hasSentCommand = false
    try testBed.wait(until: end.advanced(by: oversleep), past: count, includingEnd: includingEnd)
  }
}
