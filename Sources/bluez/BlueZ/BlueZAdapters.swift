import Bluetooth
import EventLoop
import Peripheral

/// The adapters that BlueZ knows.
package enum BlueZAdapters {
  /// The kernel's number and the address of an adapter, for a central that does not use BlueZ.
  ///
  /// - Throws: ``TransportError``.
  @EventLoop
  package static func controller(of choice: AdapterChoice) async throws(TransportError) -> LocalController {
    let client = try await BlueZClient.connect()
    defer { client.close() }
    let asked = try choice.candidates(of: await client.adapters())
    guard let controller = asked.lazy.compactMap(\.controller).first else { throw TransportError(.noAdapter) }
    return controller
  }
}
