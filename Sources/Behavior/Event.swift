import Bluetooth

/// A central, by the address of its connection; nil in an ``Event`` where the transport cannot tell.
package typealias Central = DeviceAddress

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
  case connected(Central)
  case disconnected(Central)
  case subscribed(Central?, characteristic: Int)
  case unsubscribed(Central?, characteristic: Int)
  /// Is answered by ``Action/respond(_:)`` or ``Action/refuse(_:)``.
  case readRequested(Central?, AttributeReference, offset: Int)
  /// Is accepted unless there is an ``Action/refuse(_:)``. The kind is nil where the transport cannot tell.
  case writeRequested(Central?, AttributeReference, value: [UInt8], offset: Int, WriteKind?)
  case wireReceived([UInt8])
  case timerFired(TimerIdentifier)
}

/// A timer of the engine's.
package enum TimerIdentifier: Hashable, Sendable {
  /// An unfinished frame is waiting for its rest.
  case frameGap(StreamKey)
}

/// One central's bytes on one characteristic: frames of two centrals do not mix.
package struct StreamKey: Hashable, Sendable {
  package var central: Central?
  package var characteristic: Int
}
