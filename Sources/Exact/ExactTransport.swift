import AttributeServer
import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import GATTServer
import L2CAP
import Peripheral

/// Puts a device on the air without bluetoothd, and beside it: blemu itself serves the attributes on the kernel's L2CAP
/// channel for ATT, and advertises through the kernel's management interface. Pairing is the kernel's.
@EventLoop
package final class ExactTransport: RadioTransport, RecordableTransport {
  package var host: (any TransportHost)? {
    get { server.host }
    set { server.host = newValue }
  }
  package let limits: any TransportLimits = ExactLimits()
  package var recorder: (any AirRecorder)? {
    get { server.recorder }
    set { server.recorder = newValue }
  }
  let choice: AdapterChoice
  let records: String
  var keeper: AdapterKeeper?
  var original: OriginalSettings?
  let server = GATTServer()
  let watch = LinkWatch()
  /// The links of ``server`` as the controller reports them.
  var watched: [Central: WatchedLink] = [:]
  var pairing: PairingDesk?
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
    watch.onNotice = { [weak self] in self?.take($1, of: $0) }
    server.disconnect = { [weak self] in self?.disconnect($0.central, .remoteUserTerminated) }
  }

  /// The advertisement that the kernel sends for the device; nil: none.
  package var advertised: Advertisement? { keeper?.onAir }

  /// The attributes of the definition that are served; nil: none.
  package var table: AttributeTable? { server.device?.table }

  package func advertise(_ advertisement: Advertisement?) { keeper?.advertise(advertisement) }

  package func pair(_ policy: PairingPolicy?) {
    if policy != nil { original?.notePairing() }
    pairing?.change(to: policy) { [weak self] in await self?.putPairingBack() }
  }

  package func serve(_ table: AttributeTable) { server.serve(table) }

  package func holdResponses(_ isHolding: Bool) { server.isHoldingResponses = isHolding }

  package func mtu(of central: Central) -> Int? { server[central]?.mtu }

  package func isEncrypted(_ central: Central) -> Bool? { server[central]?.security.isEncrypted }

  package var handles: HandleLayout? { { AttributeDatabase.handles(of: $0, $1) } }

  package func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? {
    server.maximumValue(of: characteristic, to: recipients)
  }

  package func send(
    _ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients
  ) -> SendOutcome {
    server.send(value, from: characteristic, to: recipients)
  }

  package func sendJoinedValues() { server.sendJoinedValues() }
}
