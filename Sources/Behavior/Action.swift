import Bluetooth
import DeviceModel
import Framing

/// What the engine wants done; performed in order, after the response (``Outcome``).
package enum Action: Hashable, Sendable {
  /// A value for the centrals that subscribed, however long.
  case notify(characteristic: Int, [UInt8])
  case writeToWire([UInt8])
  /// The serial side has another speed from now on, bits a second.
  case setBaud(Int)
  case startTimer(TimerIdentifier, at: Instant)
  case stopTimer(TimerIdentifier)
  /// The attributes that centrals find from now on. Comes only at a reset, after the end of all connections.
  indirect case serve(AttributeTable)
  /// What is advertised from now on; nil: nothing.
  indirect case advertise(Advertisement?)
  /// The connection of this central, or of all, ends.
  case disconnect(Central?)
  case remark(Remark)
}

/// Something that a person who watches the device wants to know, and no central is told.
package enum Remark: Hashable, Sendable {
  /// Bytes that are no frame.
  case discarded(Port, [UInt8], DiscardReason)
  /// Bytes that had to wait, and for which there was no room: so many may wait.
  case tooMuchHeld(Port, [UInt8], limit: Int)
  /// A frame that no rule takes.
  case unexpected(Port, frame: [UInt8])
  /// A rule that could not do what it says.
  case ruleFailed(line: Int, file: String?, reason: String)
  /// What a rule says.
  case logged(String)
}
