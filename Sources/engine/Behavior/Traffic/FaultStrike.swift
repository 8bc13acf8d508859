import Bluetooth
import DeviceModel

/// A fault that has struck.
package struct FaultStrike: Hashable, Sendable {
  /// The text of the fault.
  package var fault: String
  /// The number of the fault in its device.
  package var number: Int
  /// Its ordinal among the occurrences that the fault could strike, from 1.
  package var ordinal: Int
  /// The attribute, the channel, `wire` or what a request is about; nil: it has struck the device as a whole.
  package var place: String?
  /// The way of the value through the device.
  package var direction: Fault.Direction?
  package var central: DeviceAddress?
  /// The value as it was; nil: it has struck none.
  package var value: [UInt8]?
  /// The bytes that pass in its place; nil: the value itself.
  package var replacement: [[UInt8]]?
  /// The error with which it refused a request in place of the device; nil: it refused none.
  package var refused: ATTError?

  package init(_ fault: String, number: Int, ordinal: Int) {
    (self.fault, self.number, self.ordinal) = (fault, number, ordinal)
  }
}
