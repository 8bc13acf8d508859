import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Peripheral

/// A transport and a way to its other side, for ``ConformanceCheck``.
package struct TransportUnderTest: Sendable {
  /// What a transport may do, and need not.
  package struct Abilities: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// It tells a write request from a write command.
    package static let tellsWriteKind = Abilities(rawValue: 1)
    /// Two centrals can be connected at once: btvirt's controllers carry one link.
    package static let takesTwoCentrals = Abilities(rawValue: 16)
    /// It sends a value to one of several subscribers.
    package static let sendsToOne = Abilities(rawValue: 2)
    /// It notifies a central that has not subscribed.
    package static let sendsUnasked = Abilities(rawValue: 4)
    /// A response reaches the central before the values that its request causes.
    package static let keepsOrder = Abilities(rawValue: 8)
  }

  package var name: String
  package var abilities: Abilities
  package var makeTransport: @EventLoop @Sendable () -> any Transport
  /// Connects a central, by number from 0, to the transport; at most two at a time. Returns when the central has found
  /// these attributes.
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

/// A central as a radio could be one: everything takes time. Characteristics go by their index in
/// ``ConformanceCheck/device``; a refusal is an `ATTError`.
@EventLoop
package protocol ConformanceCentral: AnyObject {
  var address: DeviceAddress { get }
  /// The ATT_MTU of its link, bytes.
  var mtu: Int { get }
  func subscribe(_ characteristic: Int, _ delivery: Delivery) async throws
  func unsubscribe(from characteristic: Int) async throws
  func write(_ value: [UInt8], to characteristic: Int, _ kind: WriteKind) async throws
  func read(_ characteristic: Int) async throws -> [UInt8]
  /// Called with each value as it arrives.
  var onValue: ((_ characteristic: Int, _ value: [UInt8]) -> Void)? { get set }
  /// Returns when the link has ended on this side.
  func leave() async
}

/// What a transport did and should not have.
package struct ConformanceFailure: Error, CustomStringConvertible {
  package var description: String
}
