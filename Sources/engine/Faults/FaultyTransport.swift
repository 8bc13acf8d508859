import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Peripheral

/// A transport around another that applies the faults of a stage to the device's values and requests.
///
/// Without faults it passes everything on.
@EventLoop
package final class FaultyTransport: Transport {
  /// Private, so that Swift need not check each access to it.
  private weak var device: (any TransportHost)?
  let inner: any Transport
  let innerValues: any TransportValues
  package let connections: any TransportConnections
  let stage: FaultStage
  /// The device's own advertisement.
  private var wanted: Advertisement?
  /// The advertisement that is on the air.
  private var advertised: Advertisement?
  private var isOnAir = false
  /// The characteristics that are congested in the inner transport, and those with values that a fault holds.
  private var congested: Set<Int> = []
  private var delayed: Set<Int> = []

  package init(_ inner: any Transport, _ stage: FaultStage) {
    (self.inner, self.stage) = (inner, stage)
    (innerValues, connections) = (inner.values, inner.connections)
    inner.host = self
    stage.transport = self
  }

  package func open() async throws -> LocalAdapter { try await inner.open() }

  package func goOnAir(_ device: DeviceOnAir) async throws {
    wanted = device.advertisement
    stage.start()
    var device = device
    device.advertisement = stage.change(wanted)
    advertised = device.advertisement
    isOnAir = true
    try await inner.goOnAir(device)
  }

  package func leaveAir() async {
    isOnAir = false
    stage.stop()
    await inner.leaveAir()
  }

  package var host: (any TransportHost)? {
    get { device }
    set { device = newValue }
  }

  package func noteState(_ state: String) { stage.noteState(state) }

  package func pass(_ value: LayerValue) -> LayerPassage? { stage.pass(value) }
}

// MARK: What passes unchanged

extension FaultyTransport {
  package var limits: any TransportLimits { inner.limits }

  package var handles: HandleLayout? { inner.handles }

  package func addressBasis(of definition: PeripheralDefinition, on adapter: DeviceAddress) -> AddressBasis? {
    inner.addressBasis(of: definition, on: adapter)
  }

  package func serve(_ table: AttributeTable, toConnected: Bool) {
    inner.serve(table, toConnected: toConnected)
  }

  func hasSubscribers(_ characteristic: Int) -> Bool {
    innerValues.maximumValue(of: characteristic, to: .subscribers) != nil
  }
}

// MARK: Advertising

extension FaultyTransport {
  package func advertise(_ advertisement: Advertisement?) {
    wanted = advertisement
    advertised = stage.change(advertisement)
    inner.advertise(advertised)
  }

  /// Advertises with the faults' present effect.
  func advertiseAnew() {
    guard isOnAir, stage.change(wanted) != advertised else { return }
    advertise(wanted)
  }
}

// MARK: Congestion

extension FaultyTransport {
  /// The number of a characteristic's values that faults may hold before the device is told to send less.
  private static let mostWaiting = 8

  /// Faults hold this many values of a characteristic.
  func backlogChanged(to count: Int, of characteristic: Int) {
    let isDelayed = count > Self.mostWaiting || (count > 0 && delayed.contains(characteristic))
    guard isDelayed != delayed.contains(characteristic) else { return }
    if isDelayed { delayed.insert(characteristic) } else { delayed.remove(characteristic) }
    if !congested.contains(characteristic) { host?.congestionChanged(isDelayed, of: characteristic) }
  }

  package func congestionChanged(_ isCongested: Bool, of characteristic: Int) {
    if isCongested { congested.insert(characteristic) } else { congested.remove(characteristic) }
    if !delayed.contains(characteristic) { host?.congestionChanged(isCongested, of: characteristic) }
  }
}
