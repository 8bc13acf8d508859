import AttributeServer
import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import L2CAP
import Peripheral

/// Puts a device on the air without bluetoothd, and beside it: blemu itself serves the attributes on the kernel's L2CAP
/// channel for ATT, and advertises through the kernel's management interface. Pairing is the kernel's.
@EventLoop
package final class ExactTransport: RadioTransport {
  package weak var host: (any TransportHost)?
  package let limits: any TransportLimits = ExactLimits()
  let choice: AdapterChoice
  let records: String
  var keeper: AdapterKeeper?
  var original: OriginalSettings?
  var device: DeviceOnAir?
  var database = AttributeDatabase()
  let links = ServedLinks()
  let heldResponses = HeldResponses()
  /// The channels of centrals that have connected before the device started; nil once it has.
  var early: [(FileDescriptor, LinkAddress)]? = []
  var allHaveEnded: Promise<Void>?

  package convenience init(_ choice: AdapterChoice = .first) {
    self.init(choice, records: AdapterRecord.folder)
  }

  /// - Parameter records: the folder of each ``AdapterRecord``.
  init(_ choice: AdapterChoice, records: String) {
    self.choice = choice
    self.records = records
  }

  /// The advertisement that the kernel sends for the device; nil: none.
  package var advertised: Advertisement? { keeper?.onAir }

  /// The attributes of the definition that are served; nil: none.
  package var table: AttributeTable? { device?.table }

  package func advertise(_ advertisement: Advertisement?) { keeper?.advertise(advertisement) }

  package func serve(_ table: AttributeTable) {
    device?.table = table
    buildDatabase()
  }

  /// Centrals that are connected keep the attributes that they have discovered.
  func buildDatabase() {
    guard let device else { return }
    database = AttributeDatabase(
      device.definition, device.table, name: device.deviceName,
      appearance: device.advertisement?.appearance ?? 0)
  }

  package func holdResponses(_ isHolding: Bool) { heldResponses.isHolding = isHolding }

  package func mtu(of central: Central) -> Int? { links[central]?.mtu }

  package func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? {
    links.maximumValue(of: characteristic, to: recipients)
  }

  package func send(
    _ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients
  ) -> SendOutcome {
    links.send(value, from: characteristic, to: recipients)
  }
}
