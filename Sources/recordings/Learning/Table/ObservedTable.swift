import Bluetooth
import Framing

/// The attributes of a device as far as they are known: from discovery in a recording, or from a listing of another program.
/// Nothing in it is invented, except where it says so (`isSupposed`); what is not known is nil.
package struct ObservedTable: Hashable, Sendable {
  /// In the order of their handles.
  package var services: [Service] = []
  /// Handles that were used and never declared: the central knew them from an earlier connection.
  package var undeclared: [AttributeHandle] = []

  package init() {}

  /// A UUID in the form in which it was declared: 16 bits or 128.
  package struct DeclaredUUID: Hashable, Sendable {
    package var uuid: BluetoothUUID
    /// Whether a UUID with a 16-bit form was declared in its 128 bits.
    package var isLong: Bool

    package init(_ uuid: BluetoothUUID, isLong: Bool = false) { (self.uuid, self.isLong) = (uuid, isLong) }
  }

  package struct Service: Hashable, Sendable {
    package var uuid: DeclaredUUID
    package var isPrimary = true
    /// Of its declaration.
    package var handle: AttributeHandle?
    package var endHandle: AttributeHandle?
    package var includes: [Include] = []
    package var characteristics: [Characteristic] = []
    /// Whether its declaration is not in the recording.
    package var isSupposed = false

    package init(_ uuid: DeclaredUUID) { self.uuid = uuid }
  }

  package struct Include: Hashable, Sendable {
    /// Of its declaration.
    package var handle: AttributeHandle?
    package var service: HandleRange?
    package var uuid: BluetoothUUID?

    package init(handle: AttributeHandle?, service: HandleRange?, uuid: BluetoothUUID?) {
      (self.handle, self.service, self.uuid) = (handle, service, uuid)
    }
  }

  package struct Characteristic: Hashable, Sendable {
    package var uuid: DeclaredUUID
    /// Of its declaration.
    package var handle: AttributeHandle?
    package var valueHandle: AttributeHandle?
    /// nil: not known.
    package var properties: CharacteristicProperties?
    package var value = ObservedValue()
    package var descriptors: [Descriptor] = []
    /// Whether it has no further descriptors.
    package var hasAllDescriptors = false
    /// Whether its declaration is not in the recording: it has the properties that were used.
    package var isSupposed = false
    /// Whether a central got values that had not subscribed, on this link or, with the keys of a bond, on an earlier one.
    package var ignoresSubscriptions = false

    package init(_ uuid: DeclaredUUID) { self.uuid = uuid }
  }

  package struct Descriptor: Hashable, Sendable {
    package var uuid: BluetoothUUID
    package var handle: AttributeHandle?
    package var value = ObservedValue()

    package init(_ uuid: BluetoothUUID) { self.uuid = uuid }
  }
}

/// What is known of the value of an attribute.
package struct ObservedValue: Hashable, Sendable {
  /// A read or an error, with its time.
  package struct Reading: Hashable, Sendable {
    package var time: Instant
    package var outcome: Exchange.Outcome<[UInt8]>

    package init(_ outcome: Exchange.Outcome<[UInt8]>, at time: Instant) {
      (self.outcome, self.time) = (outcome, time)
    }
  }

  /// In order; empty: it was never read.
  package var readings: [Reading] = []

  /// A write that the device refused, with the time of the request.
  package struct Refusal: Hashable, Sendable {
    package var time: Instant
    package var error: ATTError

    package init(_ error: ATTError, at time: Instant) { (self.error, self.time) = (error, time) }
  }

  package var refusedWrites: [Refusal] = []
  /// Whether a Write Request succeeded.
  package var isWritten = false
  /// Whether a write could be prepared.
  package var acceptsWrites = false
  /// Whether reads and writes were refused for want of security although the link was encrypted.
  package var isUnreadableEncrypted = false
  package var isUnwritableEncrypted = false
  /// Whether the device notified values with its handle.
  package var isNotified = false

  package init() {}

  /// The value that was read first.
  package var first: [UInt8]? { values.first }

  /// The values that were read, each once for each time that it changed.
  package var values: [[UInt8]] {
    readings.reduce(into: []) { values, reading in
      if case .success(let value) = reading.outcome, values.last != value { values.append(value) }
    }
  }

  /// The errors of reads and of writes, each once.
  package var readErrors: Set<ATTError> {
    Set(readings.compactMap { if case .refused(let error) = $0.outcome { error } else { nil } })
  }
  package var writeErrors: Set<ATTError> { Set(refusedWrites.map(\.error)) }
}
