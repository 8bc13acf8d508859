import AttributeServer
import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Peripheral

/// The GATT server of a central: what a device seeks there. What the device writes goes to ``onWrite``.
///
/// It is a server like that of a device, of which the device under test is the central.
@EventLoop
package final class CentralAttributes {
  /// Sends a PDU to the device.
  package var send: (([UInt8]) -> Void)?
  /// Called with what the device writes, by the index of what it seeks.
  package var onWrite: ((Int, [UInt8]) -> Void)?
  /// Called when the device has subscribed to something or unsubscribed.
  package var onSubscription: (() -> Void)?
  private let sought: [SoughtCharacteristic]
  private let server = GATTServer()
  private let link = ServerSide()
  /// The values of those that exist, by the index of what the device seeks.
  private var values: [Int: Value] = [:]
  /// Those that the device finds on this link, in the order of the server's characteristics.
  private var served: [Int] = []
  private var subscribed: Set<Int> = []

  /// A value, or the error with which the central refuses to read and to write it.
  package typealias Value = Result<[UInt8], ATTError>

  private static let device = LinkAddress(DeviceAddress([0, 0, 0, 0, 0, 1])!)

  package init(_ definition: PeripheralDefinition) {
    sought = definition.sought
    server.host = self
    link.onSend = { [weak self] in self?.send?($0) }
  }

  /// The central has this from now on; nil: it has it no more. The device learns that when it looks again.
  package func serve(_ value: Value?, for index: Int) {
    values[index] = value
    guard server[Self.device.address] != nil, served.contains(index) != (value != nil) else { return }
    let kept = subscribed.map { served[$0] }
    served.removeAll { values[$0] == nil }
    if value != nil { served.append(index) }
    endLink()
    subscribed = []
    start()
    link.isMute = true
    for index in kept { subscribe(to: index) }
    link.isMute = false
  }

  /// On a link that goes on with another table, the device has still subscribed.
  private func subscribe(to index: Int) {
    guard let number = served.firstIndex(of: index) else { return }
    for attribute in server.database.attributes {
      guard case .configuration(.characteristic(number), _) = attribute.content else { continue }
      let value = ClientConfiguration(.notification).bytes
      link.onReceive?(AttributePDU.writeRequest(attribute.handle, value).encode())
    }
  }

  /// Whether the device gets values of this.
  package func isSubscribed(_ index: Int) -> Bool {
    served.firstIndex(of: index).map(subscribed.contains) ?? false
  }

  /// Sends a value to the device, if that has subscribed.
  package func tell(_ value: [UInt8], from index: Int) {
    guard let number = served.firstIndex(of: index) else { return }
    _ = server.send(value[...], from: number, to: .subscribers)
  }

  /// A link to the device has begun.
  package func begin() {
    end()
    var services: [BluetoothUUID] = []
    for service in sought.map(\.service) where !services.contains(service) { services.append(service) }
    served = services.flatMap { service in
      sought.indices.filter { sought[$0].service == service && values[$0] != nil }
    }
    start()
  }

  package func end() {
    endLink()
    (served, subscribed) = ([], [])
  }

  private func endLink() {
    if let served = server[Self.device.address] { server.ended(served) }
  }

  /// Serves what there is now.
  private func start() {
    let definition = makeDefinition()
    guard let table = try? definition.attributes(in: definition.initialContext) else { return }
    server.start(
      DeviceOnAir(definition: definition, table: table, advertisement: Advertisement(), deviceName: "Central")
    )
    server.connected(Self.device, on: link)
  }

  /// Takes a PDU of the device for a server.
  ///
  /// - Parameter mtu: the ATT_MTU of the link, which the central has exchanged as a client.
  package func receive(_ packet: [UInt8], mtu: Int) {
    if server[Self.device.address]?.mtu != mtu {
      link.onReceive?(AttributePDU.exchangeMTURequest(UInt16(mtu)).encode())
    }
    link.onReceive?(packet)
  }

  /// A device with all that the central has.
  private func makeDefinition() -> PeripheralDefinition {
    var definition = PeripheralDefinition(name: "Central")
    // What came later is after all that was there before, so that this keeps its handles.
    var start = 0
    for (number, index) in served.enumerated() {
      let service = sought[index].service
      definition.characteristics.append(
        CharacteristicDefinition(
          id: sought[index].id, uuid: .literal(sought[index].uuid), presence: nil,
          properties: [.read, .write, .notify], permissions: [], value: ValueTemplate(), descriptors: []))
      guard number + 1 == served.count || sought[served[number + 1]].service != service else { continue }
      definition.services.append(
        ServiceDefinition(
          id: "\(service)", uuid: .literal(service), presence: nil, isPrimary: true,
          characteristics: start..<number + 1))
      start = number + 1
    }
    return definition
  }
}

extension CentralAttributes: BaseHost {
  package func receive(_ event: Event, respond: Responder?) {
    switch event {
    case .readRequested(_, .characteristic(let number), let offset):
      switch values[served[number]] {
      case .success(let value) where offset <= value.count: respond?(.value(Array(value[offset...])))
      case .failure(let error): respond?(.refused(error))
      case .success, nil: respond?(.refused(.invalidOffset))
      }
    case .writeRequested(_, .characteristic(let number), let value, _, _):
      if case .failure(let error) = values[served[number]] {
        respond?(.refused(error))
      } else {
        respond?(.accepted)
      }
      onWrite?(served[number], value)
    case .configuring(_, let number, _, _, let new, _):
      respond?(.accepted)
      note(number, isSubscribed: new != nil)
    case .subscribed(_, let number, _): note(number, isSubscribed: true)
    case .unsubscribed(_, let number): note(number, isSubscribed: false)
    default: respond?(.accepted)
    }
  }

  private func note(_ number: Int, isSubscribed: Bool) {
    if isSubscribed { subscribed.insert(number) } else { subscribed.remove(number) }
    onSubscription?()
  }

  package func congestionChanged(_ isCongested: Bool, of characteristic: Int) {}
  package func fellOffAir(_ reason: String) {}
  package func cameBackOnAir() {}
  package func warn(_ message: String) {}
  package func metFault(_ number: Int, in central: Central) {}
}

/// The server's side of the link. The central itself has exchanged the ATT_MTU, so that no answer to this goes out.
@EventLoop
private final class ServerSide: PacketChannel {
  var onReceive: (@EventLoop ([UInt8]) -> Void)?
  var onEmpty: (@EventLoop () -> Void)?
  var onSend: (([UInt8]) -> Void)?
  let isCongested = false
  let security = LinkSecurity.none
  /// Whether the device gets nothing.
  var isMute = false

  func send(_ packet: [UInt8]) {
    if !isMute, packet.first != AttributeOpcode.exchangeMTUResponse.rawValue { onSend?(packet) }
  }

  func close() { onReceive = nil }
}
