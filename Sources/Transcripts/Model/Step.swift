import Behavior
import Bluetooth
import Framing

/// One line of a conversation: something that the central or the wire side does, or something that must come.
package struct Step: Sendable {
  package enum Action: Sendable {
    /// The central connects, and asks for this ATT_MTU.
    case connect(mtu: Int)
    case disconnect
    case subscribe(Int)
    case unsubscribe(Int)
    case write([UInt8], to: AttributeReference, WriteKind)
    case read(AttributeReference)
    /// Bytes are put in at the wire side.
    case putIntoWire([UInt8])
    case wait(Duration)
    /// Nothing comes for so long.
    case silence(Duration)
    case expect(Expectation)
    /// The request in the line before was refused.
    case expectRefusal(ATTError)
    /// What the read in the line before gave.
    case expectRead(ValuePattern)
    /// What the central has found of the device's characteristics, in order.
    case expectFound([FoundCharacteristic])
    case expectAdvertising(AdvertisementPattern)
    case expectNoAdvertising
  }

  package var action: Action
  /// Where it stands in the file, counted from 1.
  package var line: Int
  /// The line as it was written, without blanks around it and without its comment.
  package var text: String

  package init(_ action: Action, line: Int, text: String) {
    self.action = action
    self.line = line
    self.text = text
  }
}

/// Something that must come: a value, bytes at the wire side, the end of the connection.
package struct Expectation: Sendable {
  package var source: Arrival.Source
  /// nil where there is nothing to compare.
  package var value: ValuePattern?
  /// The time between the line before and it.
  package var after: Duration?
  /// The longest time between the line before and it.
  package var within: Duration?
  /// Whether the same may come again, any number of times, until something else must come from there.
  package var isRepeated = false
}

/// Something that has come out of a device.
package struct Arrival: Hashable, Sendable {
  /// Where it has come from.
  package enum Source: Hashable, Sendable {
    /// A notification or an indication.
    case characteristic(Int)
    case wire
    /// The device has ended the connection.
    case disconnection
  }

  package var time: Instant
  package var source: Source
  package var bytes: [UInt8]

  package init(at time: Instant, from source: Source, _ bytes: [UInt8] = []) {
    self.time = time
    self.source = source
    self.bytes = bytes
  }
}
