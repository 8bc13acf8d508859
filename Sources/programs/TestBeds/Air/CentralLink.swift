import GATTClient
import Behavior
import Bluetooth
import Centrals
import EventLoop
import Exact
import Transcripts

/// A central's connection and the attributes that it has discovered.
@EventLoop
final class CentralLink {
  let client: GATTClient
  /// nil until the discovery is complete.
  var attributes: AttributeMap?
  /// The ids of the characteristics whose values come without a subscription.
  var unconditional: Set<String> = []
  /// The channels that it has opened, by their index in the definition.
  var channels: [Int: BegunChannel] = [:]
  private var commandCount = 0

  init(_ client: GATTClient) {
    self.client = client
  }

  /// How many write commands are sent without waiting. bluetoothd's socket drops those that it does not read in time.
  private static let burst = 10

  func write(command value: [UInt8], to handle: AttributeHandle) async throws {
    try await client.writeCommand(value, to: handle)
    commandCount += 1
    // Handle 0 does not exist. Its refusal proves that bluetoothd has read all commands before it.
    if commandCount % Self.burst == 0 { _ = try? await client.request(.readRequest(0)) }
  }
}
