import Behavior
import BlueZLimits
import Bluetooth
import DBus
import DeviceModel
import EventLoop
import Kernel
import Peripheral

/// A peripheral on an adapter of BlueZ, controlled over D-Bus.
///
/// Its states are the cases of ``RegistrationState``. ``RegistrationStateMachine`` decides the transitions:
///
///     closed      → opened
///     opened      → registering, closed
///     registering → onAir, takingBack, waiting, opened, leaving, closed
///     onAir       → switchedOff, takingBack, waiting, leaving
///     switchedOff → registering, onAir, waiting, leaving
///     takingBack  → registering, waiting, opened, leaving
///     waiting     → registering, closed
///     leaving     → closed
///
/// A response is sent before the values that its request causes. bluetoothd reads the two from different places
/// (the bus and the notification sockets), so a value may overtake the response on the air.
@EventLoop
package final class BlueZTransport: RadioTransport, TransportValues {
  package weak var host: (any TransportHost)?
  let choice: AdapterChoice
  let bus: String
  let scheduler: any Scheduler
  let clock: any Scheduler
  let records: String
  var client: BlueZClient?
  var registrar: Registrar?
  var exported: ExportedDevice?
  var settings: AdapterSettings?
  var centrals = ConnectedCentrals()
  /// The last central, after it has disconnected and before its subscriptions have ended, and the time limit for
  /// that.
  var departure: (central: Central, limit: AnyObject)?
  /// The device's agent of bluetoothd; nil: the system pairs.
  var agency: PairingAgency?
  /// How the device pairs; nil: as the system is set up.
  var policy: PairingPolicy?
  /// Whether the device has set how the adapter pairs.
  var hasPaired = false
  /// The change of the policy that is under way.
  var pairingChange: Task<Void, Never>?
  var pairings = CentralPairings()
  /// The centrals that have paired, and whose keys the device does not keep.
  var unkept: Set<Central> = []
  let pulse = ConnectionPulse()
  let hearing = HeardLinks()
  var links: [Central: CentralLink] = [:]
  /// Notices from before the host began to listen.
  var earlyNotices: [RegistrationNotice] = []
  var goingOnAir: CheckedContinuation<TransportError?, Never>?
  var leavingAir: CheckedContinuation<Void, Never>?

  package convenience init(_ choice: AdapterChoice = .first) {
    self.init(
      choice, bus: DBusConnection.systemBusAddress, scheduler: EventLoopScheduler(),
      clock: EventLoopScheduler(), records: AdapterRecord.folder)
  }

  /// - Parameters:
  ///   - bus: the address of bluetoothd's bus.
  ///   - scheduler: times the pause before a failed call is repeated.
  ///   - clock: measures how long bluetoothd does not answer.
  ///   - records: the folder of each ``AdapterRecord``.
  init(
    _ choice: AdapterChoice, bus: String, scheduler: any Scheduler, clock: any Scheduler, records: String
  ) {
    self.choice = choice
    self.bus = bus
    self.scheduler = scheduler
    self.clock = clock
    self.records = records
    hearing.onProblem = { [weak self] in self?.tellProblems(of: $0) }
  }

  package func advertise(_ advertisement: Advertisement?) {
    registrar?.send(.advertise(advertisement?.withoutFurtherSets))
  }

  package func serve(_ table: AttributeTable) { registrar?.send(.serve(limits.served(table))) }

  /// The advertisement that BlueZ sends for the device; nil: none.
  package var advertised: Advertisement? { registrar?.state.advertisement }

  package var limits: any TransportLimits { BlueZLimits { .installed } }

  var application: GATTApplication? { exported?.application }

  /// The attributes that BlueZ serves for the device; nil: none.
  package var table: AttributeTable? { application?.table }
}

// MARK: Values

extension BlueZTransport {
  /// The device has the adapter's address.
  package func addressBasis(of definition: PeripheralDefinition, on adapter: DeviceAddress) -> AddressBasis? {
    nil
  }

  package func mtu(of central: Central) -> Int? { application?.centrals.mtu(of: central) }

  /// BlueZ does not report this, but the kernel does.
  package func isEncrypted(_ central: Central) -> Bool? {
    guard let controller = registrar?.state.adapter?.controller else { return nil }
    return KernelLink(controller: controller, peer: LinkAddress(central, .public)).isEncrypted
  }

  package func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? {
    application?.subscriptions.maximumValue(of: characteristic, to: recipients)
  }

  package func send(
    _ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients
  ) -> SendOutcome {
    application?.subscriptions.send(value, from: characteristic, to: recipients) ?? .nobodySubscribed
  }

  package func canAddress(_ central: Central, from characteristic: Int) -> Bool {
    application?.subscriptions.canAddress(central, from: characteristic) ?? false
  }

  package func holdResponses(_ isHolding: Bool) { application?.heldResponses.isHolding = isHolding }

  /// Returns when bluetoothd has handled all earlier answers, or after 5 s.
  package func catchUp() async { await client?.catchUp() }

  func makeApplication(
    _ definition: PeripheralDefinition, _ table: AttributeTable, _ client: BlueZClient
  ) -> GATTApplication {
    let application = GATTApplication(
      definition, table, on: client,
      receive: { [weak self] in self?.receive($0, respond: $1) },
      sawCentral: { [weak self] in self?.arrived($0) },
      congestionChanged: { [weak self] in self?.host?.congestionChanged($0, of: $1) },
      warn: { [weak self] in self?.host?.warn($0) })
    application.subscriptions.onLastEnd = { [weak self] in self?.finishDeparture() }
    return application
  }

  private func receive(_ event: Event, respond: Responder?) {
    guard let host else {
      respond?(.refused(.unlikelyError))
      return
    }
    host.receive(event, respond: respond)
  }
}
