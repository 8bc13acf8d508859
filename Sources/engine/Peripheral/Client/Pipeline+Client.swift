import Behavior
import Bluetooth
import DeviceModel
import EventLoop

/// The device as the GATT client of its centrals.
extension Pipeline {
  /// - Parameter central: nil: all that are connected.
  func request(_ request: ClientRequest, of central: Central?) {
    for each in engine.connectedCentrals where central == nil || central == each {
      let client = clients[each] ?? DeviceClient(each, definition.sought, scheduler)
      client.owner = self
      clients[each] = client
      client.perform(request)
    }
  }

  /// Takes a response, a notification or an indication of a central.
  func receiveAsClient(_ packet: [UInt8], from central: Central) { clients[central]?.receive(packet) }
}

extension Pipeline: DeviceClientOwner {
  func mtu(of central: Central) -> Int { transport.mtu(of: central) ?? AttributePDU.defaultMTU }

  func send(_ pdu: AttributePDU, to central: Central) -> Bool {
    transport.sendAsClient(pdu.encode(), to: central)
  }

  func clientReceived(_ event: Event) { receive(event) }

  func clientWrites(_ value: [UInt8], to place: String, message: Int?, at central: Central) {
    totals.valuesOut += 1
    report(.clientOut(central, place, value, message: message.map { definition.messages[$0].name }))
  }

  func clientFailed(at central: Central) {
    clients[central] = nil
    warn("\(central) has not answered the device within 30 s; disconnecting it")
    transport.disconnect(central, .remoteUserTerminated)
  }
}
