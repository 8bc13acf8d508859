import Behavior
import Bluetooth
import Definitions
import EventLoop

/// Carries a peripheral's attributes and advertising to centrals, and their requests back.
///
/// Its life: ``open()`` finds the adapter and changes nothing; ``goOnAir(_:)`` makes the device visible;
/// ``watchCentrals()`` begins when the device has; ``leaveAir()`` puts everything back. In between it tells its
/// ``TransportHost`` what centrals do, and may come and go by itself with what it stands on.
@EventLoop
package protocol Transport: AnyObject {
  var host: (any TransportHost)? { get set }

  /// Finds the adapter that the device will use.
  ///
  /// - Throws: ``TransportError``.
  func open() async throws -> LocalAdapter

  /// Serves the attributes and advertises; returns when both are confirmed.
  ///
  /// - Throws: ``TransportError``; then nothing is left on the air.
  func goOnAir(_ device: DeviceOnAir) async throws

  /// Begins to tell the host which centrals come and go, after it has begun; and who has come since the device is on
  /// the air. Returns when it has told.
  func watchCentrals() async

  /// Takes everything off the air and puts back what was changed. Never fails; does nothing when off the air.
  func leaveAir() async

  /// Serves these attributes from now on. Connections that are there have been asked to end; no other begins before
  /// the attributes are served.
  func serve(_ table: AttributeTable)

  /// Advertises this from now on; nil: nothing. What goes wrong is told to ``TransportHost/warn(_:)``.
  func advertise(_ advertisement: Advertisement?)

  /// Ends the connection of a central, or of all (nil). Its going is then an event as any other.
  func disconnect(_ central: Central?)

  /// The longest value that reaches the subscribed centrals whole, bytes: MTU − 3. nil: nobody subscribed.
  func maximumValue(of characteristic: Int) -> Int?

  /// Whether write requests wait for their answers from now on, as far as the transport can make them wait: the
  /// device has taken in more than it can get rid of.
  func holdResponses(_ isHolding: Bool)

  /// Hands over one value for all subscribed centrals; whatever cannot leave at once is kept in order.
  func send(_ value: ArraySlice<UInt8>, from characteristic: Int) -> SendOutcome
}

extension Transport {
  package func holdResponses(_ isHolding: Bool) {}
}

/// What became of a value.
package enum SendOutcome: Hashable, Sendable {
  case notified
  case indicated
  /// It did not leave: no central has subscribed.
  case nobodySubscribed
}

/// The adapter under a device, as people know it.
package struct LocalAdapter: Hashable, Sendable {
  /// As in `hci0`.
  package var name: String
  package var address: DeviceAddress
  /// What serves it, as in `BlueZ 5.66`.
  package var stack: String

  package init(name: String, address: DeviceAddress, stack: String) {
    self.name = name
    self.address = address
    self.stack = stack
  }
}

/// What a transport shows of a device.
package struct DeviceOnAir: Sendable {
  package var definition: PeripheralDefinition
  /// Those of the definition's attributes that it has now.
  package var table: AttributeTable
  /// nil: it does not advertise now.
  package var advertisement: Advertisement?
  /// The GAP device name (2A00).
  package var deviceName: String

  package init(
    definition: PeripheralDefinition, table: AttributeTable, advertisement: Advertisement, deviceName: String
  ) {
    self.definition = definition
    self.table = table
    self.advertisement = advertisement
    self.deviceName = deviceName
  }
}

/// The device's answer to what a central did.
package enum Response: Hashable, Sendable {
  case accepted
  case value([UInt8])
  case refused(ATTError)
}

/// Who answers for the device.
@EventLoop
package protocol TransportHost: AnyObject {
  /// Takes what has happened and answers at once.
  func receive(_ event: Event) -> Response
  /// What ``Transport/send(_:from:)`` kept has piled up, or has left again.
  func congestionChanged(_ isCongested: Bool, of characteristic: Int)
  /// The device has vanished from the air for a reason that is not its own.
  func fellOffAir(_ reason: String)
  /// It is back.
  func cameBackOnAir()
  /// Something went wrong that a person should know, and nothing stopped.
  func warn(_ message: String)
}

/// Why a device cannot be on the air: one sentence of what happened, and what to do next.
package struct TransportError: Error, Hashable, Sendable {
  package enum Kind: Sendable {
    /// No Bluetooth, no BlueZ, no adapter, or none that is free.
    case unavailable
    case noPermission
    /// What was asked for is not possible: a mistake in the definition or the command.
    case invalid
  }

  package var kind: Kind
  package var message: String
  package var hint: String

  package init(_ kind: Kind, _ message: String, hint: String) {
    self.kind = kind
    self.message = message
    self.hint = hint
  }
}
