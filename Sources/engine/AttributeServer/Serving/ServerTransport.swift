import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Peripheral

/// A transport whose attributes a ``GATTServer`` serves, and which can be recorded.
@EventLoop
package protocol ServerTransport: BaseTransport {
  var server: GATTServer { get }
}

extension ServerTransport {
  package var host: (any TransportHost)? {
    get { server.host }
    set { server.host = newValue }
  }

  package var recorder: (any AirRecorder)? {
    get { server.recorder }
    set { server.recorder = newValue }
  }

  package var values: any TransportValues { server }

  package func serve(_ table: AttributeTable, toConnected: Bool) {
    server.serve(table)
    if toConnected { server.updateLinks() }
  }

  package var handles: HandleLayout? { { AttributeDatabase.handles(of: $0, $1) } }

  package var bondedCentrals: [Central]? { server.bondedCentrals }

  package func mtu(of central: Central) -> Int? { server[central]?.mtu }

  package func isEncrypted(_ central: Central) -> Bool? { server[central]?.security.isEncrypted }

  /// Of several, that which the device has distributed.
  package func longTermKey(of central: Central) -> [UInt8]? {
    guard let link = server[central], link.security.isEncrypted else { return [] }
    let keys = server.bonds.first { $0.peer == link.identity }?.longTermKeys ?? []
    return (keys.first { !$0.isOfCentral } ?? keys.first)?.value.reversed() ?? []
  }
}

extension GATTServer: TransportValues {
  package func canAddress(_ central: Central, from characteristic: Int) -> Bool { true }

  package func transmit(_ bytes: [UInt8], in channel: Int, to central: Central?) -> SendOutcome {
    channels.transmit(bytes, in: channel, to: central)
  }

  package func close(channel: Int, of central: Central?) { channels.close(channel, of: central) }
}
