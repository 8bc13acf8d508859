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

  package func serve(_ table: AttributeTable) { server.serve(table) }

  package var handles: HandleLayout? { { AttributeDatabase.handles(of: $0, $1) } }

  package var bondedCentrals: [Central]? { server.bondedCentrals }

  package func mtu(of central: Central) -> Int? { server[central]?.mtu }

  package func isEncrypted(_ central: Central) -> Bool? { server[central]?.security.isEncrypted }

  package func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? {
    server.maximumValue(of: characteristic, to: recipients)
  }

  package func send(
    _ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients
  ) -> SendOutcome {
    server.send(value, from: characteristic, to: recipients)
  }

  package func transmit(_ bytes: [UInt8], in channel: Int, to central: Central?) -> SendOutcome {
    server.channels.transmit(bytes, in: channel, to: central)
  }

  package func close(channel: Int, of central: Central?) { server.channels.close(channel, of: central) }

  package func sendAsClient(_ packet: [UInt8], to central: Central) -> Bool {
    server.sendAsClient(packet, to: central)
  }

  package func sendJoinedValues() { server.sendJoinedValues() }
}
