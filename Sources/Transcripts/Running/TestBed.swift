import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Peripheral

/// Where a conversation takes place: a device on the air, a central, and the device's wire side.
@EventLoop
package protocol TestBed: AnyObject {
  /// What has come out of the device and nobody has looked at.
  var inbox: Inbox { get }
  var timing: TestBedTiming { get }
  var now: Instant { get }
  /// What is on the air; nil: nothing.
  var advertisement: Advertisement? { get }
  /// The longest value that one notification or command carries on the link: MTU − 3.
  var maximumValue: Int { get }

  /// Puts a device on the air that is as new.
  ///
  /// - Parameters:
  ///   - settings: one value for each of the definition's settings.
  ///   - isPaced: whether the serial side is as slow as the device's UART.
  func setUp(_ definition: PeripheralDefinition, settings: [Value], seed: UInt64, isPaced: Bool) async throws
  /// Ends the connection and takes the device off the air.
  func tearDown() async

  /// - Throws: ``TestBedError``, as what follows.
  func connect(mtu: Int) async throws
  func disconnect() async throws
  func subscribe(to characteristic: Int) async throws -> Response
  func unsubscribe(from characteristic: Int) async throws -> Response
  /// The device's characteristics that the central has found.
  func found() throws -> [FoundCharacteristic]
  func write(_ value: [UInt8], to attribute: AttributeReference, _ kind: WriteKind) async throws -> Response
  func read(_ attribute: AttributeReference) async throws -> Response
  func putIntoWire(_ bytes: [UInt8])

  /// Lets time pass until more has come, or until `end`.
  ///
  /// - Parameters:
  ///   - count: the inbox's, from when the caller looked into it: something may come on the way in here.
  ///   - includingEnd: whether what happens just at `end` still happens.
  func wait(until end: Instant, past count: Int, includingEnd: Bool) async throws

  /// Makes whatever waits, and what is asked for from now on, fail.
  func interrupt()
}

/// How exactly the time of a test bed is kept.
package struct TestBedTiming: Sendable {
  /// Whether values of different origin arrive in the order in which they left.
  package var keepsOrder: Bool
  /// How long after the last line something unexpected may still come.
  package var settling: Duration
  /// How much later than it should a value may come.
  package var lateness: Duration
  /// How long it may take until something else is advertised. A limit against hanging: bluetoothd does it in many steps.
  package var advertising: Duration
  /// How much later than ``lateness`` the device may end a connection.
  package var farewell: Duration
  /// The part of a duration, and the constant, by which a value may come too early.
  package var earliness: (part: Double, constant: Duration)
  /// What that depends on: the longest time of an answer so far; zero: nothing was measured.
  package var answer = Duration.zero

  /// Time that is moved by hand.
  package static let virtual = TestBedTiming(
    keepsOrder: true, settling: .zero, lateness: .zero, advertising: .zero, farewell: .zero,
    earliness: (0, .zero))

  /// A real adapter. bluetoothd lets 2 s pass before it ends a connection.
  ///
  /// - Parameter answer: the longest time that an answer to a plain request has taken in this conversation. It tells how
  ///   slow the machine is, perhaps an emulated one: what passes through more hands may take ten times as long, and a
  ///   line is marked that much too late.
  package static func real(answer: Duration = .zero) -> TestBedTiming {
    TestBedTiming(
      keepsOrder: false, settling: .milliseconds(100), lateness: .seconds(2) + answer * 10,
      advertising: .seconds(30),
      farewell: .seconds(3),
      earliness: (0.3, .milliseconds(250) + answer * 2), answer: answer)
  }

  /// When something may come that should come after `duration`.
  ///
  /// What a central does at one instant in memory it does here one by one, each after the answer to the one before. So
  /// what the first has set off may come before the last has begun.
  package func window(of duration: Duration, from source: Arrival.Source) -> ClosedRange<Duration> {
    let early = duration * earliness.part + earliness.constant
    return max(answer * -2, duration - early)...(duration + lateness(of: source))
  }

  package func lateness(of source: Arrival.Source) -> Duration {
    source == .disconnection ? lateness + farewell : lateness
  }
}

/// Why a conversation cannot go on.
package struct TestBedError: Error, Hashable, Sendable {
  package var message: String

  package init(_ message: String) {
    self.message = message
  }
}
