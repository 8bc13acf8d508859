import Bluetooth
import DeviceModel
import Framing

/// A central, by the address of its connection; nil in an ``Event`` where the transport cannot tell.
package typealias Central = DeviceAddress

/// Where bytes come in, and where they go out.
package typealias Port = Rule.Port

/// An attribute whose value the device owns, by index in the definition.
package enum AttributeReference: Hashable, Sendable {
  case characteristic(Int)
  /// The descriptor with this index of that characteristic.
  case descriptor(Int, of: Int)
}

/// How a value was written (Vol 3 Part G 4.9).
package enum WriteKind: String, Hashable, Sendable {
  /// Write Request: the central waits for the response.
  case request
  /// Write Command: no response.
  case command
  /// Execute Write of prepared writes.
  case reliable
}

/// What has happened to a device.
package enum Event: Hashable, Sendable {
  /// It is on, and centrals can find it. Comes once; after a reset the engine knows by itself.
  case started
  case connected(Central)
  case disconnected(Central)
  /// With what the central asked for in the characteristic's CCCD.
  case subscribed(Central?, characteristic: Int, Delivery = .notification)
  case unsubscribed(Central?, characteristic: Int)
  /// An indication has reached a central (Handle Value Confirmation, Vol 3 Part F 3.4.7.3).
  case confirmed(Central?, characteristic: Int)
  case readRequested(Central?, AttributeReference, offset: Int)
  /// The kind is nil where the transport cannot tell.
  case writeRequested(Central?, AttributeReference, value: [UInt8], offset: Int, WriteKind?)
  /// With the times at which a line had brought the first of the bytes and the last, where one did; frames depend on
  /// these. nil: all came now.
  case wireReceived([UInt8], during: ClosedRange<Instant>? = nil)
  case timerFired(TimerIdentifier)
}

/// A timer of the engine's.
package enum TimerIdentifier: Hashable, Sendable {
  /// An unfinished frame is waiting for its rest.
  case frameGap(StreamKey)
  /// One that a rule has started, by index in ``PeripheralDefinition/timers``.
  case rule(Int)
  /// The rest of a rule is waiting.
  case wait(Int)
}

/// The bytes of one central on one characteristic, or those of the wire: frames of two do not mix.
package struct StreamKey: Hashable, Sendable {
  package var central: Central?
  package var port: Port

  package init(central: Central? = nil, port: Port) {
    self.central = central
    self.port = port
  }
}

extension StreamKey: Comparable {
  /// By place, then by address.
  package static func < (left: StreamKey, right: StreamKey) -> Bool {
    guard left.port == right.port else { return left.port.order < right.port.order }
    return (left.central?.bytes ?? []).lexicographicallyPrecedes(right.central?.bytes ?? [])
  }
}
