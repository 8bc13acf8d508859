import Behavior
import Bluetooth
import DeviceModel
import EventLoop

/// Carries a peripheral's attributes and advertising to centrals, and their requests back.
///
/// ``open()`` finds the adapter and changes nothing. ``goOnAir(_:)`` makes the device visible. ``TransportConnections/watchCentrals()``
/// reports connections once the device has started. ``leaveAir()`` restores everything. In between the transport reports to its
/// ``TransportHost`` what centrals do, and whether the device disappears from the air and returns.
///
/// A transport has three parts: its ``values``, its ``connections``, and the rest here, which advertises and serves. A stage around a
/// transport implements the parts that it changes, and has the others of the inner transport.
@EventLoop
package protocol Transport: AnyObject {
  var host: (any TransportHost)? { get set }

  /// Sends values to centrals. The same one for as long as the transport exists.
  var values: any TransportValues { get }

  /// The connections to centrals. Likewise.
  var connections: any TransportConnections { get }

  /// The limits of the transport.
  var limits: any TransportLimits { get }

  /// The handles that it gives to attributes; nil: it does not show them.
  var handles: HandleLayout? { get }

  /// Finds the adapter that the device will use.
  ///
  /// - Throws: ``TransportError``.
  func open() async throws -> LocalAdapter

  /// What the addresses of the advertisement follow from; nil: the device has the adapter's address.
  func addressBasis(of definition: PeripheralDefinition, on adapter: DeviceAddress) -> AddressBasis?

  /// Serves the attributes and advertises; returns when both are confirmed.
  ///
  /// - Throws: ``TransportError``, also if the device exceeds ``limits``. Then nothing remains on the air.
  func goOnAir(_ device: DeviceOnAir) async throws

  /// Takes everything off the air and restores the adapter. Never fails; does nothing when off the air.
  func leaveAir() async

  /// Serves other attributes from now on. If they exceed ``limits``, the transport warns the host and keeps the old ones.
  ///
  /// - Parameter toConnected: whether centrals stay connected, and learn of it as far as they have asked for that. Otherwise the
  ///   caller has asked all connections to end, and no new one begins before the attributes are served.
  func serve(_ table: AttributeTable, toConnected: Bool)

  /// Advertises this from now on; nil stops advertising. The transport warns the host of problems, and ignores an
  /// advertisement that exceeds ``limits``.
  func advertise(_ advertisement: Advertisement?)

  /// Notes the state that the device is in: called before it goes on the air, and after each event that changes it.
  func noteState(_ state: String)

  /// Lets faults strike a value of a layer; nil: none concerns it. What waits comes later, as an event. Called while the device handles
  /// an event.
  func pass(_ value: LayerValue) -> LayerPassage?
}

/// A transport that is not a stage around another, with defaults for what it lacks. A stage has none, so that it passes everything on.
@EventLoop
package protocol BaseTransport: Transport, TransportConnections {}

extension BaseTransport {
  package var connections: any TransportConnections { self }

  package var limits: any TransportLimits { NoLimits() }

  package func addressBasis(of definition: PeripheralDefinition, on adapter: DeviceAddress) -> AddressBasis? {
    AddressBasis()
  }

  package func noteState(_ state: String) {}

  package func pass(_ value: LayerValue) -> LayerPassage? { nil }

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
  /// Likewise, with a value that a fault has changed or held: the central has written another, or earlier.
  func receive(struck event: Event, respond: Responder?)
  /// Called when values of ``TransportValues/send(_:from:to:)`` pile up, and when they have been sent.
  func congestionChanged(_ isCongested: Bool, of characteristic: Int)
  /// Likewise, of ``TransportValues/transmit(_:in:to:)``.
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
  /// Lets faults strike a request that the transport answers without the device: Exchange MTU, discovery, a subscription.
  ///
  /// - Parameters:
  ///   - value: what it writes.
  ///   - respond: called at once, later or never, with ``Response/accepted`` if the transport is to answer.
  func screen(_ place: RequestPlace, _ value: [UInt8], of central: Central, respond: @escaping Responder)
  /// What deliberately goes wrong with something that a central asks below ATT; nil: nothing. Called once for each.
  func fault(in request: LinkRequest, of central: Central) -> LinkFault?
  /// Asks somebody at the device in a pairing. The answer comes at once or later, unless the result is released before.
  func ask(
    _ question: LinkRequest, about central: Central, answer: @escaping @EventLoop (PersonAnswer) -> Void
  ) -> AnyObject?
  /// Called when a pairing has met the fault with this number.
  func metFault(_ number: Int, in central: Central)
  /// Called while the device sends a value, if a fault strikes it or lets it wait. Then ``struck(_:)`` reports what leaves.
  func struckSentValue()
  /// Called when a fault has struck, and with the peer's side of struck values.
  func struck(_ event: TrafficEvent.Kind)
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

  package func receive(struck event: Event, respond: Responder?) { receive(event, respond: respond) }

  package func struckSentValue() {}

  package func struck(_ event: TrafficEvent.Kind) {}

  package func screen(
    _ place: RequestPlace, _ value: [UInt8], of central: Central, respond: @escaping Responder
  ) { respond(.accepted) }

  package func fault(in request: LinkRequest, of central: Central) -> LinkFault? { nil }

  package func ask(
    _ question: LinkRequest, about central: Central, answer: @escaping @EventLoop (PersonAnswer) -> Void
  ) -> AnyObject? {
    answer(.asUsual)
    return nil
  }

  package func metFault(_ number: Int, in central: Central) {}

  /// Keeps nothing.
  package func keep(_ bonds: [Bond]) {}

  package var isLogging: Bool { true }

  package func linkMeasured(_ central: Central, _ change: LinkChange) {}
}

/// The reason why a device cannot be on the air, and what to do next.
package struct TransportError: Error, Hashable, Sendable {
  package enum Kind: Sendable {
    /// The machine has none: no bus, no sockets, no bluetoothd or no adapter.
    case withoutBluetooth
    /// What there is cannot be used now.
    case unavailable
    case noPermission
    /// A mistake in the definition or the command line.
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
