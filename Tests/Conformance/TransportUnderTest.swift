import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Peripheral

/// A transport and its centrals, for ``ConformanceCheck``.
package struct TransportUnderTest: Sendable {
  /// The optional abilities of a transport.
  package struct Abilities: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Distinguishes write requests from write commands.
    package static let tellsWriteKind = Abilities(rawValue: 1)
    /// Accepts two centrals at once.
    package static let takesTwoCentrals = Abilities(rawValue: 16)
    /// Sends a value to one of several subscribers.
    package static let sendsToOne = Abilities(rawValue: 2)
    /// Notifies a central that has not subscribed.
    package static let sendsUnasked = Abilities(rawValue: 4)
    /// Delivers a response before the values that its request causes.
    package static let keepsOrder = Abilities(rawValue: 8)
  }

  package var name: String
  package var abilities: Abilities
  package var makeTransport: @EventLoop @Sendable () -> any Transport
  /// Connects the central with a number from 0; at most two at a time. Returns when the central has discovered these
  /// attributes.
  package var connect:
    @EventLoop @Sendable (any Transport, Int, AttributeTable) async throws -> any ConformanceCentral

  package init(
    name: String, abilities: Abilities, makeTransport: @escaping @EventLoop @Sendable () -> any Transport,
    connect:
      @escaping @EventLoop @Sendable (any Transport, Int, AttributeTable) async throws ->
      any ConformanceCentral
  ) {
    self.name = name
    self.abilities = abilities
    self.makeTransport = makeTransport
    self.connect = connect
  }
}

/// A central, possibly on a radio, so all requests are asynchronous. Characteristics have their index in
/// ``ConformanceCheck/device``. A refused request throws an `ATTError`.
@EventLoop
package protocol ConformanceCentral: AnyObject {
  var address: DeviceAddress { get }
  /// The ATT_MTU of the link, bytes.
  var mtu: Int { get }
  func subscribe(_ characteristic: Int, _ delivery: Delivery) async throws
  func unsubscribe(from characteristic: Int) async throws
  func write(_ value: [UInt8], to characteristic: Int, _ kind: WriteKind) async throws
  func read(_ characteristic: Int) async throws -> [UInt8]
  /// Called with each value as it arrives.
  var onValue: ((_ characteristic: Int, _ value: [UInt8]) -> Void)? { get set }
  /// Ends the link, and returns when it has ended on this side.
  func disconnect() async
}

/// A broken requirement.
package struct ConformanceFailure: Error, CustomStringConvertible {
  package var description: String
}
