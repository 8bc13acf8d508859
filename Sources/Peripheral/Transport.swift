import Behavior
import Bluetooth
import DeviceModel
import EventLoop

/// Carries a peripheral's attributes and advertising to centrals, and their requests back.
///
/// Its life: ``open()`` finds the adapter and changes nothing; ``goOnAir(_:)`` makes the device visible;
/// ``watchCentrals()`` begins when the device has; ``leaveAir()`` puts everything back. In between it tells its
/// ``TransportHost`` what centrals do, and may come and go by itself with what it stands on.
@EventLoop
package protocol Transport: AnyObject {
  var host: (any TransportHost)? { get set }

  /// What it can do with a device.
  var limits: any TransportLimits { get }

  /// Finds the adapter that the device will use.
  ///
  /// - Throws: ``TransportError``.
  func open() async throws -> LocalAdapter

  /// Serves the attributes and advertises; returns when both are confirmed.
  ///
  /// - Throws: ``TransportError``, also where the device is beyond its ``limits``; then nothing is left on the air.
  func goOnAir(_ device: DeviceOnAir) async throws

  /// Begins to tell the host which centrals come and go, after it has begun; and who has come since the device is on
  /// the air. Returns when it has told.
  func watchCentrals() async

  /// Takes everything off the air and puts back what was changed. Never fails; does nothing when off the air.
  func leaveAir() async

  /// Serves these attributes from now on. Connections that are there have been asked to end; no other begins before
  /// the attributes are served. Those beyond its ``limits`` are told to ``TransportHost/warn(_:)``, and it serves what it
  /// served before.
  func serve(_ table: AttributeTable)

  /// Advertises this from now on; nil: nothing. What goes wrong is told to ``TransportHost/warn(_:)``; an advertisement
  /// beyond its ``limits`` changes nothing.
  func advertise(_ advertisement: Advertisement?)

  /// Ends the connection of a central, or of all (nil). Its going is then an event as any other.
  func disconnect(_ central: Central?)

  /// The ATT_MTU of the link to a central, bytes; nil if the transport does not know it.
  func mtu(of central: Central) -> Int?

  /// The longest value that reaches all of these centrals whole, bytes: the least ATT_MTU of their links − 3. nil: there
  /// is none of them.
  func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int?

  /// Whether write requests wait for their answers from now on, as far as the transport can make them wait: the
  /// device has taken in more than it can get rid of.
  func holdResponses(_ isHolding: Bool)

  /// Hands over one value, which each central gets as its subscription says; whatever cannot leave at once is kept in order.
  func send(_ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients) -> SendOutcome
}

extension Transport {
  package var limits: any TransportLimits { NoLimits() }

  package func holdResponses(_ isHolding: Bool) {}
}

/// The centrals that a value is for.
package enum Recipients: Hashable, Sendable {
  /// All that have subscribed to the characteristic.
  case subscribers
  /// This one, if it has subscribed.
  case subscriber(Central)
  /// This one, as a notification even if it has not subscribed: some devices do that. Not every transport can.
  case central(Central)
}

/// What became of a value.
package enum SendOutcome: Hashable, Sendable {
  /// It has left for at least one central as a notification.
  case notified
  /// It has left, only as indications: each central's confirmation is an ``Event/confirmed(_:characteristic:)``.
  case indicated
  /// It did not leave: none of the recipients has subscribed.
  case nobodySubscribed
  /// It did not leave: the transport cannot send to just this central.
  case notAddressable
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

/// Takes the response to one request, and hands it to the central.
package typealias Responder = @EventLoop (Response) -> Void

/// Answers for the device.
@EventLoop
package protocol TransportHost: AnyObject {
  /// Takes what has happened. What it leads to is done when this returns, unless it came while something else
  /// was being done: then it is done after that.
  ///
  /// - Parameter respond: for a read or a write; called once with the response, at once or later, before the values that
  ///   the request causes.
  func receive(_ event: Event, respond: Responder?)
  /// What ``Transport/send(_:from:to:)`` kept has piled up, or has left again.
  func congestionChanged(_ isCongested: Bool, of characteristic: Int)
  /// The device has vanished from the air for a reason that is not its own.
  func fellOffAir(_ reason: String)
  /// It is back.
  func cameBackOnAir()
  /// Something went wrong that a person should know, and nothing stopped.
  func warn(_ message: String)
}

extension TransportHost {
  /// Takes what has happened and needs no response.
  package func receive(_ event: Event) { receive(event, respond: nil) }
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
