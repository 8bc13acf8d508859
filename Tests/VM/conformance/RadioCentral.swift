import GATTClient
import Behavior
import BlueZ
import Bluetooth
import Conformance
import DeviceModel
import EventLoop
import Exact

/// A central on its own adapter, through the kernel's sockets.
@EventLoop
final class RadioCentral: ConformanceCentral {
  private static let uuids: [BluetoothUUID] = [0xFFE1, 0xFFE2, 0xFFE3]

  let address: DeviceAddress
  private let client: GATTClient
  /// By index in the device's definition; nil if not discovered.
  private let characteristics: [DiscoveredCharacteristic?]
  var onValue: ((_ characteristic: Int, _ value: [UInt8]) -> Void)?

  private init(_ address: DeviceAddress, _ client: GATTClient, _ found: [DiscoveredCharacteristic?]) {
    self.address = address
    self.client = client
    characteristics = found
    client.onValue = { [weak self] handle, value, _ in
      guard let index = self?.characteristics.firstIndex(where: { $0?.handle == handle }) else { return }
      self?.onValue?(index, value)
    }
  }

  /// Connects again until it discovers these attributes. For a moment the old ones may still be served.
  static func connect(
    on adapter: String, to device: String, mtu: Int, expecting table: AttributeTable
  ) async throws -> RadioCentral {
    let own = try await BlueZAdapters.controller(of: .named(adapter))
    let peer = try HostTransport.controller(of: .named(device)).address  // also while the device has it
    while true {
      let client = try await GATTClient.connect(from: own, to: peer, mtu: mtu)
      try await client.exchangeMTU()
      let database = try await client.discover()
      let found = uuids.map { uuid in database.characteristics.last { $0.uuid == uuid } }
      if found.indices.allSatisfy({ (found[$0] != nil) == table.contains($0) }) {
        return RadioCentral(own.address.address, client, found)
      }
      await client.disconnect()
    }
  }

  var mtu: Int { client.mtu }

  func disconnect() async { await client.disconnect() }
}

// MARK: Requests

extension RadioCentral {
  func subscribe(_ characteristic: Int, _ delivery: Delivery) async throws {
    let remote = try remote(characteristic)
    try await asking { try await client.subscribe(to: remote, by: delivery) }
  }

  func unsubscribe(from characteristic: Int) async throws {
    let remote = try remote(characteristic)
    try await asking { try await client.unsubscribe(from: remote) }
  }

  func write(_ value: [UInt8], to characteristic: Int, _ kind: WriteKind) async throws {
    let handle = try remote(characteristic).handle
    try await asking {
      if kind == .command {
        try await client.writeCommand(value, to: handle)
      } else {
        try await client.write(value, to: handle)
      }
    }
  }

  func read(_ characteristic: Int) async throws -> [UInt8] {
    let handle = try remote(characteristic).handle
    return try await asking { try await client.read(handle) }
  }

  private func remote(_ characteristic: Int) throws(ATTError) -> DiscoveredCharacteristic {
    guard let remote = characteristics[characteristic] else { throw .attributeNotFound }
    return remote
  }

  private func asking<Value>(_ request: @EventLoop () async throws -> Value) async throws -> Value {
    do { return try await request() } catch GATTClientError.refused(let error, _, _) { throw error }
  }
}
