import Behavior
import Bluetooth
import DeviceModel
import EventLoop

/// Carries a peripheral's attributes and advertising to centrals, and their requests back.
///
/// ``open()`` finds the adapter and changes nothing. ``goOnAir(_:)`` makes the device visible. ``watchCentrals()`` reports
/// connections once the device has started. ``leaveAir()`` restores everything. In between the transport reports to its
/// ``TransportHost`` what centrals do, and whether the device disappears from the air and returns.
@EventLoop
package protocol Transport: AnyObject {
  var host: (any TransportHost)? { get set }

  /// The limits of the transport.
  var limits: any TransportLimits { get }

  /// Finds the adapter that the device will use.
  ///
  /// - Throws: ``TransportError``.
  func open() async throws -> LocalAdapter

  /// What the addresses of the advertisement follow from; nil: the device has the adapter's address.
  func addressBasis(of definition: PeripheralDefinition, on adapter: DeviceAddress) -> AddressBasis?

  /// Whether a central is pairing: the device does not change its addresses meanwhile (Vol 3 Part C 10.7.1.1).
  var isPairing: Bool { get }

  /// Serves the attributes and advertises; returns when both are confirmed.
  ///
  /// - Throws: ``TransportError``, also if the device exceeds ``limits``. Then nothing remains on the air.
  func goOnAir(_ device: DeviceOnAir) async throws

  /// Begins to report connections and disconnections, including the connections since the device went on the air.
  /// Returns when those have been reported.
  func watchCentrals() async

  /// Takes everything off the air and restores the adapter. Never fails; does nothing when off the air.
  func leaveAir() async

  /// Serves other attributes from now on. The caller has asked all connections to end, and no new one begins before the
  /// attributes are served. If they exceed ``limits``, the transport warns the host and keeps the old ones.
  func serve(_ table: AttributeTable)

  /// Advertises this from now on; nil stops advertising. The transport warns the host of problems, and ignores an
  /// advertisement that exceeds ``limits``.
  func advertise(_ advertisement: Advertisement?)

  /// Pairs in this way from now on; nil: as the system is set up. A pairing that has begun continues in the old way.
  func pair(_ policy: PairingPolicy?)

  /// Ends the connection of a central, or of all (nil), for a reason that the central gets if the transport can give one,
  /// and then reports the disconnection as usual.
  func disconnect(_ central: Central?, _ reason: HCIError)

  /// Ends the connection of a central, or of all (nil), without a goodbye, and then reports the disconnection. A transport that cannot
  /// do that disconnects.
  func loseLink(of central: Central?)

  /// Moves the device on a virtual radio. All devices on its controller move with it.
  ///
  /// - Returns: whether that is possible. If not, everything stays as it is.
  func move(to path: RadioPath) -> Bool

  /// The centrals that the device is bonded with, by their identity addresses; nil: the transport does not know them.
  var bondedCentrals: [Central]? { get }

  /// Forgets the bond with a central, connected or not, or all bonds (nil): keys and subscriptions. A link that is encrypted stays
  /// so. The transport gives the host the rest of the bonds, or warns it if it cannot forget.
  func forget(_ central: Central?)

  /// The ATT_MTU of the link to a central, bytes; nil if the transport does not know it.
  func mtu(of central: Central) -> Int?

  /// Whether the link to a central is encrypted; nil if the transport does not know.
  func isEncrypted(_ central: Central) -> Bool?

  /// The handles that it gives to attributes; nil: it does not show them.
  var handles: HandleLayout? { get }

  /// The longest value that reaches all of these centrals whole, bytes: the smallest ATT_MTU of their links − 3; nil if
  /// there are no such centrals.
  func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int?

  /// Whether ``TransportHost/congestionChanged(_:of:)`` tells that the controller has no room for more values. Otherwise they pile
  /// up in the system, where nobody sees how many.
  var hasFlowControl: Bool { get }

  /// Delays the responses to write requests, if the transport can, while the device cannot keep up.
  func holdResponses(_ isHolding: Bool)

  /// Sends a value, to each central as its subscription requires. Values that cannot be sent at once wait in order.
  func send(_ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients) -> SendOutcome

  /// Whether a value can go to this central only, of those that have subscribed.
  func canAddress(_ central: Central, from characteristic: Int) -> Bool

  /// Notes the state that the device is in: called before it goes on the air, and after each event that changes it.
  func noteState(_ state: String)

  /// Sends bytes in a channel: to one central, or to all that have opened it. What cannot be sent at once waits in order.
  ///
  /// - Returns: ``SendOutcome/notified``, or ``SendOutcome/nobodySubscribed`` if none of them has opened it.
  func transmit(_ bytes: [UInt8], in channel: Int, to central: Central?) -> SendOutcome

  /// Closes a channel of one central, or of all, after the bytes that wait.
  func close(channel: Int, of central: Central?)

  /// Sends a PDU of the device as the GATT client of a central: a request, a command or a confirmation.
  ///
  /// - Returns: whether the transport can, and the central is connected.
  func sendAsClient(_ packet: [UInt8], to central: Central) -> Bool

  /// Sends the values of an event that have waited to go together: called at the end of each event, for a device with
  /// ``LinkDefinition/multipleNotifications``.
  func sendJoinedValues()
}

/// A transport that is not a stage around another, with defaults for what it lacks. A stage has none, so that it passes everything on.
@EventLoop
package protocol BaseTransport: Transport {}

extension BaseTransport {
  package var limits: any TransportLimits { NoLimits() }

  package func addressBasis(of definition: PeripheralDefinition, on adapter: DeviceAddress) -> AddressBasis? {
    AddressBasis()
  }

  package var isPairing: Bool { false }

  package var hasFlowControl: Bool { false }

  package func holdResponses(_ isHolding: Bool) {}

  package func noteState(_ state: String) {}

  package func canAddress(_ central: Central, from characteristic: Int) -> Bool { true }

  package func sendJoinedValues() {}

  /// A transport without channels.
  package func transmit(_ bytes: [UInt8], in channel: Int, to central: Central?) -> SendOutcome {
    .nobodySubscribed
  }

  package func close(channel: Int, of central: Central?) {}

  /// A transport that keeps the attributes of centrals to itself.
  package func sendAsClient(_ packet: [UInt8], to central: Central) -> Bool { false }

  package func pair(_ policy: PairingPolicy?) {}

  package func isEncrypted(_ central: Central) -> Bool? { nil }

  package func loseLink(of central: Central?) { disconnect(central, .remoteUserTerminated) }

  package func move(to path: RadioPath) -> Bool { false }

  package var bondedCentrals: [Central]? { nil }

  package func forget(_ central: Central?) {}

  package var handles: HandleLayout? { nil }
}

/// A transport with a radio, for tests on the air.
@EventLoop
package protocol RadioTransport: BaseTransport {
  /// The advertisement that is sent for the device; nil: none.
  var advertised: Advertisement? { get }

  /// The attributes that are served for the device; nil: none.
  var table: AttributeTable? { get }

  /// The address of a controller that the kernel does not have; nil: the device is on an adapter of the kernel.
  var hostAddress: LinkAddress? { get }

  /// Returns once all responses and values so far have taken effect.
  func catchUp() async
}

extension RadioTransport {
  package var hostAddress: LinkAddress? { nil }

  package func catchUp() async {}
}

/// The recipients of a value.
package enum Recipients: Hashable, Sendable {
  /// All centrals that have subscribed to the characteristic.
  case subscribers
  /// This central, if it has subscribed.
  case subscriber(Central)
  /// This central, by notification even if it has not subscribed, as some devices do. Not every transport can.
  case central(Central)
}

/// The outcome of sending a value.
package enum SendOutcome: Hashable, Sendable {
  /// Sent to at least one central as a notification.
  case notified
  /// Sent as indications only. Each confirmation is an ``Event/confirmed(_:characteristic:)``.
  case indicated
  /// Not sent: none of the recipients has subscribed.
  case nobodySubscribed
  /// Not sent: the recipients ask for Robust Caching, and do not know that the attributes have changed.
  case outOfSync
  /// Not sent: the transport cannot send to a single central.
  case notAddressable
}

/// The part of a device that a transport serves.
package struct DeviceOnAir: Sendable {
  package var definition: PeripheralDefinition
  /// The attributes of the definition that the device has now.
  package var table: AttributeTable
  /// nil if the device is not advertising.
  package var advertisement: Advertisement?
  /// The GAP device name (2A00).
  package var deviceName: String
  /// The address by which centrals know it, if that is not the adapter's: a static random one.
  package var ownAddress: DeviceAddress?
  /// How it pairs; nil: as the system is set up.
  package var pairing: PairingPolicy?
  /// The centrals that it is bonded with.
  package var bonds: [Bond] = []
  /// The centrals that it was bonded with. The transport removes their keys from the system.
  package var forgottenBonds: [Bond] = []

  package init(
    definition: PeripheralDefinition, table: AttributeTable, advertisement: Advertisement, deviceName: String,
    ownAddress: DeviceAddress? = nil, pairing: PairingPolicy? = nil
  ) {
    (self.ownAddress, self.pairing) = (ownAddress, pairing)
    self.definition = definition
    self.table = table
    self.advertisement = advertisement
    self.deviceName = deviceName
  }
}

/// Sends the response to one request to the central.
package typealias Responder = @EventLoop (Response) -> Void

/// The device behind a transport.
@EventLoop
package protocol TransportHost: AnyObject {
  /// Takes an event. Its actions are finished when this returns, unless the device was busy: then they come after the
  /// current ones.
  ///
  /// - Parameter respond: called once with the response to a read or a write, at once or later, before the values that
  ///   the request causes.
  func receive(_ event: Event, respond: Responder?)
  /// Called when values of ``Transport/send(_:from:to:)`` pile up, and when they have been sent.
  func congestionChanged(_ isCongested: Bool, of characteristic: Int)
  /// Likewise, of ``Transport/transmit(_:in:to:)``.
  func channelCongestionChanged(_ isCongested: Bool, of channel: Int)
  /// Takes a PDU of a central for the device as its GATT client: a response, a notification or an indication.
  func receiveAsClient(_ packet: [UInt8], from central: Central)
  /// The id of a channel.
  func name(ofChannel channel: Int) -> String
  /// Called when the device has disappeared from the air without being stopped.
  func fellOffAir(_ reason: String)
  /// Called when the device is on the air again.
  func cameBackOnAir()
  /// Called with all bonds after any of them has been made, changed or dropped.
  func keep(_ bonds: [Bond])
  /// Whether there is a log. Otherwise the transport need not collect what only the log shows, such as ``linkMeasured(_:_:)``.
  var isLogging: Bool { get }
  /// Called when the transport has looked at properties of the link to a central.
  func linkMeasured(_ central: Central, _ change: LinkChange)
  /// What deliberately goes wrong with something that a central asks below ATT; nil: nothing. Called once for each.
  func fault(in request: LinkRequest, of central: Central) -> LinkFault?
  /// Called when a pairing has met the fault with this number.
  func metFault(_ number: Int, in central: Central)
  /// Called when a fault has struck.
  func struck(_ strike: FaultStrike)
  /// Reports a problem that does not stop the device.
  func warn(_ message: String)
}

extension TransportHost {
  /// Takes an event without a response.
  package func receive(_ event: Event) { receive(event, respond: nil) }
}

/// A host that is not a stage before another, with defaults for what it does not need.
@EventLoop
package protocol BaseHost: TransportHost {}

extension BaseHost {
  package func channelCongestionChanged(_ isCongested: Bool, of channel: Int) {}

  package func receiveAsClient(_ packet: [UInt8], from central: Central) {}

  package func name(ofChannel channel: Int) -> String { "channel \(channel)" }

  package func struck(_ strike: FaultStrike) {}

  package func fault(in request: LinkRequest, of central: Central) -> LinkFault? { nil }

  package func metFault(_ number: Int, in central: Central) {}

  /// Keeps nothing.
  package func keep(_ bonds: [Bond]) {}

  package var isLogging: Bool { true }

  package func linkMeasured(_ central: Central, _ change: LinkChange) {}
}

/// The reason why a device cannot be on the air, and what to do next.
package struct TransportError: Error, Hashable, Sendable {
  package enum Kind: Sendable {
    /// No Bluetooth, no BlueZ, no adapter, or none that is free.
    case unavailable
    case noPermission
    /// A mistake in the definition or the command line.
    case invalid
  }

  package var kind: Kind
  package var message: String
  package var hint: String

  /// What to do on a machine without Bluetooth, after "or".
  package static let withoutBluetooth =
    "do without Bluetooth: '--on loopback' runs the device in memory, 'blemu play' lets you play its central, "
    + "and tools/vm has virtual adapters"

  package init(_ kind: Kind, _ message: String, hint: String) {
    self.kind = kind
    self.message = message
    self.hint = hint
  }
}
