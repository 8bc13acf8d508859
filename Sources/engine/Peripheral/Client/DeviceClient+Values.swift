import Behavior
import Bluetooth
import DeviceModel
import EventLoop

// Reading, writing and subscribing.
extension DeviceClient {
  /// The present ATT_MTU, bytes.
  private var mtu: () -> Int {
    { [weak owner, central] in owner?.mtu(of: central) ?? AttributePDU.defaultMTU }
  }

  /// By notification, or by indication if the characteristic cannot notify.
  func subscribe(to index: Int) {
    let request = ClientRequest.subscribe(index)
    guard let found = found[index], let configuration = found.configuration else {
      return fail(request, .attributeNotFound)
    }
    let bytes = ClientConfiguration(found.properties.delivery).bytes
    owner?.clientWrites(bytes, to: sought[index].id + "/2902", message: nil, at: central)
    ask(.writeRequest(configuration, bytes)) { [weak self] in self?.end(request, $0) }
  }

  private func end(_ request: ClientRequest, _ answer: Result<some Any, ATTError>) {
    switch answer {
    case .success: finish(nil)
    case .failure(let error): fail(request, error)
    }
  }

  /// Reads a whole value (Core Specification, Vol 3 Part G 4.8.1, 4.8.3).
  func read(_ index: Int) {
    guard let handle = found[index]?.handle else { return fail(.read(index), .attributeNotFound) }
    let value = GATTProcedure<[UInt8], ATTError>.read(
      handle, upTo: CharacteristicDefinition.maximumValueSize, mtu: mtu, endingAt: { _ in true })
    perform(value) { [weak self, central] in
      switch $0 {
      case .success(let value): self?.finish(.soughtReceived(central, sought: index, value, isRead: true))
      case .failure(let error): self?.fail(.read(index), error)
      }
    }
  }

  /// By a Write Request, or by a Write Command if the characteristic takes nothing else. A value that is too long for one PDU
  /// is written in parts (Vol 3 Part G 4.9.4).
  func write(_ value: [UInt8], to index: Int, _ message: Int?) {
    let request = ClientRequest.write(index, value, message: message)
    guard let found = found[index] else { return fail(request, .attributeNotFound) }
    let needsCommand = !found.properties.contains(.write) && found.properties.contains(.writeWithoutResponse)
    guard value.count <= (needsCommand ? mtu() - 3 : CharacteristicDefinition.maximumValueSize) else {
      return fail(request, .invalidAttributeValueLength)
    }
    owner?.clientWrites(value, to: sought[index].id, message: message, at: central)
    if needsCommand {
      _ = owner?.send(.writeCommand(found.handle, value), to: central)
      finish(nil)
    } else if value.count <= mtu() - 3 {
      ask(.writeRequest(found.handle, value)) { [weak self] in self?.end(request, $0) }
    } else {
      perform(.writeLong(value, to: found.handle, mtu: mtu)) { [weak self] in self?.end(request, $0) }
    }
  }
}
