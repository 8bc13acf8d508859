import AttributeClient
import Behavior
import Bluetooth
import Definitions
import EventLoop
import Transcripts

/// A central's connection, and where it has found the attributes of the definition.
@EventLoop
final class CentralLink {
  let client: AttributeClient
  var database = RemoteDatabase(services: [])
  private var ids: [String] = []
  /// By index in the definition; nil where the central has not found it.
  private var characteristics: [RemoteCharacteristic?] = []
  private var descriptors: [[BluetoothUUID]] = []
  private var commandCount = 0

  init(_ client: AttributeClient) {
    self.client = client
  }

  /// Finds what the definition describes among what was discovered.
  ///
  /// bluetoothd has services of its own, and they come first: of several with one UUID ours are the last.
  func map(_ definition: PeripheralDefinition) {
    ids = definition.characteristics.map(\.id)
    descriptors = definition.characteristics.map { $0.descriptors.map(\.uuid) }
    characteristics = Array(repeating: nil, count: ids.count)
    var rest = database.services
    for service in definition.services.reversed() {
      guard let index = rest.lastIndex(where: { $0.uuid == service.uuid }) else { continue }
      map(service.characteristics, to: rest.remove(at: index), definition)
    }
  }

  private func map(_ indices: Range<Int>, to service: RemoteService, _ definition: PeripheralDefinition) {
    var rest = service.characteristics
    for index in indices {
      let uuid = definition.characteristics[index].uuid
      guard let place = rest.firstIndex(where: { $0.uuid == uuid }) else { continue }
      characteristics[index] = rest.remove(at: place)
    }
  }

  func characteristic(at handle: AttributeHandle) -> Int? {
    characteristics.firstIndex { $0?.handle == handle }
  }

  func remote(_ characteristic: Int) throws(StageError) -> RemoteCharacteristic {
    if let remote = characteristics[characteristic] { return remote }
    throw StageError("the central does not find '\(ids[characteristic])'")
  }

  func handle(of attribute: AttributeReference) throws(StageError) -> AttributeHandle {
    switch attribute {
    case .characteristic(let index): return try remote(index).handle
    case .descriptor(let index, let characteristic):
      let uuids = descriptors[characteristic]
      let earlier = uuids[..<index].count { $0 == uuids[index] }
      let found = try remote(characteristic).descriptors.filter { $0.uuid == uuids[index] }
      if earlier < found.count { return found[earlier].handle }
      throw StageError("the central does not find '\(ids[characteristic])/\(uuids[index])'")
    }
  }

  /// So many commands are sent without waiting: bluetoothd's socket drops what comes faster than it reads.
  private static let burst = 10

  func write(command value: [UInt8], to handle: AttributeHandle) async throws {
    try await client.writeCommand(value, to: handle)
    commandCount += 1
    // There is no handle 0; the refusal says that all before it has been read.
    if commandCount % Self.burst == 0 { _ = try? await client.request(.readRequest(0)) }
  }
}
