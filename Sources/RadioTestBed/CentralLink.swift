import GATTClient
import Behavior
import Bluetooth
import EventLoop

/// A central's connection, and what it has found there.
@EventLoop
final class CentralLink {
  let client: GATTClient
  /// nil until it has looked.
  var attributes: AttributeMap?
  private var commandCount = 0

  init(_ client: GATTClient) {
    self.client = client
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
